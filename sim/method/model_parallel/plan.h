/* plan.h - private to model_parallel: what is sent, what it costs, and where everything runs.
 * Messages   one for each layer pushed or pulled (with all its tensors), one for each cut, direction and micro-batch,
 *            one for each stage's further traffic. Each tensor is coded separately. */
#ifndef NARROWS_SIM_METHOD_MODEL_PARALLEL_PLAN_H
#define NARROWS_SIM_METHOD_MODEL_PARALLEL_PLAN_H

#include <stdbool.h>

#include "sim/engine/engine.h"
#include "sim/method/method.h"
#include "sim/method/model_parallel/stages.h"
#include "sim/network/topology.h"

enum { MP_MAX_STAGES = MODEL_PARALLEL_MAX_CUTS + 1, MP_WARM_UP = 2 };

/* The row that a task counts for: its label. */
enum mp_row {
    MP_FORWARD,
    MP_BACKWARD,
    MP_ACTIVATION, /* and its gradient */
    MP_PUSH,
    MP_PULL,
    MP_SAMPLE,
    MP_ENCODE,
    MP_DECODE,
    MP_SELECT, /* the encoder's exact thresholds */
    MP_UPDATE,
    MP_COPY, /* between a GPU and its host, where a codec of the CPU takes what a GPU computed */
    MP_ROWS,
};

struct mp_message {
    int64_t bytes;     /* with framing; 0: there is nothing to send */
    int64_t raw_bytes; /* of fp32, what a copy between GPU and host moves */
    int64_t select_ps, encode_ps, decode_ps;
    bool on_cpu; /* coded, by the CPU */
};

/* A machine and its resources. */
struct mp_node {
    struct end end, host; /* what computes, and the machine's memory; the same for a CPU or a server */
    int device;           /* GPU stream, or cores */
    int cpu;              /* threads of the CPU that code */
    int send;             /* the sender's time for each message, one at a time */
    int memory;           /* server: its memory, one update at a time */
    int neighbour[2];     /* stage: connections to the one before and the one after, made at their first use */
};

/* One micro-batch of a stage: how long it computes, and what it sends. */
struct mp_part {
    int64_t forward_ps, backward_ps;
    struct mp_message activation, gradient; /* to the next stage, and back from there; none for the last */
    struct mp_message sample_in, sample_out;
};

/* The exchange of one layer, or of one part of it. */
struct mp_exchange {
    struct mp_message push, pull;
    int64_t server;
    int64_t values;    /* of all its tensors */
    int64_t update_ps; /* of one update: of one push (hogwild), or of all trainers' */
};

/* A message from machine to machine. */
struct mp_crossing {
    int64_t latency_ps; /* from the task's start to its first byte */
    int task;
    int32_t from, to;
    enum mp_row row;
};

/* One iteration of one thread (hogwild) or one step of all trainers (GPipe): the tasks begin .. end, the crossings from
 * first_crossing on. */
struct mp_iteration {
    int begin, end;
    size_t first_crossing;
};

struct mp_plan {
    const struct job *job;
    const struct model_parallel *mp;
    const struct model *m;
    struct engine *e;
    struct topology *topology;
    int64_t nsizes;                         /* sizes of micro-batches: the larger first, if there are two */
    int64_t larger;                         /* micro-batches of the first size */
    struct mp_stage stage[MP_MAX_STAGES];   /* mp->stages of them */
    struct mp_part part[2][MP_MAX_STAGES];  /* by size and stage */
    int64_t local_update_ps[MP_MAX_STAGES]; /* without servers: the whole stage's */
    struct mp_exchange *exchange;           /* 'parts' of each layer, layer after layer */
    size_t parts;                           /* with enough servers, a layer is split evenly among this many */
    struct mp_node *node;                   /* one per machine in use */
    int64_t nnodes, nstage_nodes;
    int *to_server, *from_server; /* connections of each stage's machine and each server, made at their first use */
    int nconnections;
    struct mp_crossing *crossing;
    size_t ncrossings, crossing_capacity;
    struct mp_iteration *iteration; /* hogwild: [round][trainer and thread], GPipe: [round] */
    size_t niterations;
    int rc; /* of memory for crossings */
};

/* Everything but the iterations. Call mp_plan_free() after any outcome. */
int mp_plan_make(struct mp_plan *p, const struct job *job, char *why, size_t nwhy);
void mp_plan_free(struct mp_plan *p);

/* Adds all iterations: mp->steps (of every thread), MP_WARM_UP before them and one after, so that all threads stay
 * busy. */
int mp_add_hogwild(struct mp_plan *p);
int mp_add_gpipe(struct mp_plan *p);

#endif
