/* avx512.c - 64 values at a time; a mask of 16 lanes is two bytes of the payload. */
#include <string.h>

#include "kernels/onebit/host.h"
#include "kernels/shared/x86.h"

INLINE __m512 accumulate16(const float *e, const float *v)
{
    __m512 x = _mm512_add_ps(_mm512_loadu_ps(e), _mm512_loadu_ps(v));
    __m512i magnitude = _mm512_and_si512(_mm512_castps_si512(x), _mm512_set1_epi32(0x7fffffff));
    __mmask16 finite = _mm512_cmplt_epu32_mask(magnitude, _mm512_set1_epi32(0x7f800000));

    return _mm512_maskz_mov_ps(finite, x);
}

INLINE __mmask16 below(__m512 x)
{
    return _mm512_cmp_ps_mask(x, _mm512_setzero_ps(), _CMP_LT_OQ);
}

/* Eight values to their lanes: each sum has a 0 where the sign is the other one, which changes nothing. */
INLINE void add8(__m512d *positive, __m512d *negative, __m256 x, __mmask8 is_below)
{
    __m512d wide = _mm512_cvtps_pd(x);

    *negative = _mm512_mask_add_pd(*negative, is_below, *negative, wide);
    *positive = _mm512_mask_add_pd(*positive, (__mmask8)~is_below, *positive, wide);
}

static void sum(struct onebit_lanes *l, float *e, const float *v, size_t n)
{
    __m512d positive[4], negative[4];
    uint64_t negatives = 0;
    size_t i = 0;

    for (size_t r = 0; r < 4; r++) {
        positive[r] = _mm512_loadu_pd(l->positive + 8 * r);
        negative[r] = _mm512_loadu_pd(l->negative + 8 * r);
    }
    for (; i + 32 <= n; i += 32) {
        ask_ahead(e + i, ASK_AHEAD, 128);
        ask_ahead(v + i, ASK_AHEAD, 128);
        for (size_t r = 0; r < 4; r += 2) {
            __m512 x = accumulate16(e + i + 8 * r, v + i + 8 * r);
            __mmask16 is_below = below(x);
            __m256 upper = _mm256_castpd_ps(_mm512_extractf64x4_pd(_mm512_castps_pd(x), 1));

            _mm512_storeu_ps(e + i + 8 * r, x);
            add8(&positive[r], &negative[r], _mm512_castps512_ps256(x), (__mmask8)is_below);
            add8(&positive[r + 1], &negative[r + 1], upper, (__mmask8)(is_below >> 8));
            negatives += (uint64_t)__builtin_popcount(is_below);
        }
    }
    for (size_t r = 0; r < 4; r++) {
        _mm512_storeu_pd(l->positive + 8 * r, positive[r]);
        _mm512_storeu_pd(l->negative + 8 * r, negative[r]);
    }
    l->negatives += negatives;
    onebit_sum_scalar(l, e + i, v + i, n - i);
}

static void send(uint8_t *bits, float *e, size_t n, struct onebit_means m)
{
    const __m512 a = _mm512_set1_ps(m.positive), b = _mm512_set1_ps(m.negative);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * stream_order(g, groups);
        uint64_t word = 0;

        ask_ahead(e + at, ASK_AHEAD, 256);
        for (size_t i = 0; i < 64; i += 16) {
            __m512 x = _mm512_loadu_ps(e + at + i);
            __mmask16 is_below = below(x);

            word |= (uint64_t)is_below << i;
            _mm512_storeu_ps(e + at + i, _mm512_sub_ps(x, _mm512_mask_blend_ps(is_below, a, b)));
        }
        memcpy(bits + at / 8, &word, sizeof(word));
    }
    onebit_send_scalar(bits + 8 * groups, e + 64 * groups, n - 64 * groups, m);
}

INLINE size_t decode_groups(float *dst, const uint8_t *bits, size_t n, struct onebit_means m, bool nt)
{
    const __m512 a = _mm512_set1_ps(m.positive), b = _mm512_set1_ps(m.negative);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);
        uint64_t word;

        memcpy(&word, bits + at / 8, sizeof(word));
        for (size_t i = 0; i < 64; i += 16) {
            __m512 value = _mm512_mask_blend_ps((__mmask16)(word >> i), a, b);

            if (nt)
                _mm512_stream_ps(dst + at + i, value);
            else
                _mm512_storeu_ps(dst + at + i, value);
        }
    }
    return 64 * groups;
}

static void decode(float *dst, const uint8_t *bits, size_t n, struct onebit_means m, bool stream)
{
    size_t done = stream ? decode_groups(dst, bits, n, m, 1) : decode_groups(dst, bits, n, m, 0);

    onebit_decode_scalar(dst + done, bits + done / 8, n - done, m, 0);
    if (stream)
        _mm_sfence();
}

const struct onebit_spans onebit_avx512 = { &plain_avx512, sum, send, decode };
