/* graph.c - a played job as tasks to execute: who the ranks are, what the items are made of, where rounds end. */
#include <stdlib.h>

#include "model/status.h"
#include "sim/engine/task_graph.h"
#include "sim/method/parameter_server/play.h"

static void name_ranks(const struct ps_play *s, struct task_graph *g)
{
    for (size_t w = 0; w < s->nworkers; w++)
        g->ranks[g->nranks++] =
            (struct graph_rank){ "worker", (int32_t)w, (int32_t)s->workers[w].machine, s->workers[w].samples, 1 };
    for (size_t k = 0; k < s->nservers; k++)
        g->ranks[g->nranks++] = (struct graph_rank){ "server", (int32_t)k, (int32_t)s->servers[k].machine, 0, 1 };
}

static void list_tensors(const struct ps_play *s, struct task_graph *g)
{
    for (size_t i = 0; i < s->ntensors; i++) {
        const struct ps_tensor *t = &s->tensors[i];
        const char *layer = s->job->model->layers[t->layer].name;
        g->tensors[g->ntensors++] = (struct graph_tensor){ .item = (int32_t)(s->job->model->nlayers + i),
                                                           .layer = t->layer,
                                                           .part = t->part,
                                                           .values = t->values,
                                                           .row = t->row,
                                                           .push = codec_spec_of_layer(&s->method->push, layer),
                                                           .pull = codec_spec_of_layer(&s->method->pull, layer) };
    }
}

/* Each worker's rounds, where workers do not wait for each other. */
static void mark_rounds(const struct ps_play *s, struct task_graph *g)
{
    g->lanes = s->method->mode == PS_SYNC ? 1 : s->nworkers;
    g->nmarks = s->rounds - 1;
    for (size_t w = 0; w < g->lanes; w++)
        for (size_t r = 0; r < g->nmarks; r++)
            g->marks[w * g->nmarks + r] = s->finished[r * s->nworkers + w];
    g->steps = (double)(g->nmarks - 1) * (double)s->method->local_steps;
}

int ps_graph(const struct ps_play *s, struct task_graph *g)
{
    int rc = task_graph_take(g, s->e);

    if (rc)
        return rc;
    g->ranks = malloc((s->nworkers + s->nservers) * sizeof(*g->ranks));
    g->tensors = malloc((s->ntensors + 1) * sizeof(*g->tensors));
    g->marks = malloc((s->rounds + 1) * s->nworkers * sizeof(*g->marks));
    if (!g->ranks || !g->tensors || !g->marks) {
        task_graph_free(g);
        return E_NOMEM;
    }
    name_ranks(s, g);
    list_tensors(s, g);
    mark_rounds(s, g);
    g->every_push = s->method->mode == PS_SYNC && !ps_has_backups(s->method);
    return E_OK;
}
