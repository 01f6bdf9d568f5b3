/* plan_play.h - a memory plan played in the engine: one compute stream, copies to and from the host, memory that all share.
 * Compute    operations one after another. A streaming operation is a flow over the device's memory, so that it shares that with
 *            copies ('contention'; else it takes its time); a compute-bound one takes its time.
 * Copies     each direction of the GPU's link carries one copy after another (first come, first served; 'streams' of them may be
 *            under way at once and share it); cpu.dma_read and dma_write hold them back where they are less. To the host they begin as
 *            operation 'start' does; back as soon as it is operation 'back's turn, before that waits for any itself: it may be
 *            the one that needs them.
 * Waits      the operation after 'free_after' waits for its copies, operation 'need' for its own. What compute waits is a stall: of forward,
 *            of the turn-around (before the first backward operation), of backward.
 * Pinning    each home costs 'pin_s' of the host before its copy starts, when it is not from a pool: compute waits for it, since
 *            such calls stand in the way of launches.
 * Kinds      of what the step's time is laid to: "gpu" (compute-bound operations), "memory" (streaming ones), "to-host", "to-device",
 *            "host" (pinning), "wait"; of the timeline's tracks "gpu", "to-host", "to-device", "host". */
#ifndef NARROWS_SIM_MEMORY_PLAN_PLAY_H
#define NARROWS_SIM_MEMORY_PLAN_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/timeline.h"
#include "sim/plan/plan.h"
#include "sim/readings.h"

struct play_options {
    bool contention;
    int64_t streams;
    double pin_s; /* 0: homes come from a pool made once */
};

struct plan_played {
    int64_t step_ps, forward_ps, backward_ps; /* forward ends when its last operation has; backward begins there */
    int64_t stall_forward_ps, stall_turn_ps, stall_backward_ps;
    int64_t slowed_ps;                    /* what contention added to operations */
    int64_t host_busy_ps, device_busy_ps; /* time with a copy to the host, to the device, under way */
};

/* 'on_critical' (NULL: not wanted) is called once for each kind, as engine_critical() does; the sum is the step. E_INVAL if something
 * is to move over a link that the platform lacks, E_CYCLE if the plan's waits go round in a circle. */
int plan_play(const struct memory_plan *plan, const struct platform *p, const struct play_options *options,
              struct plan_played *out, struct timeline *timeline,
              void (*on_critical)(void *context, const char *kind, int64_t ps), void *context);

#endif
