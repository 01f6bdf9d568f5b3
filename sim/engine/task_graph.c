#include "sim/engine/task_graph.h"

#include <stdlib.h>

#include "model/status.h"
#include "sim/engine/graph.h"

static void take_tasks(struct task_graph *g, const struct engine *e)
{
    for (size_t i = 0; i < e->ntasks; i++) {
        const struct task *t = &e->tasks[i];
        g->tasks[i] = (struct graph_task){ .place = e->places[i],
                                           .duration_ps = t->duration_ps,
                                           .not_before_ps = t->not_before_ps,
                                           .start_ps = t->start_ps,
                                           .end_ps = t->end_ps,
                                           .bytes = t->bytes,
                                           .resource = t->resource,
                                           .label = t->label,
                                           .item = t->item,
                                           .priority = t->priority,
                                           .missing = t->missing,
                                           .until = t->until,
                                           .group = t->group,
                                           .decides = t->decides };
    }
}

/* Edges lead from a task to those that wait for it; here each has the list of those that it waits for. */
static void take_edges(struct task_graph *g, const struct engine *e)
{
    size_t at = 0;

    for (size_t k = 0; k < e->nedges; k++)
        g->tasks[e->edges[k].to].nafter++;
    for (size_t i = 0; i < e->ntasks; i++) {
        g->tasks[i].first_after = at;
        at += g->tasks[i].nafter;
        g->tasks[i].nafter = 0;
    }
    for (size_t i = 0; i < e->ntasks; i++)
        for (int32_t k = e->tasks[i].first_edge; k >= 0; k = e->edges[k].next) {
            struct graph_task *to = &g->tasks[e->edges[k].to];
            g->after[to->first_after + to->nafter++] = (int32_t)i;
        }
}

int task_graph_take(struct task_graph *g, const struct engine *e)
{
    if (!e->keeps_places)
        return E_INVAL;
    *g = (struct task_graph){
        .ntasks = e->ntasks, .nafter = e->nedges, .ngroups = e->ngroups, .nresources = e->nresources
    };
    g->tasks = calloc(g->ntasks + 1, sizeof(*g->tasks));
    g->after = malloc((g->nafter + 1) * sizeof(*g->after));
    g->over = malloc((g->ngroups + 1) * sizeof(*g->over));
    g->resources = malloc((g->nresources + 1) * sizeof(*g->resources));
    if (!g->tasks || !g->after || !g->over || !g->resources) {
        task_graph_free(g);
        return E_NOMEM;
    }
    take_tasks(g, e);
    take_edges(g, e);
    for (size_t i = 0; i < e->ngroups; i++)
        g->over[i] = e->groups[i].over;
    for (size_t i = 0; i < e->nresources; i++)
        g->resources[i] =
            (struct graph_resource){ e->resources[i].kind, e->resources[i].number, e->resources[i].slots };
    return E_OK;
}

static int64_t mark_ps(const struct task_graph *g, const int64_t *ends_ps, size_t i)
{
    return ends_ps ? ends_ps[i] : g->tasks[g->marks[i]].end_ps;
}

double task_graph_step_ps(const struct task_graph *g, const int64_t *ends_ps)
{
    double sum_ps = 0;

    for (size_t lane = 0; lane < g->lanes; lane++) {
        size_t first = lane * g->nmarks, last = first + g->nmarks - 1;
        int64_t from_ps = first == last ? 0 : mark_ps(g, ends_ps, first);
        sum_ps += (double)(mark_ps(g, ends_ps, last) - from_ps) / g->steps;
    }
    return sum_ps / (double)g->lanes;
}

void task_graph_free(struct task_graph *g)
{
    free(g->tasks);
    free(g->after);
    free(g->over);
    free(g->resources);
    free(g->ranks);
    free(g->tensors);
    free(g->marks);
    *g = (struct task_graph){ 0 };
}
