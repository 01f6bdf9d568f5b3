/* avx2.c - 64 values at a time, eight in a register. Every processor with AVX2 has the fp16 conversions (F16C) too. */
#include "kernels/cast/span.h"

INLINE __m256i get(const void *src)
{
    return _mm256_loadu_si256(src);
}

INLINE void put(void *dst, __m256i v, bool nt)
{
    if (nt)
        _mm256_stream_si256(dst, v);
    else
        _mm256_storeu_si256(dst, v);
}

/* The definition on whole words: the result is in the upper halves, the lower ones are left over. */
INLINE __m256i bf16_round8(__m256i v)
{
    __m256i odd = _mm256_and_si256(_mm256_srli_epi32(v, 16), _mm256_set1_epi32(1));
    __m256i rounded = _mm256_add_epi32(v, _mm256_add_epi32(odd, _mm256_set1_epi32(0x7fff)));
    __m256 nan = _mm256_cmp_ps(_mm256_castsi256_ps(v), _mm256_castsi256_ps(v), _CMP_UNORD_Q);
    __m256i quiet = _mm256_or_si256(v, _mm256_set1_epi32(0x400000));

    return _mm256_blendv_epi8(rounded, quiet, _mm256_castps_si256(nan));
}

/* packus interleaves the two 128-bit halves; 0xd8 puts them back in order. */
INLINE void bf16_narrow64(uint16_t *dst, const float *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 16) {
        __m256i a = _mm256_srli_epi32(bf16_round8(get(src + i)), 16);
        __m256i b = _mm256_srli_epi32(bf16_round8(get(src + i + 8)), 16);

        put(dst + i, _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xd8), nt);
    }
}

INLINE void bf16_widen64(float *dst, const uint16_t *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 8) {
        __m128i half = _mm_loadu_si128((const __m128i *)(src + i));

        put(dst + i, _mm256_slli_epi32(_mm256_cvtepu16_epi32(half), 16), nt);
    }
}

INLINE void fp16_narrow64(uint16_t *dst, const float *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 16) {
        __m128i a = _mm256_cvtps_ph(_mm256_castsi256_ps(get(src + i)), _MM_FROUND_TO_NEAREST_INT);
        __m128i b = _mm256_cvtps_ph(_mm256_castsi256_ps(get(src + i + 8)), _MM_FROUND_TO_NEAREST_INT);

        put(dst + i, _mm256_inserti128_si256(_mm256_castsi128_si256(a), b, 1), nt);
    }
}

INLINE void fp16_widen64(float *dst, const uint16_t *src, bool nt)
{
    for (size_t i = 0; i < 64; i += 8)
        put(dst + i, _mm256_castps_si256(_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(src + i)))), nt);
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
    const __m256i upper = _mm256_set1_epi32((int)0xffff0000u);
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * stream_order(g, groups);

        ask_ahead(src + at, AHEAD, 256);
        for (size_t i = at; i < at + 64; i += 8)
            put(dst + i, _mm256_and_si256(bf16_round8(get(src + i)), upper), 0);
    }
    cast_bf16_round_scalar(dst + 64 * groups, src + 64 * groups, n - 64 * groups);
}

const struct cast_spans cast_avx2 = { &plain_avx2, bf16_narrow, fp16_narrow, bf16_widen, fp16_widen, bf16_round };
