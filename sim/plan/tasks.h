/* tasks.h - private to playing a plan: its operations and copies as tasks of an engine.
 * Turns      turn[i] is the instant at which operation i is the next: the operation before it has ended, and so have
 *            the copies that must end after that one. Copies to the device with back = i begin then, before i itself
 *            waits for any, since i may need them. ready[i] is the instant at which i has all it waits for; copies to
 *            the host begin with it. */
#ifndef NARROWS_SIM_PLAN_TASKS_H
#define NARROWS_SIM_PLAN_TASKS_H

#include "sim/engine/engine.h"
#include "sim/plan/play.h"

enum play_label { PLAY_COMPUTE, PLAY_STREAM, PLAY_TO_HOST, PLAY_TO_DEVICE, PLAY_PIN, PLAY_LABELS };

struct play {
    const struct memory_plan *plan;
    const struct platform *platform;
    const struct play_options *options;
    struct engine *e;
    int gpu, host;            /* resources: the compute stream; the host that pins homes, -1: they come from a pool */
    int stream;               /* route of streaming operations over the device's memory; -1: nothing is shared */
    double memory_Bps;        /* its rate */
    int copies[2], ways[2];   /* to the host, to the device: resource and route */
    int64_t latency_ps;       /* of a copy */
    int *turn, *ready;        /* [noperations + 1] */
    int *operation;           /* [noperations] */
    int *to_host, *to_device; /* [transfers.n] */
};

/* Adds all tasks. E_INVAL if something has to move over a link that does not exist; engine_run() returns the engine's
 * errors. */
int play_add(struct play *p);
void play_free(struct play *p);

#endif
