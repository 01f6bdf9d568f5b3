/* sparsify_lane.h - the definitions: how large a sample is, and which of its values is the threshold. */
#ifndef NARROWS_KERNELS_SPARSIFY_LANE_H
#define NARROWS_KERNELS_SPARSIFY_LANE_H

#include "kernels/select/select_lane.h"
#include "kernels/sparse/sparse_lane.h"

enum { SPARSIFY_FEWEST = 4096, SPARSIFY_MOST = 32768 };

/* All of a small tensor, one value in 1024 of a large one. */
NW_LANE uint64_t sparsify_samples(uint64_t n)
{
    uint64_t some = n / 1024;

    if (n <= SPARSIFY_FEWEST)
        return n;
    if (some <= SPARSIFY_FEWEST)
        return SPARSIFY_FEWEST;
    return some < SPARSIFY_MOST ? some : (uint64_t)SPARSIFY_MOST;
}

/* How many of the sample's largest values are kept: the density, rounded to whole values, at least one. */
NW_LANE uint64_t sparsify_rank(uint64_t samples, double density)
{
    uint64_t rank = (uint64_t)((double)samples * density + 0.5);

    return rank ? rank : 1;
}

/* Number j of the sample. */
NW_LANE uint32_t sparsify_sample(const float *error, const float *change, uint64_t j, uint64_t n, uint64_t samples)
{
    uint64_t i = select_sample_index(j, n, samples);

    return sparse_magnitude(sparse_sum(error[i], change[i]));
}

#endif
