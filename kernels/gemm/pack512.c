/* pack512.c - see pack512.h. */
#include "kernels/gemm/pack512.h"

static __mmask16 first(size_t count)
{
    return count >= 16 ? 0xffff : (__mmask16)((1u << count) - 1);
}

static void copy_steps(float *panel, size_t width, const float *src, size_t along, size_t count, size_t steps,
                       bool round)
{
    for (size_t s = 0; s < steps; s++)
        for (size_t v = 0; v < width; v += 16) {
            /* Each step is a new row, often on a new page: no processor foresees that. */
            const float *later = src + (s + 12 < steps ? s + 12 : s) * along + v;
            __m512 x = _mm512_maskz_loadu_ps(first(count > v ? count - v : 0), src + s * along + v);

            _mm_prefetch((const char *)later, _MM_HINT_T0);
            _mm512_mask_storeu_ps(panel + s * width + v, first(width - v), round ? vec_bf16(x) : x);
        }
}

/* r[i] is row i; afterwards, column i. Pairs, fours, then 128-bit quarters twice. */
static inline void turn16(__m512 r[16])
{
    __m512 t[16];

    for (int i = 0; i < 16; i += 4) {
        __m512 a = _mm512_unpacklo_ps(r[i], r[i + 1]), b = _mm512_unpackhi_ps(r[i], r[i + 1]);
        __m512 c = _mm512_unpacklo_ps(r[i + 2], r[i + 3]), d = _mm512_unpackhi_ps(r[i + 2], r[i + 3]);

        t[i] = _mm512_shuffle_ps(a, c, 0x44);
        t[i + 1] = _mm512_shuffle_ps(a, c, 0xee);
        t[i + 2] = _mm512_shuffle_ps(b, d, 0x44);
        t[i + 3] = _mm512_shuffle_ps(b, d, 0xee);
    }
    for (int i = 0; i < 4; i++) {
        __m512 a = _mm512_shuffle_f32x4(t[i], t[i + 4], 0x88), b = _mm512_shuffle_f32x4(t[i], t[i + 4], 0xdd);
        __m512 c = _mm512_shuffle_f32x4(t[i + 8], t[i + 12], 0x88), d = _mm512_shuffle_f32x4(t[i + 8], t[i + 12], 0xdd);

        r[i] = _mm512_shuffle_f32x4(a, c, 0x88);
        r[i + 4] = _mm512_shuffle_f32x4(b, d, 0x88);
        r[i + 8] = _mm512_shuffle_f32x4(a, c, 0xdd);
        r[i + 12] = _mm512_shuffle_f32x4(b, d, 0xdd);
    }
}

/* Vectors v .. v+15 over steps s .. s+15. */
static void turn_square(float *panel, size_t width, const float *src, size_t across, size_t count, size_t steps,
                        bool round, __mmask16 keep)
{
    __m512 r[16];

    for (size_t i = 0; i < 16; i++)
        r[i] = i < count ? _mm512_maskz_loadu_ps(first(steps), src + i * across) : _mm512_setzero_ps();
    turn16(r);
    for (size_t i = 0; i < 16 && i < steps; i++)
        _mm512_mask_storeu_ps(panel + i * width, keep, round ? vec_bf16(r[i]) : r[i]);
}

void pack512(float *panel, size_t width, const float *src, size_t across, size_t along, size_t count, size_t steps,
             bool round)
{
    if (across == 1) {
        copy_steps(panel, width, src, along, count, steps, round);
        return;
    }
    for (size_t v = 0; v < width; v += 16)
        for (size_t s = 0; s < steps; s += 16)
            turn_square(panel + s * width + v, width, src + v * across + s, across, count > v ? count - v : 0,
                        steps - s, round, first(width - v));
}
