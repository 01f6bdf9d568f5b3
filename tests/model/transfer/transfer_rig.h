/* transfer_rig.h - small training steps put together by hand for the offload planner, and a replay of a plan by
 * arithmetic.
 * Units      the link of rig_options() carries 1 byte per picosecond in both directions, so that a copy lasts its
 *            bytes. */
#ifndef NARROWS_TESTS_MODEL_TRANSFER_RIG_H
#define NARROWS_TESTS_MODEL_TRANSFER_RIG_H

#include <stdint.h>

#include "model/transfer/transfer.h"

enum { RIG_OPERATIONS = 400 };

/* Storage i is tensor i, and both are written by forward operation i - 1 (0: the input images) unless a test says
 * otherwise. */
struct rig {
    struct graph g;
    struct storage_list s;
    struct operation operations[RIG_OPERATIONS];
    struct tensor tensors[RIG_OPERATIONS];
    struct storage storages[RIG_OPERATIONS];
    int64_t ps[RIG_OPERATIONS];
};

/* 'n' forward operations in a row and their backward ones: forward operation i reads tensor i, of bytes[i] bytes, and
 * writes tensor i + 1; its backward twin reads tensor i. ps[0..2n) are the operations' times. Everything but tensor 0
 * and the last is generated. Each operation is a group of its own. */
void rig_chain(struct rig *r, int n, const int64_t *bytes, const int64_t *ps);

/* A seeded step: residual sums whose second input lies far back, operations that work in place, objects that backward
 * does not need or needs late, empty ones, groups of several operations. */
void rig_random(struct rig *r, uint64_t seed);

/* Fill storages, and which are generated, from the operations and the tensors' storages. */
void rig_settle(struct rig *r);

struct transfer_options rig_options(enum schedule schedule); /* no limit, no turn rule */

/* Copies one after another in each direction, each begun as its operation is or when the link is free; compute waits as
 * transfer.h says. */
struct replayed {
    int64_t forward_ps; /* waited inside forward, the end excluded */
    int64_t turn_ps;    /* waited at the end of forward */
    int64_t backward_ps;
    int64_t copied_ps; /* when the last copy to the host is over */
    int64_t end_ps;
};
struct replayed rig_replay(const struct graph *g, const struct storage_list *s, const int64_t *ps,
                           const struct transfer_options *o, const struct transfer_list *t);

/* Bytes alive while each operation runs. */
void rig_live(const struct graph *g, const struct storage_list *s, const struct transfer_list *t, int64_t *live);

#endif
