/* decoders.h - decoders whose parameters are published, for the tests of what a rank has of them. */
#ifndef NARROWS_TESTS_SIM_PARALLEL_DECODERS_H
#define NARROWS_TESTS_SIM_PARALLEL_DECODERS_H

#include "sim/parallel/decoder.h"

struct published {
    const char *name;
    int64_t parameters;
    struct gpt_spec g; /* as a model has it: defaults filled in */
};

enum { PUBLISHED = 6, PUBLISHED_DENSE = 3 }; /* dense ones first */

extern const struct published published[PUBLISHED];

/* On one GPU, micro-batches of one sample, FlashAttention, in BF16. */
struct decoder decoder_of(const struct gpt_spec *g);

/* A pass of the whole model on one rank: all layers and the head. Whoever calls frees both. */
void passes_of(struct decoder *d, struct gpu_works *forward, struct gpu_works *backward);

#endif
