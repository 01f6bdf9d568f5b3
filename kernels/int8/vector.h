/* vector.h - a register of bytes from four of fp32 values and back, under one name in both widths; also for
 * kernels/blockwise. */
#ifndef NARROWS_KERNELS_INT8_VECTOR_H
#define NARROWS_KERNELS_INT8_VECTOR_H

#include "kernels/shared/vector.h"

/* in_order() undoes what packing twice within 128-bit lanes does to the words. */
#ifdef __AVX512F__
INLINE vec_bits in_order(vec_bits v)
{
    return _mm512_permutexvar_epi32(_mm512_setr_epi32(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15), v);
}

INLINE __m128i get_bytes(const void *src)
{
    return _mm_loadu_si128(src);
}
#else
INLINE vec_bits in_order(vec_bits v)
{
    return _mm256_permutevar8x32_epi32(v, _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7));
}

INLINE __m128i get_bytes(const void *src)
{
    return _mm_loadl_epi64(src);
}
#endif

/* As many bytes as a register has values, as whole numbers. */
INLINE vec_bits vec_widen_bytes(const void *src)
{
    return MM(cvtepi8_epi32)(get_bytes(src));
}

INLINE vec_bits steps(const float *src, vec factor)
{
    return MM(cvtps_epi32)(MM(mul_ps)(MM(loadu_ps)(src), factor));
}

/* 4 VECTOR values, of finite products. */
INLINE vec_bits vec_narrow_bytes(const float *src, vec factor)
{
    vec_bits low = MM(packs_epi32)(steps(src, factor), steps(src + VECTOR, factor));
    vec_bits high = MM(packs_epi32)(steps(src + 2 * VECTOR, factor), steps(src + 3 * VECTOR, factor));

    return in_order(MM(packs_epi16)(low, high));
}

#endif
