/* avx512.c - 64 values at a time. Rounding is done with integers: vcvtneps2bf16 takes denormals for zeros. */
#include "kernels/cast/span.h"

INLINE __m512i get(const void *src)
{
    return _mm512_loadu_si512(src);
}

INLINE void put(void *dst, __m512i v, bool nt)
{
    if (nt)
        _mm512_stream_si512(dst, v);
    else
        _mm512_storeu_si512(dst, v);
}

/* The definition on whole words: the result is in the upper halves, the lower ones are left over. */
INLINE __m512i bf16_round16(__m512i v)
{
    __m512i odd = _mm512_and_si512(_mm512_srli_epi32(v, 16), _mm512_set1_epi32(1));
    __m512i rounded = _mm512_add_epi32(v, _mm512_add_epi32(odd, _mm512_set1_epi32(0x7fff)));
    __mmask16 nan = _mm512_cmp_ps_mask(_mm512_castsi512_ps(v), _mm512_castsi512_ps(v), _CMP_UNORD_Q);

    return _mm512_mask_or_epi32(rounded, nan, v, _mm512_set1_epi32(0x400000));
}

INLINE void bf16_narrow64(uint16_t *dst, const float *src, bool nt)
{
    const __m512i upper = _mm512_set_epi16(63, 61, 59, 57, 55, 53, 51, 49, 47, 45, 43, 41, 39, 37, 35, 33, 31, 29, 27,
                                           25, 23, 21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1);

    for (size_t i = 0; i < 64; i += 32) {
        __m512i a = bf16_round16(get(src + i)), b = bf16_round16(get(src + i + 16));

        put(dst + i, _mm512_permutex2var_epi16(a, upper, b), nt);
    }
}

INLINE void bf16_widen64(float *dst, const uint16_t *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 16) {
        __m256i half = _mm256_loadu_si256((const __m256i *)(src + i));

        put(dst + i, _mm512_slli_epi32(_mm512_cvtepu16_epi32(half), 16), nt);
    }
}

INLINE void fp16_narrow64(uint16_t *dst, const float *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 32) {
        __m256i a = _mm512_cvtps_ph(_mm512_castsi512_ps(get(src + i)), _MM_FROUND_TO_NEAREST_INT);
        __m256i b = _mm512_cvtps_ph(_mm512_castsi512_ps(get(src + i + 16)), _MM_FROUND_TO_NEAREST_INT);

        put(dst + i, _mm512_inserti64x4(_mm512_castsi256_si512(a), b, 1), nt);
    }
}

INLINE void fp16_widen64(float *dst, const uint16_t *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 16)
        put(dst + i, _mm512_castps_si512(_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)(src + i)))), nt);
}

static void bf16_narrow(uint16_t *dst, const float *src, size_t n, bool stream)
{
    narrow_span(dst, src, n, stream, bf16_narrow64, cast_bf16_narrow_scalar);
}

static void fp16_narrow(uint16_t *dst, const float *src, size_t n, bool stream)
{
    narrow_span(dst, src, n, stream, fp16_narrow64, cast_fp16_narrow_scalar);
}

static void bf16_widen(float *dst, const uint16_t *src, size_t n, bool stream)
{
    widen_span(dst, src, n, stream, bf16_widen64, cast_bf16_widen_scalar);
}

static void fp16_widen(float *dst, const uint16_t *src, size_t n, bool stream)
{
    widen_span(dst, src, n, stream, fp16_widen64, cast_fp16_widen_scalar);
}

static void bf16_round(float *dst, const float *src, size_t n)
{
    const __m512i upper = _mm512_set1_epi32((int)0xffff0000u);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * stream_order(g, groups);

        ask_ahead(src + at, AHEAD, 256);
        for (size_t i = at; i < at + 64; i += 16)
            put(dst + i, _mm512_and_si512(bf16_round16(get(src + i)), upper), 0);
    }
    cast_bf16_round_scalar(dst + 64 * groups, src + 64 * groups, n - 64 * groups);
}

const struct cast_spans cast_avx512 = { &plain_avx512, bf16_narrow, fp16_narrow, bf16_widen, fp16_widen, bf16_round };
