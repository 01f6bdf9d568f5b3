/* magnitude_lane.h - the definition: what one value counts. */
#ifndef NARROWS_KERNELS_MAGNITUDE_LANE_H
#define NARROWS_KERNELS_MAGNITUDE_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

NW_LANE uint32_t magnitude_lane(uint32_t bits)
{
    bits &= 0x7fffffffu;
    return bits < 0x7f800000u ? bits : 0;
}

#endif
