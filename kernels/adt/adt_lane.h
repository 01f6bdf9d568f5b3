/* adt_lane.h - the definition: packing and unpacking of one weight. */
#ifndef NARROWS_KERNELS_ADT_LANE_H
#define NARROWS_KERNELS_ADT_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

NW_LANE void adt_pack_lane(uint8_t *dst, uint32_t word, int bytes_per_weight)
{
    for (int j = 0; j < bytes_per_weight; j++)
        dst[j] = (uint8_t)(word >> (8 * (4 - bytes_per_weight + j)));
}

NW_LANE uint32_t adt_unpack_lane(const uint8_t *src, int bytes_per_weight)
{
    uint32_t word = 0;

    for (int j = 0; j < bytes_per_weight; j++)
        word |= (uint32_t)src[j] << (8 * (4 - bytes_per_weight + j));
    return word;
}

#endif
