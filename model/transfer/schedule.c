/* schedule.c - when each move frees its memory and when it comes back, by the schedule. */
#include <stdlib.h>

#include "model/numbers.h"
#include "model/status.h"
#include "model/transfer/private.h"

/* vDNN: an operation (a group) waits for the copies of what it read, and one before it waits for what it needs. */
static void layer_wise(struct transfer_task *task)
{
    int32_t nforward = (int32_t)task->g->nforward;

    for (size_t i = 0; i < task->n; i++) {
        struct move *m = &task->moves[i];
        int32_t own = task->first_of[m->t.need];
        m->t.free_after = task->last_of[m->own];
        m->t.back = own > nforward ? task->first_of[own - 1] : nforward;
    }
}

static int by_joins(const void *a, const void *b)
{
    const struct walk_copy *p = a, *q = b;

    return p->joins != q->joins ? compare64(p->joins, q->joins) : compare64((int64_t)p->move, (int64_t)q->move);
}

static void walk(struct walk *w, enum schedule schedule)
{
    qsort(w->copies, w->n, sizeof(*w->copies), by_joins);
    if (schedule == SCHEDULE_PER_OBJECT)
        walk_by_copy(w);
    else
        walk_by_balance(w, schedule == SCHEDULE_CLAMPED);
}

static void walk_forward(struct transfer_task *task, struct walk_copy *copies)
{
    struct walk w = { task->operation_ps, 1, (int32_t)task->g->nforward, copies, task->n };

    for (size_t i = 0; i < task->n; i++)
        copies[i] = (struct walk_copy){ .ps = task->moves[i].to_host_ps, .joins = task->moves[i].t.start, .move = i };
    walk(&w, task->options->schedule);
    for (size_t i = 0; i < task->n; i++)
        task->moves[copies[i].move].t.free_after = copies[i].leaves;
}

/* From the last operation of backward to the first. What the first one needs has no step to hide in: like every copy
 * that finds no time before the backward pass, it leaves with the last step. */
static void walk_backward(struct transfer_task *task, struct walk_copy *copies)
{
    int32_t last = (int32_t)task->g->noperations - 1;
    struct walk w = { task->operation_ps + last, -1, last + 1 - (int32_t)task->g->nforward, copies, task->n };

    for (size_t i = 0; i < task->n; i++) {
        int32_t joins = last + 1 - task->moves[i].t.need;
        copies[i] = (struct walk_copy){ .ps = task->moves[i].to_device_ps,
                                        .joins = joins < w.nsteps ? joins : w.nsteps - 1,
                                        .move = i };
    }
    walk(&w, task->options->schedule);
    for (size_t i = 0; i < task->n; i++)
        task->moves[copies[i].move].t.back = last - copies[i].leaves;
}

int transfer_schedule(struct transfer_task *task)
{
    if (task->options->schedule == SCHEDULE_LAYER_WISE) {
        layer_wise(task);
    } else {
        struct walk_copy *copies = malloc((task->n + 1) * sizeof(*copies));
        if (!copies)
            return E_NOMEM;
        walk_forward(task, copies);
        walk_backward(task, copies);
        free(copies);
    }

    /* As printed, the algorithm frees an object that a later operation reads again: a residual block's input, read
     * first by the block's path and last by its projection or sum. It stays until then whatever the schedule. */
    for (size_t i = 0; i < task->n; i++) {
        struct transfer *t = &task->moves[i].t;
        t->free_after = (int32_t)max64(t->free_after, task->s->items[t->storage].last_forward);
    }
    return E_OK;
}
