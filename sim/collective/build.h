/* build.h - shared by the algorithms that add a collective to an engine. */
#ifndef NARROWS_SIM_COLLECTIVE_BUILD_H
#define NARROWS_SIM_COLLECTIVE_BUILD_H

#include <stdbool.h>

#include "sim/collective/collective.h"

/* What a rank's next transfer waits for: the last one it sent and the last one it received; -1: none. */
struct held {
    int sent, got;
};

struct steps;

struct build {
    struct engine *e;
    const struct collective_place *place;
    const int *ready;
    int label, item;
    struct held *held;         /* of each rank; at first its ready[] */
    const struct steps *steps; /* by symmetry: what each rank does */
    bool together;             /* ... and no rank is done before all are */
    bool when_ready;           /* a sender waits until its receiver is ready, also where they are executed */
    bool gathered;             /* payloads are passed on as they are; else vectors are summed */
    const int64_t *payload_at; /* all-gather: where each rank's begins in the vector, and the end */
};

/* The part of the vector that a transfer carries. */
struct part {
    int64_t offset, bytes;
    int64_t payload;       /* all-gather, all-to-all: whose */
    int64_t share, shares; /* all-to-all: which of so many parts of it */
};

/* Adds the tasks of 'algorithm' (NULL: none) between ready[] and done[]. Status. */
int build_run(struct build *b, int (*algorithm)(struct build *b, int64_t bytes), int64_t bytes, int done[]);

/* A transfer without dependencies so far. -1: the engine remembers why. */
int build_transfer(struct build *b, int64_t from, int64_t to, struct part part, bool add);

/* 'task' waits for the rank's transfers so far. */
void build_after(struct build *b, int task, int64_t rank);
void build_wait(struct build *b, int task, int earlier); /* -1: nothing */
void build_join(struct build *b); /* all later tasks wait for the transfers of all ranks so far */

/* The algorithms: each adds all transfers of 'bytes' (more than 0, among more than one rank) and leaves in held[] what
 * each rank's result waits for. Status. */
int build_ring(struct build *b, int64_t bytes);
int build_tree(struct build *b, int64_t bytes);
int build_halving_doubling(struct build *b, int64_t bytes);
int build_hierarchical(struct build *b, int64_t bytes);
int build_bound(struct build *b, int64_t bytes);
int build_ideal(struct build *b, int64_t bytes);
int build_reduce_scatter(struct build *b, int64_t bytes);
int build_allgather(struct build *b, int64_t bytes); /* of each rank, unless the place says otherwise */
int build_alltoall(struct build *b, int64_t bytes);  /* of each part */

/* Some of the ranks in a ring: those from 'first' on in steps of 'stride', n of them; the ranks of each machine turned
 * by 'turn', so that others are the first and the last of them. */
struct ring {
    int64_t first, stride, n, turn;
};

/* In step s each rank i of the ring passes part (i - s) mod n of the vector on to the next, for s in [from_step,
 * to_step). A ring's allreduce is steps 0 to 2 (n - 1); the first n - 1 of them add. */
int build_ring_steps(struct build *b, struct ring ring, int64_t from_step, int64_t to_step, struct part vector);

#endif
