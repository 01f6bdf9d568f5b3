/* colour.h - private to the fold: colours of ranks, channels and flows, refined until alike things stay alike. */
#ifndef NARROWS_SIM_PARALLEL_COLOUR_H
#define NARROWS_SIM_PARALLEL_COLOUR_H

#include <stdint.h>

#include "sim/parallel/ways.h"

struct colours {
    const struct wiring *wiring;
    const struct way *ways; /* of each flow */
    const uint32_t *hops;
    size_t nranks, nchannels;
    uint64_t *rank, *channel, *flow;
    uint64_t *next_rank, *next_channel; /* of the next round */
    uint64_t *sorted;                   /* scratch, as long as ranks and channels */
};

uint64_t colour_mix(uint64_t a, uint64_t b);

/* rank[] and channel[] hold the first colours. Refines them, and gives every flow its colour. */
void colours_refine(struct colours *c);

#endif
