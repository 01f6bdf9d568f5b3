/* collective.h - what nccl-tests reports of a collective: the size that it counts, the bus bandwidth, and whether the
 * values are right.
 * Sizes      bytes of the larger of what a rank gives and what it gets; a multiple of 4 bytes for each rank.
 * Bus        algbw = size / time says how fast a user's buffer is done; busbw = algbw * factor is what the busiest link
 *            carries if the algorithm is the best one, and so comparable with the link's own bandwidth at any number of
 *            ranks: allreduce 2(n-1)/n; all-gather, reduce-scatter, all-to-all (n-1)/n; broadcast 1.
 * Values     small whole numbers, so that float sums are exact in any order. */
#ifndef NARROWS_HARNESS_NETWORK_COLLECTIVE_H
#define NARROWS_HARNESS_NETWORK_COLLECTIVE_H

#include "harness/network/trial.h"

/* 'bytes' rounded to what these ranks can share evenly: down, but to no less than one float each. */
int64_t collective_bytes(int64_t bytes, int ranks);

/* Floats that each rank gives (a count of nccl-tests), gives in all and gets in all. */
struct collective_counts {
    int64_t count, given, got;
};
struct collective_counts collective_counts(enum pattern p, int64_t bytes, int ranks);

double collective_bus_factor(enum pattern p, int ranks);

/* What 'rank' gives, and how many of the n = counts.got floats that it got are wrong. The broadcast is rank 0's. */
void collective_fill(enum pattern p, int64_t bytes, int rank, int ranks, float *given);
int64_t collective_wrong(enum pattern p, int64_t bytes, int rank, int ranks, const float *got);

#endif
