#include <inttypes.h>
#include <stdlib.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/engine/task_graph.h"
#include "sim/method/flows/flows.h"
#include "sim/method/method.h"

static struct graph_task task_of(const struct flow_spec *f, int64_t end_ps)
{
    return (struct graph_task){ .place = { .work = WORK_MOVE,
                                           .rank = (int32_t)f->src.machine,
                                           .peer = (int32_t)f->dst.machine,
                                           .bytes = f->bytes,
                                           .tensor = -1 },
                                .not_before_ps = f->start_ps,
                                .start_ps = f->start_ps,
                                .end_ps = end_ps,
                                .bytes = f->bytes,
                                .resource = ENGINE_NO_RESOURCE,
                                .label = ENGINE_NO_LABEL,
                                .item = ENGINE_NO_ITEM,
                                .until = -1,
                                .group = -1,
                                .decides = -1 };
}

/* The last task waits for all flows: it ends the only step. */
static void add_all(const struct flows *f, const int64_t end_ps[], struct task_graph *g)
{
    int64_t last_ps = 0;

    for (size_t i = 0; i < f->n; i++) {
        g->tasks[i] = task_of(&f->list[i], end_ps[i]);
        g->after[i] = (int32_t)i;
        last_ps = end_ps[i] > last_ps ? end_ps[i] : last_ps;
    }
    g->tasks[f->n] = (struct graph_task){ .place = { .work = WORK_ORDER, .rank = RANK_EACH, .peer = -1, .tensor = -1 },
                                          .start_ps = last_ps,
                                          .end_ps = last_ps,
                                          .bytes = -1,
                                          .resource = ENGINE_NO_RESOURCE,
                                          .label = ENGINE_NO_LABEL,
                                          .item = ENGINE_NO_ITEM,
                                          .until = -1,
                                          .group = -1,
                                          .decides = -1,
                                          .nafter = f->n };
    g->ntasks = f->n + 1;
    g->nafter = f->n;
    g->marks[g->nmarks++] = (int32_t)f->n;
    g->lanes = 1;
    g->steps = 1;
}

int flows_graph(const struct job *j, struct task_graph *g, char *why, size_t nwhy)
{
    const struct flows *f = &j->method->flows;
    int64_t *end_ps = malloc((f->n + 1) * sizeof(*end_ps));
    int rc = end_ps ? flows_check(j, why, nwhy) : E_NOMEM;

    for (size_t i = 0; !rc && i < f->n; i++)
        if (f->list[i].nafter || f->list[i].delay_ps)
            rc = refuse(why, nwhy,
                        "method.file: line %" PRId64
                        ": to execute: expected flows that leave at their start, got one with 'after' or 'delay_s'",
                        f->list[i].line);
    rc = rc ? rc : flows_ends(j->platform, f, end_ps, why, nwhy);
    *g = (struct task_graph){ 0 };
    if (!rc) {
        g->tasks = calloc(f->n + 1, sizeof(*g->tasks));
        g->after = malloc((f->n + 1) * sizeof(*g->after));
        g->ranks = malloc((size_t)j->platform->machines * sizeof(*g->ranks));
        g->marks = malloc(sizeof(*g->marks));
        rc = g->tasks && g->after && g->ranks && g->marks ? E_OK : E_NOMEM;
    }
    if (!rc) {
        for (int64_t m = 0; m < j->platform->machines; m++)
            g->ranks[g->nranks++] = (struct graph_rank){ "machine", (int32_t)m, (int32_t)m, 0, 1 };
        add_all(f, end_ps, g);
    } else {
        task_graph_free(g);
    }
    free(end_ps);
    return rc;
}
