/* host_sgd_step.h - private to host_sgd: one step as tasks. */
#ifndef NARROWS_SIM_METHOD_HOST_SGD_STEP_H
#define NARROWS_SIM_METHOD_HOST_SGD_STEP_H

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
    /* The task after which the samples of the last repetition are in use: the next ones wait for it, so that at most
       one batch is fetched ahead. */
    int fed;
    int64_t bytes_in, bytes_out; /* of the last repetition */
};

/* The state of the builder of a step. */
struct step {
    const struct platform *p;
    const struct model *m;
    const struct host_sgd *method;
    const struct link_spec *link;
    struct engine *e;
    struct gpu gpus[MAX_GPUS];
    int ngpus, cpu;
    int round;        /* the repetition being added: labels are row + SGD_ROWS * round */
    int barrier;      /* serial: every task of the present phase comes after it */
    int64_t until_ps; /* played: the end of the repetition that is read out */
    int phase_end;    /* serial: every task of the present phase comes before it */
    struct sgd_result *out;
};

/* Adds the machine to s->e. */
void step_machine(struct step *s, int64_t batch);

/* Adds one more repetition of the step; a layer's weights are packed and sent again as soon as they are updated.
 * per_layer[] (one int per layer, all -1 before the first repetition) and per_copy[] (one per layer and GPU) are
 * scratch. The bytes of this repetition go to s->out. Returns the task that ends it. */
int step_build(struct step *s, int per_layer[], int per_copy[]);

#endif
