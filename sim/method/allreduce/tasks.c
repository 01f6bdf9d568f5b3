#include "sim/method/allreduce/tasks.h"

#include <stdlib.h>

#include "model/status.h"
#include "sim/cost.h"

int ar_label(const struct ar_step *g, int64_t worker, enum ar_row row)
{
    return (int)row + (g->step < g->warm || worker ? AR_ROWS : 0);
}

void ar_after(struct ar_step *g, int task, int earlier)
{
    if (task >= 0 && earlier >= 0)
        engine_after(g->e, task, earlier);
}

int ar_compute(struct ar_step *g, int64_t worker, int resource, int64_t ps, enum ar_row row, size_t item)
{
    int task = engine_compute(g->e, resource, ps, ar_label(g, worker, row));

    if (task >= 0)
        engine_item(g->e, task, (int)item);
    engine_place(g->e, task,
                 &(struct task_place){ .work = row == AR_ENCODE   ? WORK_ENCODE
                                               : row == AR_DECODE ? WORK_DECODE
                                                                  : WORK_CLOCK,
                                       .rank = (int32_t)worker,
                                       .peer = -1,
                                       .tensor = -1,
                                       .shares = 1 });
    return task;
}

int ar_each(struct ar_step *g, int task)
{
    engine_place(g->e, task, &(struct task_place){ .work = WORK_ORDER, .rank = RANK_EACH, .peer = -1, .tensor = -1 });
    return task;
}

int ar_copy(struct ar_step *g, int64_t worker, bool out, int64_t bytes, enum ar_row row, size_t item)
{
    int64_t l = g->plan->method->workers_per_machine, latency_ps = 0;
    struct end gpu = { .machine = worker / l, .gpu = worker % l }, host = { .machine = worker / l, .gpu = END_HOST };
    int64_t route = topology_route(g->topology, out ? gpu : host, out ? host : gpu, &latency_ps);
    int engine = out ? g->crews[worker].copy_out : g->crews[worker].copy_in;
    int task = engine_transfer(g->e, engine, route < 0 ? -1 : (int)route, bytes, latency_ps, ar_label(g, worker, row));

    if (task >= 0)
        engine_item(g->e, task, (int)item);
    engine_place(
        g->e, task,
        &(struct task_place){
            .work = WORK_MOVE, .rank = (int32_t)worker, .peer = (int32_t)worker, .bytes = bytes, .tensor = -1 });
    return task;
}

/* While it computes, its link has less to give. */
static void slow_link(struct ar_step *g, int64_t worker, int task)
{
    const struct allreduce *a = g->plan->method;
    int64_t l = a->workers_per_machine;
    int out, in;

    if (a->computing_share == 1 || a->device != COMPUTE_ON_GPU)
        return;
    out = topology_gpu_out(g->topology, worker / l, worker % l);
    in = topology_gpu_in(g->topology, worker / l, worker % l);
    if (out < 0)
        return;
    engine_slows(g->e, task, out, a->computing_share);
    engine_slows(g->e, task, in, a->computing_share);
}

/* The next of what a worker's stream does in the order of its program; codecs and updates come in between. */
static int in_program(struct ar_step *g, struct ar_worker *c, int64_t ps, size_t layer, enum task_work work)
{
    int task = ar_compute(g, c - g->crews, c->stream, ps, AR_COMPUTE, layer);

    engine_place(g->e, task,
                 &(struct task_place){ .work = work, .rank = (int32_t)(c - g->crews), .peer = -1, .tensor = -1 });
    slow_link(g, c - g->crews, task);
    ar_after(g, task, c->last);
    c->last = task;
    return task;
}

static bool offloads(const struct ar_layer *l, const struct ar_worker *c)
{
    return l->offload_bytes[c->share] > 0;
}

static void add_forward_layer(struct ar_step *g, size_t i, int64_t w)
{
    const struct ar_layer *l = &g->plan->layers[i];
    struct ar_worker *c = &g->crews[w];

    if (!l->forward_ps[c->share] && l->first_bucket == l->end_bucket && !offloads(l, c))
        return;
    int task = in_program(g, c, l->forward_ps[c->share], i, WORK_FORWARD);
    for (size_t b = l->first_bucket; b < l->end_bucket; b++)
        ar_after(g, task, g->updated[b * (size_t)g->plan->placed + (size_t)w]);
    if (offloads(l, c)) {
        int copy = ar_copy(g, w, 1, l->offload_bytes[c->share], AR_OFFLOAD, i);
        ar_after(g, copy, task);
        g->fetched[i * (size_t)g->plan->placed + (size_t)w] = copy;
    }
}

/* When the forward pass is over, activations come back in the order in which the backward pass needs them, as fast as
 * the link allows. */
static void add_fetches(struct ar_step *g, int64_t w)
{
    struct ar_worker *c = &g->crews[w];
    int before = c->last;

    for (size_t i = g->plan->job->model->nlayers; i-- > 0;) {
        int *at = &g->fetched[i * (size_t)g->plan->placed + (size_t)w];
        if (!offloads(&g->plan->layers[i], c))
            continue;
        int copy = ar_copy(g, w, 0, g->plan->layers[i].offload_bytes[c->share], AR_OFFLOAD, i);
        ar_after(g, copy, *at);
        ar_after(g, copy, before);
        *at = before = copy;
    }
}

static void add_backward_layer(struct ar_step *g, size_t i, int64_t w)
{
    const struct ar_layer *l = &g->plan->layers[i];
    struct ar_worker *c = &g->crews[w];

    if (!l->backward_ps[c->share] && l->first_bucket == l->end_bucket && !offloads(l, c))
        return;
    int task = in_program(g, c, l->backward_ps[c->share], i, WORK_BACKWARD);
    if (offloads(l, c))
        ar_after(g, task, g->fetched[i * (size_t)g->plan->placed + (size_t)w]);
}

/* What the step's own gradients are enough for: nobody is asked. */
static void add_local_updates(struct ar_step *g, size_t b)
{
    size_t n = (size_t)g->plan->placed, item = g->plan->job->model->nlayers + b;

    for (size_t w = 0; w < n; w++) {
        int task = ar_compute(g, (int64_t)w, g->crews[w].stream, g->plan->buckets[b].update_ps, AR_UPDATE, item);
        ar_after(g, task, g->crews[w].last);
        g->updated[b * n + w] = task;
    }
}

static int add_bucket(struct ar_step *g, size_t b)
{
    size_t n = (size_t)g->plan->placed;
    int rc;

    if (g->plan->method->workers == 1 || (g->step + 1) % g->plan->local_steps) {
        add_local_updates(g, b);
        return E_OK;
    }
    for (size_t w = 0; w < n; w++)
        g->ready[w] = g->crews[w].last;
    rc = ar_exchange(g, b);
    for (size_t w = 0; !rc && w < n; w++) {
        size_t item = g->plan->job->model->nlayers + b;
        int task = ar_compute(g, (int64_t)w, g->crews[w].stream, g->plan->buckets[b].update_ps, AR_UPDATE, item);
        ar_after(g, task, g->done[w]);
        g->updated[b * n + w] = task;
    }
    return rc;
}

/* Buckets whose last tensor is of this layer have all their gradients now. */
static int add_full_buckets(struct ar_step *g, size_t layer, size_t *next)
{
    const struct ar_plan *p = g->plan;
    int rc = E_OK;

    while (!rc && *next < p->nbuckets && p->tensors[p->buckets[*next].end - 1].layer == layer)
        rc = add_bucket(g, (*next)++);
    return rc;
}

/* The k-th of the buckets in the order in which they travel if all are ready. */
static size_t in_order(const struct ar_plan *p, size_t k)
{
    if (p->method->order == BUCKET_FORWARD)
        return p->nbuckets - 1 - k;
    return p->method->order == BUCKET_SIZE ? p->by_size[k] : k;
}

/* Each worker waits for all of its updates. */
static void add_barrier(struct ar_step *g)
{
    size_t n = (size_t)g->plan->placed;
    bool exchanged = g->plan->method->workers > 1 && (g->step + 1) % g->plan->local_steps == 0;
    int64_t barrier_ps = exchanged ? seconds_to_ps(g->plan->method->barrier_s) : 0;

    for (size_t w = 0; w < n; w++) {
        int all = engine_sync(g->e);
        engine_place(g->e, all,
                     &(struct task_place){ .work = WORK_ORDER, .rank = (int32_t)w, .peer = -1, .tensor = -1 });
        for (size_t b = 0; b < g->plan->nbuckets; b++)
            ar_after(g, all, g->updated[b * n + w]);
        ar_after(g, all, g->crews[w].last);
        g->crews[w].last = all;
        if (barrier_ps) {
            int task = ar_compute(g, (int64_t)w, g->crews[w].stream, barrier_ps, AR_UPDATE, 0);
            ar_after(g, task, all);
            g->crews[w].last = task;
        }
    }
}

/* Without overlap each phase waits for all of the one before: the backward pass, the exchange, the updates. */
static int add_serial(struct ar_step *g)
{
    int rc = E_OK;

    for (size_t k = 0; !rc && k < g->plan->nbuckets; k++)
        rc = add_bucket(g, in_order(g->plan, k));
    return rc;
}

static int add_step(struct ar_step *g)
{
    const struct ar_plan *p = g->plan;
    size_t nlayers = p->job->model->nlayers, next = 0;
    int rc = E_OK;

    for (size_t i = 0; i < nlayers; i++)
        for (int64_t w = 0; w < p->placed; w++)
            add_forward_layer(g, i, w);
    for (int64_t w = 0; p->method->offload_share > 0 && w < p->placed; w++)
        add_fetches(g, w);
    for (size_t i = nlayers; !rc && i-- > 0;) {
        for (int64_t w = 0; w < p->placed; w++)
            add_backward_layer(g, i, w);
        if (p->method->overlap)
            rc = add_full_buckets(g, i, &next);
    }
    g->ends[g->step] = ar_each(g, engine_sync(g->e));
    for (int64_t w = 0; w < p->placed; w++)
        ar_after(g, g->ends[g->step], g->crews[w].last);
    if (!rc && !p->method->overlap)
        rc = add_serial(g);
    if (!rc && (!p->method->overlap || p->method->barrier == ALLREDUCE_BARRIER_STEP))
        add_barrier(g);
    return rc;
}

int ar_tasks(struct ar_step *g)
{
    int rc = E_OK;

    for (g->step = 0; !rc && g->step < g->warm + g->measured; g->step++)
        rc = add_step(g);
    return rc;
}

/* One stream for each worker, its copy engines where copies are made, a pool of threads for each machine that codes. */
static void add_crews(struct ar_step *g)
{
    const struct ar_plan *p = g->plan;
    const struct allreduce *a = p->method;
    bool gpu = a->device == COMPUTE_ON_GPU, coded = p->codes && p->method->gradients.place == CODEC_ON_CPU;
    int64_t whole = p->job->batch % a->workers ? p->job->batch % a->workers : a->workers;
    int pool = -1;

    for (int64_t w = 0; w < p->placed; w++) {
        int number = (int)w;
        if (coded && w % a->workers_per_machine == 0)
            pool = engine_resource(g->e, "codec", (int)(w / a->workers_per_machine), (int)a->gradients.threads);
        g->crews[w] = (struct ar_worker){ .stream = engine_resource(g->e, gpu ? "gpu" : "cpu", number, 1),
                                          .copy_out = -1,
                                          .copy_in = -1,
                                          .pool = pool,
                                          .slots = -1,
                                          .share = w < whole ? SHARE_LARGER : SHARE_SMALLER,
                                          .last = -1 };
        if (a->unevenness > 0)
            g->crews[w].slots = engine_resource(g->e, "bucket", number, (int)a->streams);
        if (gpu && (coded || a->offload_share > 0)) {
            g->crews[w].copy_out = engine_resource(g->e, "copy-out", number, 1);
            g->crews[w].copy_in = engine_resource(g->e, "copy-in", number, 1);
        }
    }
    g->slots = engine_resource(g->e, "bucket", 0, (int)a->streams);
    g->starts = p->start_ps && !a->start_alone ? engine_resource(g->e, "start", 0, 1) : -1;
    g->link = -1;
    if (a->algorithm == COLLECTIVE_MEASURED) {
        g->link = engine_resource(g->e, "collective", 0, 1);
    } else if (p->timed) {
        const char *link = p->job->platform->network.link, *peer = p->job->platform->gpu.peer_link;
        bool between = a->workers > a->workers_per_machine;
        g->link = engine_resource(g->e, between && link && *link ? link : peer && *peer ? peer : "link", 0, 1);
    }
}

/* Workers that have the result at one time, and begin the next step so, do the same from the first step on; the others
 * fall into a rhythm. */
static bool alike(const struct ar_plan *p)
{
    const struct allreduce *a = p->method;

    return a->workers == 1 || (a->workers_per_machine == 1 && !(a->unevenness > 0) && p->job->batch % a->workers == 0 &&
                               a->algorithm != COLLECTIVE_TREE && a->algorithm != COLLECTIVE_HALVING_DOUBLING);
}

int ar_new(const struct ar_plan *p, struct ar_step *g, char *why, size_t nwhy)
{
    size_t n = (size_t)p->placed;
    int64_t period = p->local_steps, steps = p->method->steps;

    *g = (struct ar_step){ .plan = p, .e = engine_new() };
    g->warm = period * (alike(p) ? 1 : 3); /* whole periods: every window holds as many exchanges */
    g->measured = (steps + period - 1) / period * period;
    g->crews = malloc(n * sizeof(*g->crews));
    g->updated = malloc((p->nbuckets + 1) * n * sizeof(int));
    g->fetched = malloc((p->job->model->nlayers + 1) * n * sizeof(int));
    g->ready = malloc(2 * n * sizeof(int));
    g->ends = malloc((size_t)(g->warm + g->measured) * sizeof(int));
    if (!g->e || !g->crews || !g->updated || !g->fetched || !g->ready || !g->ends)
        return E_NOMEM;
    g->done = g->ready + n;
    for (size_t i = 0; i < p->nbuckets * n; i++)
        g->updated[i] = -1;
    add_crews(g);
    return topology_new(&p->platform, g->e, NULL, &g->topology, why, nwhy);
}

void ar_free(struct ar_step *g)
{
    topology_free(g->topology);
    engine_free(g->e);
    free(g->crews);
    free(g->updated);
    free(g->fetched);
    free(g->ready);
    free(g->ends);
}
