/* int8_lane.h - the definition: the scale for a largest magnitude, and the quantization of one value, to 127 levels
 * above 0 or to fewer ("blockwise" has 7, too). All arithmetic is fp32, each operation rounded to nearest even. */
#ifndef NARROWS_KERNELS_INT8_LANE_H
#define NARROWS_KERNELS_INT8_LANE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/shared/lane.h"

struct int8_scale {
    float lift;   /* a power of two that keeps 'factor' from overflowing: 1 but for the smallest tensors */
    float factor; /* levels / (M lift) */
    /* M / levels; the next smaller number where 'levels' of it would overflow, as 127 of the largest fp32 M's. */
    float step;
    float levels; /* above 0: 127 of a byte */
};

#define INT8_LEVELS 127.0f

#define INT8_FLT_MAX 3.4028234663852886e38f

/* 'most': the bits of M, as of magnitude.h. */
NW_LANE struct int8_scale int8_scale_of(uint32_t most, float levels)
{
    struct int8_scale s = { 1.0f, 0.0f, 0.0f, levels };
    uint32_t bits;
    float m;

    memcpy(&m, &most, sizeof(m));
    if (most) {
        s.lift = m < 7.8886090522101181e-31f /* 2^-100 */ ? 1.2676506002282294e30f : 1.0f;
        s.factor = levels / (m * s.lift);
        s.step = m / levels;
        memcpy(&bits, &s.step, sizeof(bits));
        bits -= levels * s.step > INT8_FLT_MAX;
        memcpy(&s.step, &bits, sizeof(bits));
    }
    return s;
}

NW_LANE int8_t int8_narrow_lane(float value, struct int8_scale s)
{
    float steps = value * s.lift * s.factor;

    if (steps != steps) /* of a NaN; and of an infinity among zeros, where M is 0 */
        return 0;
    return (int8_t)rintf(steps > s.levels ? s.levels : steps < -s.levels ? -s.levels : steps);
}

NW_LANE float int8_widen_lane(int8_t q, float step)
{
    return (float)q * step;
}

/* Is it a step that int8_scale_of() gives, or a harmless one? */
NW_LANE int int8_step_is_valid(float step, float levels)
{
    uint32_t bits;

    memcpy(&bits, &step, sizeof(bits));
    return bits < 0x7f800000u && levels * step <= INT8_FLT_MAX;
}

#endif
