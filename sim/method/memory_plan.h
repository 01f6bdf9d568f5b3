/* memory_plan.h - the method "memory-plan": training on one GPU whose memory is planned (Split-CNN + HMMS, ASPLOS 2019), alone or
 * as replicas that sum their gradients during the backward pass at the cost of section 6.4's formula.
 * Readings   beside what method.h lists
 *   forward_ms backward_ms stall_ms stall_forward_ms stall_turn_ms stall_backward_ms slowed_ms
 *   batch                  samples of one GPU's step
 *   generated_bytes offloadable_bytes offloaded_bytes offloadable_pct (offloadable / generated) offloaded_pct
 *   live_bytes peak_bytes gap_pct (device general pool: bound, height, height above it)
 *   parameter_bytes device_bytes host_bytes fits (1 or 0) largest_batch (0: none; only if asked for)
 *   allreduce_ms (workers > 1) */
#ifndef NARROWS_SIM_METHOD_MEMORY_PLAN_H
#define NARROWS_SIM_METHOD_MEMORY_PLAN_H

#include <stddef.h>
#include <stdint.h>

#include "sim/memory/plan.h"
#include "sim/memory/plan_play.h"

struct memory_planned {
    struct memory_plan_options plan;
    struct play_options play;
    _Bool largest; /* report the largest batch that fits */
    _Bool fill;    /* play that batch instead of the job's */
    int64_t workers;
};

struct job;

int memory_planned_check(const struct job *j, char *why, size_t nwhy);
int memory_planned_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

#endif
