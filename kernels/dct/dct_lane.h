/* dct_lane.h - the definitions: how many values are kept at a share dropped, how a threshold of zero is handled, and
 * which values a drain loses. */
#ifndef NARROWS_KERNELS_DCT_LANE_H
#define NARROWS_KERNELS_DCT_LANE_H

#include "kernels/sparse/sparse_lane.h"
#include "kernels/threefry/threefry_lane.h"

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
    uint64_t left;  /* steps for which the threshold still serves; 0: find a new one */
    uint64_t steps; /* taken so far, if the buffer is drained; else 0 */
};
enum { DCT_STATE = 64 };

/* Four words decide over so many values, a bit each: half of them are lost. */
enum { DCT_DRAIN_VALUES = 128 };

/* Does step number 'steps' begin with a drain? Before the first there is nothing to drain. */
NW_LANE int dct_drains(uint64_t steps, uint64_t drain)
{
    return drain && steps && steps % drain == 0;
}

NW_LANE struct threefry_key dct_drain_key(uint64_t seed, uint64_t step)
{
    return threefry_key_of((uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)step, (uint32_t)(step >> 32));
}

/* The bits of the values from 128 'block' on: value 32 w + b is lost if bit b of word w is set. */
NW_LANE void dct_drain_words(uint32_t word[4], const struct threefry_key *k, uint64_t block)
{
    word[0] = (uint32_t)block;
    word[1] = (uint32_t)(block >> 32);
    word[2] = word[3] = 0;
    threefry(word, k, THREEFRY_ROUNDS);
}

#endif
