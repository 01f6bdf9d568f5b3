/* vector.h - bits of lanes, under one name in both widths. */
#ifndef NARROWS_KERNELS_DRAWN_VECTOR_H
#define NARROWS_KERNELS_DRAWN_VECTOR_H

#include "kernels/shared/vector.h"

#ifdef __AVX512F__
/* A bit for each lane: its sign. */
INLINE uint32_t vec_signs(vec_bits v)
{
    return _mm512_cmplt_epi32_mask(v, _mm512_setzero_si512());
}

/* v with these bits set in the lanes that 'lanes' names. */
INLINE vec_bits vec_set_where(vec_bits v, uint32_t lanes, vec_bits bits)
{
    return _mm512_mask_or_epi32(v, (__mmask16)lanes, v, bits);
}

/* a + 1 where b < c as signed numbers. */
INLINE vec_bits vec_add_where_below(vec_bits a, vec_bits b, vec_bits c)
{
    return _mm512_mask_add_epi32(a, _mm512_cmplt_epi32_mask(b, c), a, _mm512_set1_epi32(1));
}

/* Nearest whole number at or below, of numbers that are not negative. */
INLINE vec vec_floor(vec v)
{
    return _mm512_roundscale_ps(v, _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC);
}

/* -a where the sign of b is set. */
INLINE vec_bits vec_negate_where(vec_bits a, vec_bits b)
{
    return _mm512_mask_sub_epi32(a, _mm512_cmplt_epi32_mask(b, _mm512_setzero_si512()), _mm512_setzero_si512(), a);
}
#else
INLINE uint32_t vec_signs(vec_bits v)
{
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(v));
}

INLINE vec_bits vec_set_where(vec_bits v, uint32_t lanes, vec_bits bits)
{
    const __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    __m256i named = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int)lanes), lane), lane);

    return _mm256_or_si256(v, _mm256_and_si256(named, bits));
}

INLINE vec_bits vec_add_where_below(vec_bits a, vec_bits b, vec_bits c)
{
    return _mm256_sub_epi32(a, _mm256_cmpgt_epi32(c, b));
}

INLINE vec vec_floor(vec v)
{
    return _mm256_floor_ps(v);
}

INLINE vec_bits vec_negate_where(vec_bits a, vec_bits b)
{
    __m256i sign = _mm256_srai_epi32(b, 31);

    return _mm256_sub_epi32(_mm256_xor_si256(a, sign), sign);
}
#endif

#endif
