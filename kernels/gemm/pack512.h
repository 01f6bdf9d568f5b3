/* pack512.h - panels on AVX-512: copied step by step where a step's values lie together, turned in registers, 16 by 16,
 * where a vector's do. */
#ifndef NARROWS_KERNELS_GEMM_PACK512_H
#define NARROWS_KERNELS_GEMM_PACK512_H

#include <immintrin.h>

#include "kernels/gemm/host.h"

/* To bf16, nearest even, as bf16_lane.h: any word. */
__attribute__((always_inline)) static inline __m512 pack_round512(__m512 x)
{
    __m512i bits = _mm512_castps_si512(x), odd = _mm512_and_si512(_mm512_srli_epi32(bits, 16), _mm512_set1_epi32(1));
    __m512i up = _mm512_add_epi32(_mm512_add_epi32(bits, _mm512_set1_epi32(0x7fff)), odd);

    up = _mm512_mask_or_epi32(up, _mm512_cmp_ps_mask(x, x, _CMP_UNORD_Q), bits, _mm512_set1_epi32(0x400000));
    return _mm512_castsi512_ps(_mm512_and_si512(up, _mm512_set1_epi32((int)0xffff0000)));
}

gemm_pack_fn pack512;

#endif
