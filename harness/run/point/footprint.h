/* footprint.h - how much GPU memory a point needs, and how many GPUs it leaves idle: readings in addition to the
 * method's own.
 *   memory_bytes        of the fullest GPU: weights, gradients, the optimizer's momentum if it is there, codecs' state,
 *                       and the most bytes of activations and errors alive at once, in fp32, without workspaces of
 *                       convolutions. A lower estimate, except for memory-plan, which plans every byte
 *   memory_limit_bytes  platform.gpu.memory
 *   gpus idle_gpus      GPUs of the platform; those that compute nothing
 * Nothing is added for a point that computes on no GPU. Activations are those of the memory planner that keeps
 * everything.
 * Threads    any; the last plan is kept for the next point, which mostly needs the same. */
#ifndef NARROWS_HARNESS_RUN_POINT_FOOTPRINT_H
#define NARROWS_HARNESS_RUN_POINT_FOOTPRINT_H

#include "harness/scenario/scenario.h"
#include "sim/readings.h"

extern const char *const footprint_readings[]; /* their names; ends with NULL */

/* Harness status. Readings that cannot be computed are left out. */
int footprint_add(const struct scenario *sc, const struct model *m, struct readings *out);

/* The GPUs that the point computes on; 0: none. */
int64_t footprint_gpus(const struct scenario *sc);

/* Samples per step of the worker that has the most. */
int64_t footprint_samples(const struct scenario *sc);

/* How many workers share a step's batch; 1 if the method does not divide it. */
int64_t footprint_workers(const struct scenario *sc);

#endif
