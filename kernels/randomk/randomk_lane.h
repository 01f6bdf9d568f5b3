/* randomk_lane.h - the definition: how many values are sent, and which. */
#ifndef NARROWS_KERNELS_RANDOMK_LANE_H
#define NARROWS_KERNELS_RANDOMK_LANE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/drawn/drawn_lane.h"

/* Values that are sent. */
static inline size_t randomk_kept(double density, size_t n)
{
    size_t k = (size_t)((double)n * density + 0.5);

    if (k < 1)
        k = 1;
    return k < n ? k : n;
}

/* Runs of 'length' values, the first 'longer' of which have one more. */
struct randomk_runs {
    size_t length, longer;
};

static inline struct randomk_runs randomk_runs_of(size_t n, size_t kept)
{
    struct randomk_runs r = { kept ? n / kept : 0, kept ? n % kept : 0 };

    return r;
}

/* Values in run j: below 2^32, as the density is at least 1e-6. */
NW_LANE size_t randomk_length(struct randomk_runs r, size_t j)
{
    return r.length + (j < r.longer);
}

/* The place that a word draws in run j. */
NW_LANE size_t randomk_place(struct randomk_runs r, size_t j, uint32_t drawn)
{
    size_t start = j * r.length + (j < r.longer ? j : r.longer);

    return start + (size_t)((uint64_t)drawn * randomk_length(r, j) >> 32);
}

/* Where the number of steps stands in the state. */
NW_LANE size_t randomk_counter(size_t n, int feedback)
{
    return feedback ? 4 * (n + n % 2) : 0;
}

#endif
