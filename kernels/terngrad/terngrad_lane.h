/* terngrad_lane.h - the definition: the one magnitude that a tensor has when it arrives. The codes are those of
 * qsgd_lane.h with one level, which cuts what is larger. */
#ifndef NARROWS_KERNELS_TERNGRAD_LANE_H
#define NARROWS_KERNELS_TERNGRAD_LANE_H

#include <math.h>
#include <string.h>

#include "kernels/shared/lane.h"

/* Of n values with this l2 norm; most: the largest finite magnitude (the bits, as of magnitude.h). A cut that is no
 * number, or that fp32 rounds to 0, is none. */
NW_LANE float terngrad_magnitude(double l2, uint32_t most, size_t n, double clip)
{
    float cut = (float)(clip * l2 / sqrt((double)n)), largest;

    memcpy(&largest, &most, sizeof(largest));
    return cut > 0 && cut < largest ? cut : largest;
}

#endif
