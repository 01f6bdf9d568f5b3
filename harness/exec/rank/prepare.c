/* prepare.c - a rank before it begins: its acts as they wait, its resources, its threads. */
#include <stdlib.h>
#include <string.h>

#include "harness/exec/rank/private.h"
#include "harness/status.h"

static int by_simulated_start(const void *a, const void *b, void *context)
{
    const struct performing *p = context;
    const struct graph_task *x = task_of(p, *(const int32_t *)a), *y = task_of(p, *(const int32_t *)b);

    if (x->start_ps != y->start_ps)
        return (x->start_ps > y->start_ps) - (x->start_ps < y->start_ps);
    return (x > y) - (x < y);
}

/* At every rank in the order of the simulation: else one would begin the exchange of an item, another that of the next
 * one, and each would wait for the other. */
static bool is_ordered(const struct performing *p, int32_t act)
{
    const struct task_place *place = &task_of(p, act)->place;

    return p->acts->list[act].kind == ACT_WORK && (place->rank == RANK_EACH || place->work == WORK_FILL);
}

static int order_resources(struct performing *p)
{
    for (size_t r = 0; r < p->graph->nresources; r++) {
        size_t n = 0;
        p->resources[r] = (struct own_resource){ .free_slots = p->graph->resources[r].slots, .head = -1 };
        for (size_t i = 0; i < p->acts->n; i++) {
            const struct graph_task *t = task_of(p, (int32_t)i);
            n += t->resource == (int32_t)r && is_ordered(p, (int32_t)i);
        }
        if (!n)
            continue;
        int32_t *order = p->resources[r].order = malloc(n * sizeof(*order));
        if (!order)
            return NW_ENOMEM;
        for (size_t i = 0; i < p->acts->n; i++) {
            const struct graph_task *t = task_of(p, (int32_t)i);
            if (t->resource == (int32_t)r && is_ordered(p, (int32_t)i))
                order[p->resources[r].norder++] = (int32_t)i;
        }
        qsort_r(order, n, sizeof(*order), by_simulated_start, p);
    }
    return NW_OK;
}

int prepare(struct performing *p, int (*do_job)(void *context, int32_t act), int (*compute)(void *context, int32_t act))
{
    p->own = calloc(p->acts->n + 1, sizeof(*p->own));
    p->resources = calloc(p->graph->nresources + 1, sizeof(*p->resources));
    p->timers = malloc((p->acts->n + 1) * sizeof(*p->timers));
    p->is_void = calloc(p->graph->ngroups + 1, sizeof(*p->is_void));
    if (!p->own || !p->resources || !p->timers || !p->is_void)
        return NW_ENOMEM;
    for (size_t i = 0; i < p->acts->n; i++) {
        p->own[i].waits_for = p->acts->list[i].waits_for;
        p->own[i].next_queued = p->own[i].holder = -1;
    }
    for (size_t i = 0; i < p->acts->n; i++) {
        int32_t until = act_of(p, task_of(p, (int32_t)i)->until);
        if (until >= 0 && resource_of(p, (int32_t)i))
            p->own[until].holder = (int32_t)i;
    }
    memset(p->times, 0, p->acts->n * sizeof(*p->times));
    int rc = order_resources(p);
    rc = rc ? rc : doze_open(&p->doze);
    rc = rc ? rc : jobs_start(do_job, p, p->doze, &p->jobs);
    return rc || !p->rank->compute ? rc : jobs_start(compute, p, p->doze, &p->layers);
}
