/* sum_lane.h - the definition of adding two fp32 values. Processors differ in the NaN that they pass on; here every sum
 * that is a NaN is the one NaN 0x7fc00000. */
#ifndef NARROWS_KERNELS_SHARED_SUM_LANE_H
#define NARROWS_KERNELS_SHARED_SUM_LANE_H

#include <stdint.h>
#include <string.h>

#include "kernels/shared/lane.h"

#define SUM_NAN 0x7fc00000u

NW_LANE float sum_lane(float a, float b)
{
    float sum = a + b;
    uint32_t nan = SUM_NAN;

    if (sum != sum)
        memcpy(&sum, &nan, sizeof(sum));
    return sum;
}

#endif
