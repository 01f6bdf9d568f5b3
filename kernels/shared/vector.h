/* vector.h - the registers of the instruction set that a file is compiled for, under one name: AVX-512 where the
 * compiler may use it, else AVX2. For loops that differ in the width alone: they stand in a header that avx2.c and
 * avx512.c include.
 *   ISA(anchor_read)   anchor_read_avx512 or anchor_read_avx2
 *   MM(add_ps)         _mm512_add_ps or _mm256_add_ps */
#ifndef NARROWS_KERNELS_SHARED_VECTOR_H
#define NARROWS_KERNELS_SHARED_VECTOR_H

#include "kernels/shared/x86.h"

#ifdef __AVX512F__
#define ISA(name) name##_avx512
#define MM(operation) _mm512_##operation
typedef __m512 vec;
typedef __m512i vec_bits;
typedef __m256i vec_half;
#else
#define ISA(name) name##_avx2
#define MM(operation) _mm256_##operation
typedef __m256 vec;
typedef __m256i vec_bits;
typedef __m128i vec_half;
#endif

/* fp32 values in a register. */
enum { VECTOR = sizeof(vec) / sizeof(float) };

/* Past the caches if 'nt': then 'to' is on a register's boundary. */
INLINE void vec_put(float *to, vec v, bool nt)
{
    if (nt)
        MM(stream_ps)(to, v);
    else
        MM(storeu_ps)(to, v);
}

#ifdef __AVX512F__
INLINE vec_bits vec_get_bits(const void *from)
{
    return _mm512_loadu_si512(from);
}

INLINE vec_half vec_get_half(const void *from)
{
    return _mm256_loadu_si256(from);
}

INLINE void vec_put_bits(void *to, vec_bits v, bool nt)
{
    if (nt)
        _mm512_stream_si512(to, v);
    else
        _mm512_storeu_si512(to, v);
}

INLINE vec_bits vec_join(vec_half low, vec_half high)
{
    return _mm512_inserti64x4(_mm512_castsi256_si512(low), high, 1);
}

INLINE vec vec_from_bits(vec_bits v)
{
    return _mm512_castsi512_ps(v);
}

INLINE vec_bits vec_to_bits(vec v)
{
    return _mm512_castps_si512(v);
}

INLINE vec_bits vec_and(vec_bits a, vec_bits b)
{
    return _mm512_and_si512(a, b);
}

/* 'other' where v is a NaN. */
INLINE vec vec_unless_nan(vec v, vec other)
{
    return _mm512_mask_mov_ps(v, _mm512_cmp_ps_mask(v, v, _CMP_UNORD_Q), other);
}
#else
INLINE vec_bits vec_get_bits(const void *from)
{
    return _mm256_loadu_si256(from);
}

INLINE vec_half vec_get_half(const void *from)
{
    return _mm_loadu_si128(from);
}

INLINE void vec_put_bits(void *to, vec_bits v, bool nt)
{
    if (nt)
        _mm256_stream_si256(to, v);
    else
        _mm256_storeu_si256(to, v);
}

INLINE vec_bits vec_join(vec_half low, vec_half high)
{
    return _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
}

INLINE vec vec_from_bits(vec_bits v)
{
    return _mm256_castsi256_ps(v);
}

INLINE vec_bits vec_to_bits(vec v)
{
    return _mm256_castps_si256(v);
}

INLINE vec_bits vec_and(vec_bits a, vec_bits b)
{
    return _mm256_and_si256(a, b);
}

INLINE vec vec_unless_nan(vec v, vec other)
{
    return _mm256_blendv_ps(v, other, _mm256_cmp_ps(v, v, _CMP_UNORD_Q));
}
#endif

/* Without the signs. */
INLINE vec_bits vec_magnitude(vec_bits v)
{
    return vec_and(v, MM(set1_epi32)(0x7fffffff));
}

/* To bf16, nearest even, as bf16_lane.h: any word. The result is in the upper halves; the lower ones are left over. */
INLINE vec_bits vec_bf16_above(vec_bits v)
{
    vec_bits odd = vec_and(MM(srli_epi32)(v, 16), MM(set1_epi32)(1)), quiet = MM(set1_epi32)(0x400000);
    vec_bits rounded = MM(add_epi32)(v, MM(add_epi32)(odd, MM(set1_epi32)(0x7fff)));

#ifdef __AVX512F__
    return _mm512_mask_or_epi32(rounded, _mm512_cmp_ps_mask(vec_from_bits(v), vec_from_bits(v), _CMP_UNORD_Q), v,
                                quiet);
#else
    return _mm256_blendv_epi8(rounded, _mm256_or_si256(v, quiet),
                              vec_to_bits(_mm256_cmp_ps(vec_from_bits(v), vec_from_bits(v), _CMP_UNORD_Q)));
#endif
}

INLINE vec vec_bf16(vec v)
{
    return vec_from_bits(vec_and(vec_bf16_above(vec_to_bits(v)), MM(set1_epi32)((int)0xffff0000)));
}

/* The one NaN of sum_lane.h and fma_lane.h. */
INLINE vec vec_nan(void)
{
    return vec_from_bits(MM(set1_epi32)(0x7fc00000));
}

#endif
