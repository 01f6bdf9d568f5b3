/* find.c - the storage objects that could move, and how long their copies last. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/status.h"
#include "model/transfer/private.h"

static bool may_move(const struct transfer_task *task, const struct storage *s)
{
    return s->generated && s->bytes > 0 && s->first_backward >= (int32_t)task->g->nforward;
}

static struct move move_of(const struct transfer_task *task, int32_t storage, int32_t own)
{
    const struct storage *s = &task->s->items[storage];
    int32_t start = (int32_t)max64(task->first_of[own], (int64_t)s->last_write + 1);

    return (struct move){ .t = { .storage = storage, .start = start, .need = s->first_backward },
                          .own = own,
                          .bytes = s->bytes };
}

static int by_start(const void *a, const void *b)
{
    const struct transfer *p = &((const struct move *)a)->t, *q = &((const struct move *)b)->t;

    return p->start != q->start ? compare64(p->start, q->start) : compare64(p->storage, q->storage);
}

/* Adds what operation 'op' reads, if it is no longer written and was not met before. */
static void meet(struct transfer_task *task, bool *seen, int32_t tensor, int32_t op)
{
    if (tensor == NO_TENSOR)
        return;
    int32_t storage = task->g->tensors[tensor].storage;
    const struct storage *s = &task->s->items[storage];
    /* "if no further write happens to input_TSO": neither after this operation nor by it (in place) */
    if (seen[storage] || s->last_write >= op || !may_move(task, s))
        return;
    seen[storage] = true;
    task->moves[task->n++] = move_of(task, storage, op);
}

int transfer_find(struct transfer_task *task)
{
    bool *seen = calloc(task->s->n + 1, sizeof(*seen));

    task->moves = malloc((task->s->n + 1) * sizeof(*task->moves));
    if (!seen || !task->moves) {
        free(seen);
        return E_NOMEM;
    }
    for (int32_t i = 0; i < (int32_t)task->g->nforward; i++) {
        meet(task, seen, task->g->operations[i].x, i);
        meet(task, seen, task->g->operations[i].x2, i);
    }
    free(seen);
    qsort(task->moves, task->n, sizeof(*task->moves), by_start);
    return E_OK;
}

/* Rounded up, so that no copy is planned to end too early. */
static int64_t copy_ps(int64_t bytes, double Bps, int64_t latency_ps)
{
    double ps = ceil((double)bytes * (1e12 / Bps));

    return ps < (double)TRANSFER_NEVER_PS ? transfer_add_ps((int64_t)ps, latency_ps) : TRANSFER_NEVER_PS;
}

void transfer_copy_times(struct transfer_task *task)
{
    const struct transfer_options *o = task->options;

    for (size_t i = 0; i < task->n; i++) {
        struct move *m = &task->moves[i];
        m->to_host_ps = copy_ps(m->bytes, o->to_host_Bps, o->latency_ps);
        m->to_device_ps = copy_ps(m->bytes, o->to_device_Bps, o->latency_ps);
    }
}
