/* adt_lane.h - the definition: what becomes of one weight. */
#ifndef NARROWS_KERNELS_ADT_LANE_H
#define NARROWS_KERNELS_ADT_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

NW_LANE void adt_pack_lane(uint8_t *dst, uint32_t word, int keep)
{
    for (int j = 0; j < keep; j++)
        dst[j] = (uint8_t)(word >> (8 * (4 - keep + j)));
}

NW_LANE uint32_t adt_unpack_lane(const uint8_t *src, int keep)
{
    uint32_t word = 0;

    for (int j = 0; j < keep; j++)
        word |= (uint32_t)src[j] << (8 * (4 - keep + j));
    return word;
}

#endif
