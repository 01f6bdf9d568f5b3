/* avx512.c - 64 values to a line of bytes and back. */
#include "kernels/int8/host.h"
#include "kernels/shared/x86.h"

INLINE __m512i steps16(const float *src, __m512 factor)
{
    return _mm512_cvtps_epi32(_mm512_mul_ps(_mm512_loadu_ps(src), factor));
}

/* Both packs stay within 128-bit lanes; the permute puts the words back in order. */
INLINE __m512i narrow64(const float *src, __m512 factor)
{
    const __m512i order = _mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15);
    __m512i low = _mm512_packs_epi32(steps16(src, factor), steps16(src + 16, factor));
    __m512i high = _mm512_packs_epi32(steps16(src + 32, factor), steps16(src + 48, factor));

    return _mm512_permutexvar_epi32(order, _mm512_packs_epi16(low, high));
}

INLINE size_t narrow_groups(int8_t *dst, const float *src, size_t n, float factor, _Bool nt)
{
    const __m512 by = _mm512_set1_ps(factor);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        if (nt) {
            ask_ahead(src + at, AHEAD, 256);
            _mm512_stream_si512((void *)(dst + at), narrow64(src + at, by));
        } else {
            _mm512_storeu_si512((void *)(dst + at), narrow64(src + at, by));
        }
    }
    return 64 * groups;
}

static void narrow(int8_t *dst, const float *src, size_t n, const struct int8_scale *s, _Bool stream)
{
    size_t done = stream ? narrow_groups(dst, src, n, s->factor, 1) : narrow_groups(dst, src, n, s->factor, 0);

    int8_narrow_scalar(dst + done, src + done, n - done, s, 0);
    if (stream)
        _mm_sfence();
}

INLINE size_t widen_groups(float *dst, const int8_t *src, size_t n, float step, _Bool nt)
{
    const __m512 by = _mm512_set1_ps(step);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        for (size_t i = at; i < at + 64; i += 16) {
            __m512i q = _mm512_cvtepi8_epi32(_mm_loadu_si128((const __m128i *)(const void *)(src + i)));
            __m512 value = _mm512_mul_ps(_mm512_cvtepi32_ps(q), by);

            if (nt)
                _mm512_stream_ps(dst + i, value);
            else
                _mm512_storeu_ps(dst + i, value);
        }
    }
    return 64 * groups;
}

static void widen(float *dst, const int8_t *src, size_t n, float step, _Bool stream)
{
    size_t done = stream ? widen_groups(dst, src, n, step, 1) : widen_groups(dst, src, n, step, 0);

    int8_widen_scalar(dst + done, src + done, n - done, step, 0);
    if (stream)
        _mm_sfence();
}

static _Bool check(const int8_t *src, size_t n)
{
    const __m512i bad = _mm512_set1_epi8(-128);
    size_t groups = n / 256;
    __mmask64 found = 0;

    for (size_t g = 0; g < groups; g++) {
        const int8_t *at = src + 256 * stream_order(g, groups);

        ask_ahead(at, AHEAD, 256);
        for (size_t i = 0; i < 256; i += 64)
            found |= _mm512_cmpeq_epi8_mask(_mm512_loadu_si512((const void *)(at + i)), bad);
    }
    return found || int8_check_scalar(src + 256 * groups, n - 256 * groups);
}

const struct int8_spans int8_avx512 = { &plain_avx512, magnitude_avx512, narrow, widen, check };
