/* pipeline.h - in which order a stage works through its micro-batches.
 * GPipe        all forward, then all backward, the last first (arXiv 1811.06965).
 * 1F1B         as many forward as there are stages behind it, then one backward and one forward by turns (PipeDream-
 *              flush, arXiv 2006.09503).
 * Interleaved  each stage has 'chunks' parts of the network, so that part c of stage s is part c x stages + s of it;
 *              micro-batches go in rounds of as many as there are stages (arXiv 2104.04473, section 2.2). The number of
 *              micro-batches is a multiple of the stages.
 * Pure         the order depends on the arguments alone. */
#ifndef NARROWS_SIM_PARALLEL_PIPELINE_H
#define NARROWS_SIM_PARALLEL_PIPELINE_H

#include <stdbool.h>
#include <stdint.h>

enum pipeline_order { PIPELINE_GPIPE, PIPELINE_1F1B, PIPELINE_ORDERS };

struct pipeline {
    enum pipeline_order schedule;
    int64_t stages, chunks, micro_batches; /* chunks above 1: PIPELINE_1F1B only */
};

/* One pass of one micro-batch through one part. */
struct stage_turn {
    int64_t micro_batch, chunk;
    bool backward;
};

/* A stage has 2 x micro_batches x chunks turns; this is number i of them. */
struct stage_turn pipeline_turn(const struct pipeline *p, int64_t stage, int64_t i);
int64_t pipeline_turns(const struct pipeline *p);

/* The most forward turns of a stage whose backward turn has not begun: so many chunks' activations are alive. */
int64_t pipeline_alive(const struct pipeline *p, int64_t stage);

#endif
