/* qsgd_lane.h - the definition: the scale for a norm, and the code of one value. All arithmetic is fp32, each operation
 * rounded to nearest even. */
#ifndef NARROWS_KERNELS_QSGD_LANE_H
#define NARROWS_KERNELS_QSGD_LANE_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "kernels/drawn/drawn.h"
#include "kernels/shared/lane.h"

#define QSGD_FLT_MAX 3.4028234663852886e38f

/* ceil(log2(2 s + 1)): a code is level + s, 0 .. 2 s. */
NW_LANE int qsgd_bits(int levels)
{
    int bits = 2;

    while (2 * levels >> bits)
        bits++;
    return bits;
}

NW_LANE struct drawn_form qsgd_form(int levels)
{
    struct drawn_form f = { qsgd_bits(levels), qsgd_bits(levels), 2 * (uint32_t)levels };

    return f;
}

/* lift: a power of two that keeps 'factor' from overflowing, 1 but for the smallest tensors; factor: s / (norm lift);
 * step: norm / s, the next smaller number where s of it would overflow. */
NW_LANE struct drawn_scale qsgd_scale_of(float norm, int levels)
{
    struct drawn_scale s = { 1.0f, 0.0f, 0.0f, levels, qsgd_bits(levels) };
    uint32_t bits;

    if (norm > 0) {
        s.lift = norm < 7.8886090522101181e-31f /* 2^-100 */ ? 1.2676506002282294e30f : 1.0f;
        s.factor = (float)levels / (norm * s.lift);
        s.step = norm / (float)levels;
        memcpy(&bits, &s.step, sizeof(bits));
        bits -= (float)levels * s.step > QSGD_FLT_MAX;
        memcpy(&s.step, &bits, sizeof(bits));
    }
    return s;
}

/* Which norm a tensor has: the l2 norm where it is wanted and a finite fp32 number, else the largest finite magnitude
 * 'most' (the bits, as of magnitude.h). */
NW_LANE float qsgd_norm(double l2, uint32_t most, int largest)
{
    float norm;

    memcpy(&norm, &most, sizeof(norm));
    return !largest && l2 <= (double)QSGD_FLT_MAX ? (float)l2 : norm;
}

/* |x| / step, between 0 and s; 0 of a NaN. */
NW_LANE float qsgd_place(float value, struct drawn_scale s)
{
    float u = fabsf(value) * s.lift * s.factor;

    return u > 0 ? u < (float)s.levels ? u : (float)s.levels : 0.0f;
}

/* level + s. The share above the lower level decides with 31 bits. */
NW_LANE uint32_t qsgd_code(float value, uint32_t drawn, struct drawn_scale s)
{
    float u = qsgd_place(value, s), lower = floorf(u);
    int32_t threshold = (int32_t)((u - lower) * 2147483648.0f);
    int32_t level = (int32_t)lower + ((int32_t)(drawn >> 1) < threshold);
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return (uint32_t)(s.levels + (bits >> 31 ? -level : level));
}

NW_LANE float qsgd_value(uint32_t code, struct drawn_scale s)
{
    return (float)((int32_t)code - s.levels) * s.step;
}

/* Is it a step that qsgd_scale_of() gives, or a harmless one? */
NW_LANE int qsgd_step_is_valid(float step, int levels)
{
    uint32_t bits;

    memcpy(&bits, &step, sizeof(bits));
    return bits < 0x7f800000u && (float)levels * step <= QSGD_FLT_MAX;
}

#endif
