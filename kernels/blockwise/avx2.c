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

INLINE __m128i get_halves(const uint8_t *src)
{
    int32_t word;

    __builtin_memcpy(&word, src, sizeof(word));
    return _mm_cvtsi32_si128(word);
}

#include "kernels/blockwise/loops.h"
