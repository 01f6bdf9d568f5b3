/* acts.h - one rank's share of a task graph. A task that several ranks take part in is an act at each of them: a
 * transfer is a send and a receipt; an order that each rank keeps for itself is one everywhere.
 * Edges      an act waits for the acts of this rank that its task waits for. Where a task waits for one that this rank
 *            has no part in, the rank that ends that one tells it (ACT_TELL there, ACT_HEAR here). A transfer is held
 *            back by what its sender waits for; what only its receiver waits for holds back the receipt.
 * Groups     are decided by the rank whose task decides; it tells the ranks that have members.
 * Pure       every rank works out the same from the same graph.
 * Ownership  acts_free() releases; the graph must outlive the acts. */
#ifndef NARROWS_HARNESS_EXEC_RANK_ACTS_H
#define NARROWS_HARNESS_EXEC_RANK_ACTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/engine/task_graph.h"

enum act_kind {
    ACT_WORK, /* everything that is done here */
    ACT_SEND, /* of a transfer */
    ACT_RECEIVE,
    ACT_TELL, /* 'peer' that 'task' has ended here */
    ACT_HEAR, /* that it has ended elsewhere */
};

struct act {
    enum act_kind kind;
    int32_t task, peer;
    int32_t waits_for;        /* acts before it, less those it need not wait for */
    size_t first_next, nnext; /* the acts that wait for it */
};

struct acts {
    const struct task_graph *graph;
    int32_t rank;
    struct act *list;
    size_t n;
    int32_t *next;
    size_t nnext;
    int32_t *of_task; /* [graph.ntasks] the act that this rank's other acts wait for; -1: no part in it */
    int32_t *informs; /* [graph.ngroups + 1] into 'informed': who has to know what became of the group */
    int32_t *informed;
    size_t ndecided_elsewhere; /* groups with members here that another rank decides */
};

/* E_NOMEM, E_INVAL for a rank that the graph does not have, or a task without a place. */
int acts_make(const struct task_graph *g, int32_t rank, struct acts *out);
void acts_free(struct acts *a); /* accepts an all-zero one */

/* Has this rank a part in the task? */
bool task_is_at(const struct graph_task *t, int32_t rank);

/* The rank at which a task ends: the receiver of a transfer. RANK_EACH: everywhere. */
int32_t task_ends_at(const struct graph_task *t);

#endif
