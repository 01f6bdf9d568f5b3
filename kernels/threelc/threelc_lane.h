/* threelc_lane.h - the definition: what becomes of one value, and of one quartic byte. */
#ifndef NARROWS_KERNELS_THREELC_LANE_H
#define NARROWS_KERNELS_THREELC_LANE_H

#include <float.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/shared/lane.h"

/* The accumulated error of a value: 0 if it is not finite. */
NW_LANE float threelc_finite_lane(float t)
{
    return t >= -FLT_MAX && t <= FLT_MAX ? t : 0.0f; /* false for a NaN */
}

NW_LANE float threelc_sum_lane(float e, float g)
{
    return threelc_finite_lane(e + g);
}

/* The model minus the receivers' copy. */
NW_LANE float threelc_distance_lane(float model, float pulled)
{
    return threelc_finite_lane(model - pulled);
}

/* M of the largest magnitude and of s, which is at least 1: 0 only for 0. */
NW_LANE float threelc_scale_lane(float max, float s)
{
    float scale = max * s;

    return scale <= FLT_MAX ? scale : FLT_MAX;
}

/* The largest h with 2 h <= M: then t > h is the same as 2 t > M. If M is denormal and odd, M / 2 is not an fp32 number
 * and may be rounded up. */
NW_LANE float threelc_half_lane(float scale)
{
    float half = 0.5f * scale;
    uint32_t bits;

    if (half + half <= scale)
        return half;
    memcpy(&bits, &half, sizeof(bits));
    bits--;
    memcpy(&half, &bits, sizeof(bits));
    return half;
}

NW_LANE int threelc_quantise_lane(float t, float half)
{
    return t > half ? 1 : t < -half ? -1 : 0;
}

/* What is not sent: t - M q. Exact, since t and M q are within a factor of two, or q = 0. */
NW_LANE float threelc_rest_lane(float t, int q, float scale)
{
    return q > 0 ? t - scale : q < 0 ? t + scale : t;
}

NW_LANE float threelc_store_lane(int q, float scale)
{
    return q > 0 ? scale : q < 0 ? -scale : 0.0f;
}

/* Adding -0 changes nothing. On devices whose additions return a NaN of their own, the old NaN is kept. */
NW_LANE float threelc_add_lane(float value, int q, float scale)
{
    uint32_t bits;

    if (value != value) {
        memcpy(&bits, &value, sizeof(bits));
        bits |= 0x00400000;
        memcpy(&value, &bits, sizeof(bits));
        return value;
    }
    return value + (q > 0 ? scale : q < 0 ? -scale : -0.0f);
}

/* Quartic bytes of n values. */
NW_LANE size_t threelc_bytes_lane(size_t n)
{
    return n / 5 + (n % 5 != 0);
}

/* 'part' 0..4 of byte i is value part * bytes + i; from n on it is padding. The weight of the part's digit in its
 * byte. */
NW_LANE unsigned threelc_weight_lane(int part)
{
    return part == 0 ? 81u : part == 1 ? 27u : part == 2 ? 9u : part == 3 ? 3u : 1u;
}

/* Digit 0..2 of a byte 0..242; q is one less. */
NW_LANE int threelc_digit_lane(uint8_t byte, int part)
{
    return (int)(byte / threelc_weight_lane(part) % 3);
}

#endif
