/* avx2.c - the loops with AVX2. */
#include "kernels/blockwise/host.h"
#include "kernels/int8/vector.h"

/* 64 codes, two to a byte: 1 and 16 of each pair, added to a word. */
INLINE void narrow_group(uint8_t *codes, const float *values, vec factor)
{
    const __m256i half = _mm256_set1_epi8(15), pair = _mm256_set1_epi16(0x1001);
    __m256i low = _mm256_and_si256(vec_narrow_bytes(values, factor), half);
    __m256i high = _mm256_and_si256(vec_narrow_bytes(values + 32, factor), half);
    __m256i bytes = _mm256_packus_epi16(_mm256_maddubs_epi16(low, pair), _mm256_maddubs_epi16(high, pair));

    vec_put_bits(codes, _mm256_permute4x64_epi64(bytes, 0xd8), false);
}

INLINE vec halves_of(vec scale)
{
    return scale;
}

/* A byte becomes a pair of words, each with its half moved to the top; the sign comes down with it. */
INLINE vec widen_halves(const uint8_t *src, vec scale)
{
    int32_t bytes;
    __m256i pairs;

    __builtin_memcpy(&bytes, src, sizeof(bytes));
    pairs = _mm256_cvtepu8_epi64(_mm_cvtsi32_si128(bytes));
    pairs = _mm256_or_si256(_mm256_slli_epi64(pairs, 28), _mm256_slli_epi64(pairs, 56));
    return _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_srai_epi32(pairs, 28)), scale);
}

#include "kernels/blockwise/loops.h"
