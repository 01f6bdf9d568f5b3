/* select_lane.h - the definitions: where a sample is taken, and how a range of magnitudes is cut into bins. */
#ifndef NARROWS_KERNELS_SELECT_LANE_H
#define NARROWS_KERNELS_SELECT_LANE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/lane.h"

enum { SELECT_BINS = 2048, SELECT_SAMPLES = 32768 };

/* Number j of 'samples' of n values (samples <= n < 2^47): a position in the j-th of equal shares, chosen by a hash, so
 * that samples do not fall into step with periodic data. */
NW_LANE uint64_t select_sample_index(uint64_t j, uint64_t n, uint64_t samples)
{
    uint64_t from = j * n / samples, to = (j + 1) * n / samples, h = (j + 1) * 0x9e3779b97f4a7c15u;

    h = (h ^ h >> 29) * 0xbf58476d1ce4e5b9u;
    return from + (h ^ h >> 32) % (to - from);
}

/* Magnitudes lo .. hi in at most 'bins' bins of 2^shift each. */
NW_LANE int select_shift(uint32_t lo, uint32_t hi, uint32_t bins)
{
    int shift = 0;

    while ((hi - lo) >> shift >= bins)
        shift++;
    return shift;
}

#endif
