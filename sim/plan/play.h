/* play.h - plays a memory plan in the engine: one compute stream, copies to and from the host, memory that all share.
 * Compute    operations run one after another. With 'contention' a streaming operation is a flow over the device's
 *            memory, which it shares with copies; otherwise, and if it is compute-bound, it takes its planned time.
 * Copies     each direction of the GPU's link makes copies in FIFO order, 'streams' of them at once, which share it;
 *            cpu.dma_read and cpu.dma_write limit them where they are lower. Copies to the host begin when operation
 *            'start' does. Copies back begin when operation 'back' is the next one, before it waits for any copy: it
 *            may need them.
 * Waits      the operation after 'free_after' waits for its copies to the host, operation 'need' for its copy back. The
 *            time that compute waits is a stall: of forward, of the turn (before the first backward operation), or of
 *            backward.
 * Pinning    unless homes (host buffers) come from a pool, pinning each takes 'pin_s' on the host before its copy
 *            starts. Compute waits for it, since such calls block kernel launches.
 * Kinds      the step's time is attributed to "gpu" (compute-bound operations), "memory" (streaming ones), "to-host",
 *            "to-device", "host" (pinning) and "wait"; tracks of the timeline are "gpu", "to-host", "to-device",
 *            "host". */
#ifndef NARROWS_SIM_PLAN_PLAY_H
#define NARROWS_SIM_PLAN_PLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/timeline.h"
#include "sim/plan/plan.h"
#include "sim/readings.h"

struct play_options {
    bool contention;
    int64_t streams;
    double pin_s; /* 0: homes come from a pool that is pinned once */
};

struct plan_played {
    int64_t step_ps, forward_ps, backward_ps; /* forward ends when its last operation has; backward begins there */
    int64_t stall_forward_ps, stall_turn_ps, stall_backward_ps;
    int64_t slowed_ps;                    /* what contention added to operations */
    int64_t host_busy_ps, device_busy_ps; /* time during which a copy to the host, to the device, ran */
};

/* 'on_critical' (NULL: not wanted) is called once for each kind, as by engine_critical(); the sum is the step. E_INVAL
 * if something has to move over a link that the platform lacks, E_CYCLE if the plan's waits form a cycle. */
int plan_play(const struct memory_plan *plan, const struct platform *p, const struct play_options *options,
              struct plan_played *out, struct timeline *timeline,
              void (*on_critical)(void *context, const char *kind, int64_t ps), void *context);

#endif
