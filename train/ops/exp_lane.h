/* exp_lane.h - e^x in fp32 for x up to 0, with multiplications and additions only: it vectorizes, and every compiler
 * gives the same bits, on the CPU and on a GPU. The relative error is at most 2^-23.5; 0 below -87, where floats lose
 * their precision; NaN for a NaN. The polynomial is that of Cephes (Moshier, netlib.org/cephes, expf). */
#ifndef NARROWS_TRAIN_OPS_EXP_LANE_H
#define NARROWS_TRAIN_OPS_EXP_LANE_H

#include <stdint.h>
#include <string.h>

#include "kernels/shared/lane.h"

/* e^x = 2^n e^r: adding 1.5 2^23 to a float leaves no bits for a fraction, so that its last bits are n. */
NW_LANE float exp_lane(float x)
{
    float at = x < -87.0f ? -87.0f : x;
    float shifted = at * 1.44269504088896341f + 12582912.0f, n = shifted - 12582912.0f;
    float r = (at - n * 0.693359375f) - n * -2.12194440e-4f;
    float p = 1.9875691500e-4f;
    float scale;
    uint32_t bits;

    p = p * r + 1.3981999507e-3f;
    p = p * r + 8.3334519073e-3f;
    p = p * r + 4.1665795894e-2f;
    p = p * r + 1.6666665459e-1f;
    p = p * r + 5.0000001201e-1f;
    p = p * (r * r) + r + 1.0f;
    memcpy(&bits, &shifted, sizeof(bits));
    bits = (bits + 127) << 23;
    memcpy(&scale, &bits, sizeof(scale));
    return x < -87.0f ? 0.0f : p * scale;
}

#endif
