/* avx512.c - the loops with AVX-512. */
#include "kernels/blockwise/host.h"
#include "kernels/int8/vector.h"

/* 64 codes, two to a byte: 1 and 16 of each pair, added to a word. */
INLINE void narrow_group(uint8_t *codes, const float *values, vec factor)
{
    __m512i bytes = _mm512_and_si512(vec_narrow_bytes(values, factor), _mm512_set1_epi8(15));
    __m512i words = _mm512_maddubs_epi16(bytes, _mm512_set1_epi16(0x1001));

    _mm256_storeu_si256((__m256i *)(void *)codes, _mm512_cvtepi16_epi8(words));
}

INLINE __m128i get_halves(const uint8_t *src)
{
    return _mm_loadl_epi64((const void *)src);
}

#include "kernels/blockwise/loops.h"
