/* plan_lay.h - private to playing a plan: its operations and copies as tasks of an engine.
 * Turns      turn[i] is the instant at which operation i comes next: the one before has ended, and what was to be over
 *            after it is. Copies to the device that belong to i begin then, before i itself waits for any: it may be their
 *            own. ready[i] is the instant at which i has all it waits for; copies to the host begin with it. */
#ifndef NARROWS_SIM_MEMORY_PLAN_LAY_H
#define NARROWS_SIM_MEMORY_PLAN_LAY_H

#include "sim/engine/engine.h"
#include "sim/plan/play.h"

enum play_label { PLAY_COMPUTE, PLAY_STREAM, PLAY_TO_HOST, PLAY_TO_DEVICE, PLAY_PIN, PLAY_LABELS };

struct play {
    const struct memory_plan *plan;
    const struct platform *platform;
    const struct play_options *options;
    struct engine *e;
    int gpu, host;            /* resources: the compute stream; what pins homes, -1: a pool was made once */
    int stream;               /* route of what streams over the device's memory; -1: nothing is shared */
    double memory_Bps;        /* its rate */
    int copies[2], ways[2];   /* to the host, to the device: resource and route */
    int64_t latency_ps;       /* of a copy */
    int *turn, *ready;        /* [noperations + 1] */
    int *operation;           /* [noperations] */
    int *to_host, *to_device; /* [transfers.n] */
};

/* E_INVAL if something is to move over a link that there is not; what the engine refuses, engine_run() answers. */
int play_lay(struct play *p);
void play_free(struct play *p);

#endif
