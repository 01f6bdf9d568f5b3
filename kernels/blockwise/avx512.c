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

/* The values of all codes. */
INLINE vec halves_of(vec scale)
{
    return _mm512_mul_ps(_mm512_setr_ps(0, 1, 2, 3, 4, 5, 6, 7, -8, -7, -6, -5, -4, -3, -2, -1), scale);
}

/* A byte becomes a pair of words, of which four bits are looked at. */
INLINE vec widen_halves(const uint8_t *src, vec values)
{
    __m512i pairs = _mm512_cvtepu8_epi64(_mm_loadl_epi64((const void *)src));

    return _mm512_permutexvar_ps(_mm512_or_si512(pairs, _mm512_slli_epi64(pairs, 28)), values);
}

#include "kernels/blockwise/loops.h"
