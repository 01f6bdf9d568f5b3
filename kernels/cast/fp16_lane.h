/* fp16_lane.h - the definition of fp16, IEEE 754 binary16: rounding to it and back. */
#ifndef NARROWS_KERNELS_CAST_FP16_LANE_H
#define NARROWS_KERNELS_CAST_FP16_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

/* To the nearest, ties to the even one, denormals included: 2^-25 and less becomes 0, 65520 and more an infinity. A NaN
 * keeps its sign and the upper ten bits of its payload and is made quiet. */
NW_LANE uint16_t fp16_from_f32_bits(uint32_t bits)
{
    uint32_t sign = bits >> 16 & 0x8000u, magnitude = bits & 0x7fffffffu, kept, rest, half, shift;

    if (magnitude > 0x7f800000u)
        return (uint16_t)(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu));
    if (magnitude >= 0x477ff000u) /* 65520 */
        return (uint16_t)(sign | 0x7c00u);
    if (magnitude >= 0x38800000u) /* 2^-14, the least normal one: the exponent's bias falls from 127 to 15 */
        return (uint16_t)(sign | (magnitude - 0x38000000u + 0xfffu + (magnitude >> 13 & 1u)) >> 13);
    if (magnitude <= 0x33000000u) /* 2^-25 */
        return (uint16_t)sign;
    /* In units of 2^-24: the significand, shifted right by the missing exponent. */
    shift = 126u - (magnitude >> 23);
    kept = ((magnitude & 0x7fffffu) | 0x800000u) >> shift;
    rest = ((magnitude & 0x7fffffu) | 0x800000u) & ((1u << shift) - 1u);
    half = 1u << (shift - 1u);
    return (uint16_t)(sign | (kept + (rest > half || (rest == half && (kept & 1u)))));
}

/* Exact; a NaN is made quiet. */
NW_LANE uint32_t fp16_to_f32_bits(uint16_t word)
{
    uint32_t sign = (uint32_t)(word & 0x8000u) << 16, magnitude = word & 0x7fffu, exponent = 113u;

    if (magnitude > 0x7c00u)
        return sign | 0x7fc00000u | magnitude << 13;
    if (magnitude == 0x7c00u)
        return sign | 0x7f800000u;
    if (magnitude >= 0x400u)
        return sign | (0x38000000u + (magnitude << 13));
    if (!magnitude)
        return sign;
    for (; !(magnitude & 0x400u); exponent--)
        magnitude <<= 1;
    return sign | exponent << 23 | (magnitude & 0x3ffu) << 13;
}

#endif
