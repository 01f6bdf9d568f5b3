#include <stdlib.h>

#include "model/status.h"
#include "model/transfer/private.h"

static int32_t later(int32_t a, int32_t b)
{
    return a > b ? a : b;
}

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

    if (p->joins != q->joins)
        return p->joins < q->joins ? -1 : 1;
    return p->move < q->move ? -1 : p->move > q->move;
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

/* From the last operation to the first of backward. What the first one needs has no step to hide in: it leaves with the last step, as
 * does everything that does not fit before the beginning of backward. */
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

    /* The printed algorithm frees an object that an operation read although a later one reads it again: a residual block's input,
     * which its path reads first and its projection or sum last. Whatever the schedule says, it stays until then. */
    for (size_t i = 0; i < task->n; i++) {
        struct transfer *t = &task->moves[i].t;
        t->free_after = later(t->free_after, task->s->items[t->storage].last_forward);
    }
    return E_OK;
}
