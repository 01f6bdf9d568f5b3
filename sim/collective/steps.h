/* steps.h - an allreduce as the sequence of transfers on its longest path: the closed form adds them up, and a rank
 * that stands for all others plays them. */
#ifndef NARROWS_SIM_COLLECTIVE_STEPS_H
#define NARROWS_SIM_COLLECTIVE_STEPS_H

#include "sim/collective/collective.h"

enum step_hop {
    STEP_NEXT,   /* to the next rank, on the same machine or the next: the slower of the hops */
    STEP_WITHIN, /* to the next rank of the same machine */
    STEP_ACROSS, /* to the rank at the same position on another machine; with one machine, to another rank */
};

enum { STEPS_MAX = 128 }; /* halving-doubling: two for each of 62 halvings, fold and unfold */

struct steps {
    struct step {
        int64_t count, bytes;
        enum step_hop hop;
    } list[STEPS_MAX];
    size_t n;
};

/* The steps of an allreduce, none for one rank or 0 bytes. A shape that collective.h refuses: E_INVAL. */
int steps_of(enum collective_algorithm a, const struct collective_shape *shape, int64_t bytes, struct steps *out);
int steps_of_allgather(const struct collective_shape *shape, int64_t bytes_of_each_rank, struct steps *out);
int steps_of_alltoall(const struct collective_shape *shape, int64_t bytes_of_each_part, struct steps *out);

/* What each rank sends for the lower bound: 2 (n - 1) / n of the bytes, rounded up. */
int64_t bound_bytes(int64_t ranks, int64_t bytes);

/* The hop of algorithms whose steps all cross the same kind of hop: between machines if there are two. */
const struct hop *shape_hop(const struct collective_shape *s);

#endif
