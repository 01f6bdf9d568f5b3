/* zre_lane.h - the definition: what one byte stands for. */
#ifndef NARROWS_KERNELS_ZRE_LANE_H
#define NARROWS_KERNELS_ZRE_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

/* Five zeros; the longest piece of a run; the byte for two of them. */
enum { ZRE_ZERO = 121, ZRE_LONGEST = 14, ZRE_TWO = 243 };

/* The byte for 'length' (1..14) times 121. */
NW_LANE uint8_t zre_symbol_lane(unsigned length)
{
    return (uint8_t)(length == 1 ? (unsigned)ZRE_ZERO : ZRE_TWO - 2 + length);
}

/* How many bytes a byte stands for; those of a run are 121. */
NW_LANE unsigned zre_length_lane(uint8_t byte)
{
    return byte < ZRE_TWO ? 1u : (unsigned)byte - (ZRE_TWO - 2);
}

/* What it stands for. */
NW_LANE uint8_t zre_byte_lane(uint8_t byte)
{
    return (uint8_t)(byte < ZRE_TWO ? byte : (uint8_t)ZRE_ZERO);
}

#endif
