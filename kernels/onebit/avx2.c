/* avx2.c - eight values and a byte of the payload at a time. */
#include "kernels/onebit/host.h"
#include "kernels/shared/x86.h"

/* The bits of x, or 0 where x is not finite: as signed words, magnitudes below that of an infinity. */
INLINE __m256 accumulate8(const float *e, const float *v)
{
    __m256i x = _mm256_castps_si256(_mm256_add_ps(_mm256_loadu_ps(e), _mm256_loadu_ps(v)));
    __m256i magnitude = _mm256_and_si256(x, _mm256_set1_epi32(0x7fffffff));
    __m256i finite = _mm256_cmpgt_epi32(_mm256_set1_epi32(0x7f800000), magnitude);

    return _mm256_castsi256_ps(_mm256_and_si256(x, finite));
}

INLINE __m256 below(__m256 x)
{
    return _mm256_cmp_ps(x, _mm256_setzero_ps(), _CMP_LT_OQ);
}

/* Four values to their lanes: each sum has a 0 where the sign is the other one, which changes nothing. */
INLINE void add4(double *positive, double *negative, __m128 x, __m128 is_below)
{
    __m256d up = _mm256_cvtps_pd(_mm_andnot_ps(is_below, x)), down = _mm256_cvtps_pd(_mm_and_ps(is_below, x));

    _mm256_storeu_pd(positive, _mm256_add_pd(_mm256_loadu_pd(positive), up));
    _mm256_storeu_pd(negative, _mm256_add_pd(_mm256_loadu_pd(negative), down));
}

/* The lanes stay in memory: 16 registers cannot hold two signs of 32 doubles. */
static void sum(struct onebit_lanes *l, float *e, const float *v, size_t n)
{
    uint64_t negatives = 0;
    size_t i = 0;

    for (; i + 32 <= n; i += 32) {
        ask_ahead(e + i, ASK_AHEAD, 128);
        ask_ahead(v + i, ASK_AHEAD, 128);
        for (size_t j = 0; j < 32; j += 8) {
            __m256 x = accumulate8(e + i + j, v + i + j), is_below = below(x);

            _mm256_storeu_ps(e + i + j, x);
            add4(l->positive + j, l->negative + j, _mm256_castps256_ps128(x), _mm256_castps256_ps128(is_below));
            add4(l->positive + j + 4, l->negative + j + 4, _mm256_extractf128_ps(x, 1),
                 _mm256_extractf128_ps(is_below, 1));
            negatives += (uint64_t)__builtin_popcount((unsigned)_mm256_movemask_ps(is_below));
        }
    }
    l->negatives += negatives;
    onebit_sum_scalar(l, e + i, v + i, n - i);
}

static void send(uint8_t *bits, float *e, size_t n, struct onebit_means m)
{
    const __m256 a = _mm256_set1_ps(m.positive), b = _mm256_set1_ps(m.negative);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * stream_order(g, groups);

        ask_ahead(e + at, ASK_AHEAD, 256);
        for (size_t i = at; i < at + 64; i += 8) {
            __m256 x = _mm256_loadu_ps(e + i), is_below = below(x);

            bits[i / 8] = (uint8_t)_mm256_movemask_ps(is_below);
            _mm256_storeu_ps(e + i, _mm256_sub_ps(x, _mm256_blendv_ps(a, b, is_below)));
        }
    }
    onebit_send_scalar(bits + 8 * groups, e + 64 * groups, n - 64 * groups, m);
}

INLINE size_t decode_groups(float *dst, const uint8_t *bits, size_t n, struct onebit_means m, bool nt)
{
    const __m256 a = _mm256_set1_ps(m.positive), b = _mm256_set1_ps(m.negative);
    /* Bit i of the byte to the sign of lane i, by which blendv chooses. */
    const __m256i up = _mm256_setr_epi32(31, 30, 29, 28, 27, 26, 25, 24);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        for (size_t i = at; i < at + 64; i += 8) {
            __m256i signs = _mm256_sllv_epi32(_mm256_set1_epi32(bits[i / 8]), up);
            __m256 value = _mm256_blendv_ps(a, b, _mm256_castsi256_ps(signs));

            if (nt)
                _mm256_stream_ps(dst + i, value);
            else
                _mm256_storeu_ps(dst + i, value);
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

const struct onebit_spans onebit_avx2 = { &plain_avx2, sum, send, decode };
