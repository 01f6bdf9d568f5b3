/* dct_lane.h - the definitions: how many values are kept at a share dropped, and how a threshold of zero is handled. */
#ifndef NARROWS_KERNELS_DCT_LANE_H
#define NARROWS_KERNELS_DCT_LANE_H

#include "kernels/sparse/sparse_lane.h"

/* Algorithm 1, line 5: the threshold is the floor(n * dropped)-th of the ascending magnitudes, and it is kept itself.
 * If the index is 0, nothing is dropped. */
NW_LANE uint64_t dct_kept(uint64_t n, double dropped)
{
    uint64_t below = (uint64_t)((double)n * dropped);

    return below ? n - below + 1 : n;
}

/* Zeros are not sent. */
NW_LANE struct sparse_keep dct_no_zeros(struct sparse_keep keep)
{
    struct sparse_keep least = { UINT64_MAX, 1 };

    return keep.threshold ? keep : least;
}

/* The start of a tensor's state; the unsent changes follow after 64 bytes. */
struct dct_state {
    uint32_t threshold, zero;
    uint64_t left; /* steps for which the threshold still serves; 0: find a new one */
};
enum { DCT_STATE = 64 };

#endif
