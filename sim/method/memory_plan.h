/* memory_plan.h - the method "memory-plan": training on one GPU whose memory is planned (Split-CNN + HMMS, ASPLOS
 * 2019), alone or as replicas that sum their gradients during the backward pass at the cost of section 6.4's formula.
 * The formula has one link per replica and only its bandwidth, so platforms with more (latency, message costs, shared
 * links, half duplex) are refused.
 * Batch      the job's samples are those of all workers; each plans for the larger share.
 * Readings   besides what method.h lists
 *   forward_ms backward_ms stall_ms stall_forward_ms stall_turn_ms stall_backward_ms slowed_ms
 *   batch                  samples of one GPU's step
 *   generated_bytes offloadable_bytes offloaded_bytes offloadable_pct (of the generated, at most 100) offloaded_pct
 *   live_bytes peak_bytes gap_pct (device general pool: bound, height, height above it) parameter_bytes device_bytes
 *   host_bytes fits (1 or 0) largest_batch (of one GPU, 0: none, at most 2^24; only if asked for) allreduce_ms (workers
 *   > 1; the part that the backward pass does not hide is attributed to the network's link) */
#ifndef NARROWS_SIM_METHOD_MEMORY_PLAN_H
#define NARROWS_SIM_METHOD_MEMORY_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/plan/plan.h"
#include "sim/plan/play.h"

struct memory_planned {
    struct memory_plan_options plan;
    struct play_options play;
    bool largest; /* report the largest batch that fits, up to MEMORY_PLAN_LARGEST */
    bool fill;    /* play that batch instead of the job's */
    bool strict;  /* refuse a batch that does not fit, instead of reporting fits = 0 */
    bool detail;  /* the database keeps the plan operation by operation, and the timeline */
    int64_t workers;
};

struct job;

int memory_planned_check(const struct job *j, char *why, size_t nwhy);
int memory_planned_play(const struct job *j, struct readings *out, struct timeline *timeline, char *why, size_t nwhy);

/* All checks that need no plan. (Whether the batch fits, if the method requires it, needs one.) */
int memory_planned_check_keys(const struct job *j, char *why, size_t nwhy);

/* The plan that is played; with 'fill', the plan of the largest batch. memory_plan_free() releases it. *largest (NULL:
 * not wanted) is the largest batch if the method asks for it, else -1. Errors as method.h has them; the job must have
 * been checked. */
int memory_planned_make(const struct job *j, struct memory_plan *out, int64_t *largest, char *why, size_t nwhy);

#endif
