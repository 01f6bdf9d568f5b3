/* bf16_lane.h - the definition of bfloat16, the upper half of an fp32 word: rounding to it and back. */
#ifndef NARROWS_KERNELS_CAST_BF16_LANE_H
#define NARROWS_KERNELS_CAST_BF16_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

/* To the nearest, ties to the even one; what rounds past the largest becomes an infinity, denormals are numbers like
 * any other. A NaN keeps its sign and the upper bits of its payload and is made quiet. */
NW_LANE uint16_t bf16_from_f32_bits(uint32_t bits)
{
    if ((bits & 0x7fffffffu) > 0x7f800000u)
        return (uint16_t)(bits >> 16 | 0x40u);
    return (uint16_t)((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

/* Exact; a NaN stays as it is, signalling or quiet. */
NW_LANE uint32_t bf16_to_f32_bits(uint16_t half)
{
    return (uint32_t)half << 16;
}

/* An fp32 value rounded to one that bf16 holds. */
NW_LANE uint32_t bf16_round_f32_bits(uint32_t bits)
{
    return bf16_to_f32_bits(bf16_from_f32_bits(bits));
}

#endif
