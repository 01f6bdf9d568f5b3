/* dot_lane.h - the product of two vectors in fp32: eight partial sums, value i in sum i % 8, added up in a fixed order.
 * Every compiler gives the same bits, on the CPU and on a GPU. */
#ifndef NARROWS_TRAIN_OPS_DOT_LANE_H
#define NARROWS_TRAIN_OPS_DOT_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

enum { DOT_LANES = 8 };

NW_LANE float dot_lane(const float *x, const float *y, int64_t n)
{
    float sum[DOT_LANES] = { 0 };
    int64_t i = 0;

    for (; i + DOT_LANES <= n; i += DOT_LANES)
        for (int j = 0; j < DOT_LANES; j++)
            sum[j] += x[i + j] * y[i + j];
    for (int j = 0; i < n; i++, j++)
        sum[j] += x[i] * y[i];
    return ((sum[0] + sum[4]) + (sum[1] + sum[5])) + ((sum[2] + sum[6]) + (sum[3] + sum[7]));
}

#endif
