/* acts.h - what the GPUs of one stage do in a step, as lists of pieces: times that a GPU takes and bytes that a wire
 * carries. A plan gives them; they are played as tasks (tasks.h), or added up (closed.h).
 * Units      integer picoseconds; bytes that one rank sends in all. */
#ifndef NARROWS_SIM_METHOD_SHARDED_ACTS_H
#define NARROWS_SIM_METHOD_SHARDED_ACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/parallel/pipeline.h"
#include "sim/parallel/wires.h"

/* What a piece counts for. */
enum act_row {
    ACT_FORWARD,
    ACT_RECOMPUTE,
    ACT_BACKWARD,
    ACT_UPDATE,
    ACT_ENCODE,
    ACT_DECODE,
    ACT_DISPATCH, /* the GPU waits for the host that launches its kernels */
    ACT_HOP,      /* ... and for a message's handling */
    ACT_WIRE,     /* the wire's own row is ACT_WIRE + wire */
    ACT_ROWS = ACT_WIRE + (int)WIRES,
};

enum piece_on { PIECE_GPU, PIECE_WIRE, PIECE_HOST, PIECE_WAIT }; /* wait: takes time and nothing else */

struct piece {
    enum piece_on on;
    enum act_row row;
    int64_t ps;     /* of a GPU, or of the host's processors */
    enum wire wire; /* PIECE_WIRE */
    int64_t bytes;  /* that each rank sends; its flows have their parts of them */
    int64_t hops;   /* messages of a ring that follow each other: 1 is an all-gather's or a reduce-scatter's n - 1, 2 an
                       all-reduce's 2 (n - 1); of points and spreads 1 */
};

/* One piece after another. */
struct act {
    struct piece *list;
    size_t n, capacity;
};

/* Layers whose parameters are gathered, reduced and updated together. 'more': here, of a chunk and of a stage: others
 * that are like this one and follow it, but are not listed (plan.h: PLAN_ALIKE). */
struct unit {
    int64_t more;
    int64_t values;  /* parameters of one rank, before they are sharded */
    int64_t experts; /* the same, of experts that are divided among replicas: ranks with the same ones share them */
    double kept;     /* bytes of activations from its forward to its backward pass, of one micro-batch */
    double again;    /* bytes that live while it is computed again, besides */
    double extra;    /* bytes that live while its backward pass is computed, besides */
    double shapes; /* values of one of each shape of its weights, of all but those that it has in common with others */
    double expert_shapes;         /* the same, of its experts */
    struct act forward, backward; /* backward with what is computed again; they wait for their parameters */
    struct act gather;            /* before a forward pass, where parameters are sharded; empty: they are there */
    struct act gather_again;      /* before a backward pass; empty: as forward left them */
    struct act reduce;            /* gradients, after a backward pass that is followed by an exchange */
    struct act fetch;             /* parameters and states out of the host's memory, before the update ... */
    struct act update;
    struct act store; /* ... and back */
};

/* One of a stage's parts of the network. */
struct chunk {
    int64_t number; /* among those of its stage */
    int64_t more;
    struct unit *units;
    size_t nunits;
    struct act send_forward, send_backward; /* activations to the next part, their gradients to the one before */
    struct act take_forward, take_backward; /* what a receiver does with them: decodes */
};

struct stage {
    int64_t number, more;
    struct chunk *chunks;
    size_t nchunks;
    struct act tie; /* of the first and the last stage: what they have in common is added up */
};

struct step_plan {
    struct parallel layout;
    struct pipeline pipeline;
    struct stage *stages;
    size_t nstages;
    int64_t step_ps;    /* of each hop of a ring, besides the links' latency */
    int64_t prefetch;   /* gathers that may be ahead of the computing */
    bool overlap;       /* gathers and reductions go on while GPUs compute */
    bool keep_gathered; /* parameters stay after a forward pass, until the step's end */
    bool reduce_each;   /* gradients are reduced after every micro-batch, else after the last */
    bool reduce_behind; /* gradients are reduced when the stage's passes are over, not unit by unit */
};

/* Adds a piece; a piece of no time and no bytes is left out. E_NOMEM. */
int act_gpu(struct act *a, enum act_row row, int64_t ps);
int act_host(struct act *a, enum act_row row, int64_t ps);
int act_wait(struct act *a, enum act_row row, int64_t ps);
int act_wire(struct act *a, enum wire w, int64_t bytes, int64_t hops);
int act_all(struct act *a, const struct act *more);

void step_plan_free(struct step_plan *p); /* accepts an all-zero plan */
void step_plan_uses(const struct step_plan *p, bool used[WIRES]);

/* Time of all pieces of the GPU, or of one row of them. */
int64_t act_gpu_ps(const struct act *a);

#endif
