/* host_sgd_step.h - private to host_sgd: one step laid out as tasks. */
#ifndef NARROWS_SIM_HOST_SGD_STEP_H
#define NARROWS_SIM_HOST_SGD_STEP_H

#include "sim/engine/engine.h"
#include "sim/method/host_sgd.h"

enum { MAX_GPUS = 1024 };

/* A GPU: a stream that computes, a copy engine for each direction, and the routes its copies take. */
struct gpu {
    int stream, copy_in, copy_out;
    int channel_in, channel_out; /* of its link */
    int wire;                    /* of a half-duplex link, else -1 */
    int route_in, route_out;
    int64_t samples;
    int last; /* the task its stream did last: a stream runs in order */
    int fed;  /* the task after which the samples of the last laid repetition are in use: the next ones
                                   wait for it, so one batch at most is fetched ahead */
    int64_t bytes_in, bytes_out; /* of the last laid repetition */
};

/* What the builder knows while it lays out a step. */
struct step {
    const struct platform *p;
    const struct model *m;
    const struct host_sgd *method;
    const struct link_spec *link;
    struct engine *e;
    struct gpu gpus[MAX_GPUS];
    int ngpus, cpu;
    int round;        /* which repetition is being laid out: labels are row + SGD_ROWS * round */
    int barrier;      /* serial: every task of the present phase comes after it */
    int64_t until_ps; /* played: the end of the repetition that is read out */
    int phase_end;    /* serial: every task of the present phase comes before it */
    struct sgd_result *out;
};

/* Lay out the machine in s->e. */
void step_machine(struct step *s, int64_t batch);

/* Lay out one more repetition of the step; a layer's weights are packed and sent again as soon as they are updated.
 * per_layer[] (one int per layer, all -1 before the first repetition) and per_copy[] (one per layer and GPU) are scratch.
 * The bytes of this repetition go to s->out. Returns the task that ends it. */
int step_build(struct step *s, int per_layer[], int per_copy[]);

#endif
