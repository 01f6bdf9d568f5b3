/* avx2.c - 32 values to half a line of bytes and back. */
#include "kernels/int8/host.h"
#include "kernels/shared/x86.h"

INLINE __m256i steps8(const float *src, __m256 factor)
{
    return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_loadu_ps(src), factor));
}

/* Both packs stay within 128-bit lanes; the permute puts the words back in order. */
INLINE __m256i narrow32(const float *src, __m256 factor)
{
    __m256i low = _mm256_packs_epi32(steps8(src, factor), steps8(src + 8, factor));
    __m256i high = _mm256_packs_epi32(steps8(src + 16, factor), steps8(src + 24, factor));

    return _mm256_permutevar8x32_epi32(_mm256_packs_epi16(low, high), _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

INLINE size_t narrow_groups(int8_t *dst, const float *src, size_t n, float factor, _Bool nt)
{
    const __m256 by = _mm256_set1_ps(factor);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        if (nt)
            ask_ahead(src + at, AHEAD, 256);
        for (size_t i = at; i < at + 64; i += 32)
            if (nt)
                _mm256_stream_si256((__m256i *)(void *)(dst + i), narrow32(src + i, by));
            else
                _mm256_storeu_si256((__m256i *)(void *)(dst + i), narrow32(src + i, by));
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
    const __m256 by = _mm256_set1_ps(step);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        for (size_t i = at; i < at + 64; i += 8) {
            __m256i q = _mm256_cvtepi8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)(src + i)));
            __m256 value = _mm256_mul_ps(_mm256_cvtepi32_ps(q), by);

            if (nt)
                _mm256_stream_ps(dst + i, value);
            else
                _mm256_storeu_ps(dst + i, value);
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
    const __m256i bad = _mm256_set1_epi8(-128);
    size_t groups = n / 256;
    __m256i found = _mm256_setzero_si256();

    for (size_t g = 0; g < groups; g++) {
        const int8_t *at = src + 256 * stream_order(g, groups);

        ask_ahead(at, AHEAD, 256);
        for (size_t i = 0; i < 256; i += 32) {
            __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(at + i));

            found = _mm256_or_si256(found, _mm256_cmpeq_epi8(bytes, bad));
        }
    }
    return _mm256_movemask_epi8(found) != 0 || int8_check_scalar(src + 256 * groups, n - 256 * groups);
}

const struct int8_spans int8_avx2 = { &plain_avx2, magnitude_avx2, narrow, widen, check };
