/* footprint.h - how much GPU memory a point needs, and how many GPUs it leaves idle: readings in addition to the
 * method's own.
 *   memory_bytes        of the fullest GPU, in fp32, at the moment when it is most: the sum of
 *   memory.NAME         weights, gradients, states (the optimizer's momentum, where it is kept there), statistics (of
 *                       norms), activations (with errors), codec (what codecs keep between steps), workspace. A class
 *                       of which there is nothing is left out, all of them for memory-plan, whose plan is more exact
 *   memory_limit_bytes  platform.gpu.memory
 *   gpus idle_gpus      GPUs of the platform; those that compute nothing
 * Nothing is added for a point that computes on no GPU. Of a whole replica it is what a memory plan that keeps
 * everything needs (alive.h), if that is placed without a gap; of a pipeline's stage a lower estimate. The method
 * sharded counts by itself.
 * Threads    any. */
#ifndef NARROWS_HARNESS_RUN_POINT_FOOTPRINT_H
#define NARROWS_HARNESS_RUN_POINT_FOOTPRINT_H

#include <stdbool.h>

#include "harness/scenario/scenario.h"
#include "sim/readings.h"

enum footprint_class {
    FOOTPRINT_WEIGHTS,
    FOOTPRINT_GRADIENTS,
    FOOTPRINT_STATES,
    FOOTPRINT_STATISTICS,
    FOOTPRINT_ACTIVATIONS,
    FOOTPRINT_CODEC,
    FOOTPRINT_WORKSPACE,
    FOOTPRINT_CLASSES,
};

const char *footprint_class_name(enum footprint_class c);

struct footprint {
    double bytes[FOOTPRINT_CLASSES]; /* NaN: too many to count */
    double total;
    int32_t layer; /* whose operation runs when it is most; below 0: none in particular */
    bool backward;
};

extern const char *const footprint_readings[]; /* their names, those ending in '.' are prefixes; ends with NULL */

/* Does this method count here what its GPUs hold? memory-plan and sharded have their own. */
bool footprint_counts(const struct scenario *sc);

/* What codecs keep is known from a play only, and 0 here. Harness status. */
int footprint_of(const struct scenario *sc, const struct model *m, struct footprint *out);

/* Harness status. Readings that cannot be computed are left out. */
int footprint_add(const struct scenario *sc, const struct model *m, struct readings *out);

/* The GPUs that the point computes on; 0: none. */
int64_t footprint_gpus(const struct scenario *sc);

/* Samples per step of the worker that has the most. */
int64_t footprint_samples(const struct scenario *sc);

/* How many workers share a step's batch; 1 if the method does not divide it. */
int64_t footprint_workers(const struct scenario *sc);

#endif
