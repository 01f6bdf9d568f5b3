/* alive.h - what a GPU must hold between and during the operations of a step, besides parameters: activations and
 * errors, the workspace of what runs, and the statistics of norms, by the plan of the memory planner that keeps
 * everything, with that planner's defaults (sim/plan/plan.h).
 * A whole network: all that is alive at the step where it is most. Of a pipeline's stage: what stands between its
 * forward and its backward pass, of all micro-batches of a step, and the largest workspace of one of them: a lower
 * estimate, without what lives for a moment and without statistics.
 * Units      bytes, fp32.
 * Threads    any; plans are kept for the next points, which mostly need the same. */
#ifndef NARROWS_HARNESS_RUN_POINT_ALIVE_H
#define NARROWS_HARNESS_RUN_POINT_ALIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

/* Layers first .. end - 1, of 'samples', of which 'at_once' run together. */
struct part {
    const struct model *m;
    size_t first, end;
    int64_t samples, at_once;
};

struct alive {
    double activations; /* with errors; NaN: too many bytes to count */
    double workspace, statistics;
    int32_t layer; /* whose operation runs at that moment; below 0: none in particular */
    bool backward;
};

/* Harness status: NW_ENOMEM. */
int alive_of(const struct part *p, struct alive *out);

#endif
