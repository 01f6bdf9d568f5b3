/* footprint.h - what a point asks of the memory of its GPUs, and how many of them it leaves idle: readings besides
 * the method's own.
 *   memory_bytes        of the fullest GPU: weights, their gradients, the optimizer's momentum where it lies there,
 *   what the
 *                       codecs keep, and the most bytes of activations and errors alive at once, in fp32, without
 *                       workspaces of convolutions. An estimate from below, but of memory-plan, which plans every
 *                       byte
 *   memory_limit_bytes  platform.gpu.memory
 *   gpus idle_gpus      of the platform; those of them that compute nothing
 * Nothing is added of a point that computes on no GPU. Activations are those of the memory planner that keeps
 * everything.
 * Threads    any; what was planned last is kept for the next point, which mostly is the same. */
#ifndef NARROWS_HARNESS_RUN_POINT_FOOTPRINT_H
#define NARROWS_HARNESS_RUN_POINT_FOOTPRINT_H

#include "harness/scenario/scenario.h"
#include "sim/readings.h"

extern const char *const footprint_readings[]; /* their names; ends with NULL */

/* Harness status. What cannot be counted is left out. */
int footprint_add(const struct scenario *sc, const struct model *m, struct readings *out);

/* The GPUs that the point computes on; 0: none. */
int64_t footprint_gpus(const struct scenario *sc);

/* Samples of the step that the worker with most of them computes. */
int64_t footprint_samples(const struct scenario *sc);

/* How many share a step's batch; 1 where nobody does. */
int64_t footprint_workers(const struct scenario *sc);

#endif
