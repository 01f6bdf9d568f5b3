/* private.h - private to a rank: what it knows of its acts while it executes them. */
#ifndef NARROWS_HARNESS_EXEC_RANK_PRIVATE_H
#define NARROWS_HARNESS_EXEC_RANK_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/exec/rank/jobs.h"
#include "harness/exec/rank/rank.h"

enum state { WAITING, QUEUED, RUNNING, ENDED };

struct own_act {
    enum state state;
    int32_t waits_for;
    int32_t next_queued;
    int32_t holder; /* the act whose slot comes back when this one has ended, too; -1: none */
    bool is_void;
    void *arrived; /* a message that came before its act began */
    size_t narrived;
    bool has_arrived;
};

struct own_resource {
    int32_t free_slots, head;
    int32_t *order; /* acts that begin in this order, and no other; NULL: as they become ready */
    size_t norder, next;
};

struct timer {
    int64_t at_ns;
    int32_t act;
};

struct performing {
    const struct rank *rank;
    const struct acts *acts;
    const struct task_graph *graph;
    struct own_act *own;
    struct own_resource *resources;
    struct act_time *times;
    struct timer *timers; /* a heap: the earliest first */
    size_t ntimers;
    bool *is_void;              /* of each group */
    size_t ndecided;            /* groups of which others said what became of them */
    struct jobs *jobs, *layers; /* threads: for codecs and sums; for layers that are computed */
    struct doze *doze;
    int64_t start_ns;
    /* While what a timer rang for is done, when it should have rung: what follows begins then, or the time between two
       looks would add up layer by layer. Else 0. */
    int64_t due_ns;
    size_t nended;
    int quiet;       /* looks for messages since there was one */
    int false_calls; /* how often in a row a connection had something to read, but there was no message */
    int rc;
};

static inline const struct graph_task *task_of(const struct performing *p, int32_t act)
{
    return &p->graph->tasks[p->acts->list[act].task];
}

static inline int32_t act_of(const struct performing *p, int32_t task)
{
    return task < 0 ? -1 : p->acts->of_task[task];
}

/* Only what is done here takes a slot: of a transfer its sender's. */
static inline struct own_resource *resource_of(const struct performing *p, int32_t act)
{
    const struct graph_task *t = task_of(p, act);
    enum act_kind kind = p->acts->list[act].kind;

    return (kind == ACT_WORK || kind == ACT_SEND) && t->resource >= 0 ? &p->resources[t->resource] : NULL;
}

/* pause.c: until that instant of CLOCK_MONOTONIC; until something may have happened. */
void wait_until(int64_t at_ns);
void pause_briefly(struct performing *p);

/* timers.c: a heap; at most one for each act, so there is space. */
void set_timer(struct performing *p, int64_t at_ns, int32_t act);
struct timer next_timer(struct performing *p);

/* prepare.c: NW_ENOMEM, or what doze_open() or jobs_start() answers. 'do_job' and 'compute' get the performing and an
 * act. */
int prepare(struct performing *p, int (*do_job)(void *context, int32_t act),
            int (*compute)(void *context, int32_t act));

#endif
