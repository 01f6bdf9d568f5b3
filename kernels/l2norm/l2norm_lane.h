/* l2norm_lane.h - the steps of the definition in l2norm.h that all implementations share. */
#ifndef NARROWS_KERNELS_L2NORM_LANE_H
#define NARROWS_KERNELS_L2NORM_LANE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/l2norm/l2norm.h"
#include "kernels/shared/lane.h"

/* Step 3. */
NW_LANE double l2norm_fold(double *lane)
{
    for (int half = L2NORM_LANES / 2; half; half /= 2)
        for (int j = 0; j < half; j++)
            lane[j] += lane[j + half];
    return lane[0];
}

/* Step 5, but for the root: every NaN becomes the one the definition names. */
NW_LANE double l2norm_canonical(double sum)
{
    uint64_t bits = 0x7ff8000000000000u;

    if (sum != sum)
        memcpy(&sum, &bits, sizeof(sum));
    return sum;
}

#endif
