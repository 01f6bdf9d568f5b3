/* graph.c - a played job as tasks to execute: a rank is a worker, an item is a bucket. */
#include <stdlib.h>

#include "model/refuse.h"
#include "model/status.h"
#include "sim/engine/task_graph.h"
#include "sim/method/allreduce/readings.h"
#include "sim/method/allreduce/tasks.h"

/* In the order of the plan: of a layer weights, then biases, or scales and shifts. */
static const char *part_of(const struct ar_plan *p, size_t i)
{
    const struct layer *l = &p->job->model->layers[p->tensors[i].layer];
    size_t k = 0;

    while (k < i && p->tensors[i - k - 1].layer == p->tensors[i].layer)
        k++;
    k += !l->weights;
    if (!k)
        return "";
    return !layer_is_norm(l) ? " bias" : k == 1 ? " scale" : " shift";
}

static void list_tensors(const struct ar_plan *p, struct task_graph *g)
{
    for (size_t i = 0; i < p->ntensors; i++) {
        const struct gradient *t = &p->tensors[i];
        struct codec_spec c = codec_spec_of_layer(&p->method->gradients, p->job->model->layers[t->layer].name);
        g->tensors[g->ntensors++] = (struct graph_tensor){ .item = (int32_t)(p->job->model->nlayers + t->bucket),
                                                           .layer = t->layer,
                                                           .part = part_of(p, i),
                                                           .values = t->values,
                                                           .push = c,
                                                           .pull = c };
    }
}

static int take(const struct ar_step *a, struct task_graph *g)
{
    const struct ar_plan *p = a->plan;
    int64_t steps = a->warm + a->measured;
    int rc = task_graph_take(g, a->e);

    if (rc)
        return rc;
    g->ranks = malloc((size_t)p->placed * sizeof(*g->ranks));
    g->tensors = malloc((p->ntensors + 1) * sizeof(*g->tensors));
    g->marks = malloc((size_t)steps * sizeof(*g->marks));
    if (!g->ranks || !g->tensors || !g->marks) {
        task_graph_free(g);
        return E_NOMEM;
    }
    for (int64_t w = 0; w < p->placed; w++)
        g->ranks[g->nranks++] =
            (struct graph_rank){ "worker", (int32_t)w, (int32_t)(w / p->method->workers_per_machine),
                                 ar_plan_samples(p, a->crews[w].share), allreduce_density_ratio(p->method, w) };
    list_tensors(p, g);
    for (int64_t s = a->warm - 1; s < steps; s++)
        g->marks[g->nmarks++] = a->ends[s];
    g->lanes = 1;
    g->steps = (double)a->measured;
    g->summed = g->every_push = true;
    return E_OK;
}

static int refuse_closed_forms(const struct job *j, char *why, size_t nwhy)
{
    const struct allreduce *a = &j->method->allreduce;

    if (a->level != COLLECTIVE_FLOWS)
        return refuse(why, nwhy,
                      "method.level: expected flows, as every worker is executed, got one that stands for all");
    if (a->rings > 1)
        return refuse(why, nwhy, "method.rings: one is executed: expected 1, got %lld", (long long)a->rings);
    if (a->algorithm == COLLECTIVE_MEASURED)
        return refuse(why, nwhy,
                      "method.algorithm: expected one that sums (ring, tree, halving-doubling, hierarchical): what was "
                      "measured has no transfers");
    if (a->algorithm == COLLECTIVE_BOUND || a->algorithm == COLLECTIVE_IDEAL)
        return refuse(why, nwhy,
                      "method.algorithm: expected one that sums (ring, tree, halving-doubling, hierarchical): a lower "
                      "bound cannot be executed");
    if (a->partition_bytes)
        return refuse(why, nwhy, "method.partition: parts of tensors are not executed: expected 0 B");
    if (a->computing_share < 1)
        return refuse(why, nwhy,
                      "method.computing_share: links that computing slows down are not executed: expected 1");
    if (a->start_s > 0 || a->start_per_worker_s > 0 || a->cycle_s > 0)
        return refuse(why, nwhy,
                      "method.%s: what workers wait for before a bucket is exchanged is not executed: expected 0 s",
                      a->cycle_s > 0   ? "cycle_time"
                      : a->start_s > 0 ? "start_time"
                                       : "start_time_per_worker");
    return E_OK;
}

int allreduce_graph(const struct job *j, struct task_graph *out, char *why, size_t nwhy)
{
    struct ar_plan plan = { 0 };
    struct ar_step g = { 0 };
    int rc = refuse_closed_forms(j, why, nwhy);

    rc = rc ? rc : allreduce_check_keys(j, why, nwhy);
    rc = rc ? rc : ar_plan_make(j, &plan, why, nwhy);
    rc = rc ? rc : ar_new(&plan, &g, why, nwhy);
    if (!rc) {
        engine_keep_places(g.e);
        rc = ar_tasks(&g);
    }
    rc = rc ? rc : engine_run(g.e);
    rc = rc ? rc : take(&g, out);
    ar_free(&g);
    ar_plan_free(&plan);
    return rc;
}
