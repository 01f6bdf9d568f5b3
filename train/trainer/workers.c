/* workers.c - the gradients of a step: batches, forward, backward. Each thread has a context and takes several
 * workers. */
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "train/draw.h"
#include "train/net/shapes.h"
#include "train/trainer/private.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* Values of a sample that embeddings put out, layer by layer; their errors are what changes the tables. */
static int64_t row_error_values(const struct model *m)
{
    int64_t n = 0;

    for (size_t l = 0; l < m->nlayers; l++)
        if (m->layers[l].kind == LAYER_EMBEDDING)
            n += m->layers[l].activations;
    return n;
}

/* Of another peer's worker: its rows, and what the server gets of it. */
static int open_worker(struct trainer *t, struct worker *w, bool mine)
{
    const struct data_shape *s = &t->data->shape;
    struct context *context = &t->contexts[0];
    size_t batch = (size_t)t->options.batch, values = (size_t)(s->channels * s->height * s->width);

    if (!mine)
        values = 0;
    w->batch.images = trainer_alloc(4 * batch * values);
    w->batch.ids = trainer_alloc(4 * batch * (size_t)s->ids);
    w->ids = trainer_alloc(4 * (size_t)s->ids);
    w->batch.labels = trainer_alloc(4 * batch * (size_t)s->labels);
    w->index = malloc(batch * sizeof(*w->index));
    w->thresholds = calloc(mask_thresholds(&t->mask) + 1, sizeof(*w->thresholds));
    if (!w->batch.images || !w->batch.ids || !w->ids || !w->batch.labels || !w->index || !w->thresholds)
        return E_NOMEM;
    if (t->row_error_values) {
        w->row_errors = context->backend->alloc(context->handle, 4 * batch * (size_t)t->row_error_values);
        if (!w->row_errors)
            return trainer_context_failed(t, context);
    }
    if (t->resident || !(mine || peers_serve(t)))
        return 0;
    w->gradient = trainer_alloc(4 * (size_t)t->map.ndense);
    return w->gradient ? 0 : E_NOMEM;
}

int workers_open(struct trainer *t)
{
    int rc = 0;

    t->row_error_values = row_error_values(t->model);
    t->workers = calloc((size_t)t->options.workers, sizeof(*t->workers));
    if (!t->workers)
        return E_NOMEM;
    for (int64_t w = 0; w < t->options.workers && !rc; w++)
        rc = open_worker(t, &t->workers[w], w >= t->first && w < t->first + t->nworkers);
    return rc;
}

void workers_close(struct trainer *t)
{
    for (int64_t w = 0; t->workers && w < t->options.workers; w++) {
        struct worker *k = &t->workers[w];

        free(k->batch.images);
        free(k->batch.ids);
        free(k->ids);
        free(k->batch.labels);
        free(k->index);
        free(k->gradient);
        free(k->thresholds);
        if (k->row_errors)
            t->contexts[0].backend->release(t->contexts[0].handle, k->row_errors);
    }
    free(t->workers);
    t->workers = NULL;
}

/* A seed of 0 asks for the sample as it is. */
static uint64_t variation(const struct trainer *t, int64_t w, int64_t i)
{
    uint64_t place = (uint64_t)(t->so_far.steps * t->options.batch + i);

    return t->options.augment ? draw_seed(t->options.seed, DRAW_AUGMENT, (uint32_t)w, place) | 1 : 0;
}

static int fetch(const struct trainer *t, int64_t w, char *why, size_t nwhy)
{
    const struct data_shape *s = &t->data->shape;
    const struct worker *k = &t->workers[w];
    int64_t values = s->channels * s->height * s->width;

    for (int64_t i = 0; i < t->options.batch; i++) {
        if (t->data->sample(t->data, DATA_TRAIN, k->index[i], variation(t, w, i), k->batch.images + i * values, k->ids,
                            k->batch.labels + i * s->labels, why, nwhy))
            return E_DATA;
        batch_put_ids(t->model, t->options.batch, i, k->ids, k->batch.ids);
    }
    return 0;
}

static int compute(struct trainer *t, struct context *context, int64_t w, float *gradient, const struct pass_hook *hook)
{
    struct worker *k = &t->workers[w];
    struct pass pass = {
        .net = &t->training,
        .map = &t->map,
        .dense = t->copies.model,
        .tables = t->copies.tables,
        .gradients = gradient,
        .row_errors = k->row_errors,
        .seed = draw_seed(t->options.seed, DRAW_DROPOUT, (uint32_t)w, 0),
        .step = (uint64_t)t->so_far.steps,
        .hook = hook,
    };
    float loss;
    int rc = context_feed(context, &t->training, &k->batch);

    if (!rc && context->backend->zero(context->handle, gradient, 4 * (size_t)t->map.ndense, NULL))
        return E_FAILED;
    rc = rc ? rc : pass_run(&pass, context);
    rc = rc ? rc : context_download(context, &loss, context->loss, sizeof(loss));
    if (!rc)
        k->loss = loss;
    return rc;
}

struct pushing {
    struct trainer *t;
    int64_t worker;
};

static void push_one(void *context, size_t tensor)
{
    const struct pushing *p = context;

    exchange_push(&p->t->exchange, tensor, p->worker, p->t->workers[p->worker].gradient);
}

/* By the thread that has just computed it; with a single context all threads help. */
static void push(struct trainer *t, int64_t w)
{
    struct pushing p = { t, w };

    if (t->ncontexts == 1)
        exchange_each(&t->exchange, push_one, &p);
    else
        for (size_t i = 0; i < t->map.ntensors; i++)
            push_one(&p, i);
}

/* On the CPU a gradient is computed where the worker keeps it; on a device it is brought there. */
static int work(struct trainer *t, int thread, int64_t w, char *why, size_t nwhy)
{
    struct context *context = &t->contexts[thread];
    struct worker *k = &t->workers[w];
    struct mask_run masks = { 0 };
    struct pass_hook hook = { 0 };
    bool masked = t->mask.options.nlayers && (t->mask.options.dropped > 0 || t->watches),
         away = t->resident || context->backend->on_device;
    float *gradient = away ? t->copies.gradient + thread * t->map.ndense : k->gradient;
    int rc = fetch(t, w, why, nwhy);

    if (!rc && masked)
        rc = mask_run_open(&t->mask, &t->training, t->watches ? k->thresholds : NULL, &masks);
    if (rc)
        return rc;
    hook = mask_hook(&masks);
    if (!thread)
        peers_begin(t, TRAINER_COMPUTE);
    rc = compute(t, context, w, gradient, masked ? &hook : NULL);
    if (!rc && away && !t->resident)
        rc = context_download(context, k->gradient, gradient, 4 * (size_t)t->map.ndense);
    if (!thread)
        peers_begin(t, TRAINER_ENCODE);
    if (!rc && !t->resident)
        push(t, w);
    k->masked = masks.traffic;
    mask_run_close(&masks);
    return rc;
}

/* Another split of this step's images, the same for all workers. */
static int split_again(struct trainer *t)
{
    struct split_spec spec = t->options.split;
    struct net net;
    int rc;

    if (!t->stochastic)
        return 0;
    spec.seed = (int64_t)(draw_seed(t->options.seed, DRAW_SPLIT, 0, (uint64_t)t->so_far.steps) >> 1);
    rc = net_make(t->model, NET_TRAIN, t->options.batch, &spec, t->contexts[0].backend, t->contexts[0].handle, &net,
                  t->why, sizeof(t->why));
    if (rc)
        return rc;
    net_free(&t->training);
    t->training = net;
    for (int i = 0; i < t->ncontexts && !rc; i++)
        rc = context_reserve(&t->contexts[i], &t->training) ? trainer_context_failed(t, &t->contexts[i]) : 0;
    return rc;
}

static int set_precision(struct trainer *t)
{
    for (int i = 0; i < t->ncontexts; i++) {
        struct context *context = &t->contexts[i];

        context->backend->set_chains(context->handle, t->options.chains);
        if (context->backend->set_precision(context->handle, policies_mode(t)))
            return trainer_fail(t, E_FAILED, "%s", context->backend->error(context->handle));
    }
    return 0;
}

/* The workers of a thread, one after another; which thread has which worker changes no bit. Thread 0 computes the first
 * worker last, so that context 0 is left with its statistics. */
static int thread_works(struct trainer *t, int thread, char *why, size_t nwhy)
{
    int rc = 0;

    for (int64_t w = (t->nworkers - 1 - thread) / t->ncontexts * t->ncontexts + thread; w >= 0 && t->nworkers && !rc;
         w -= t->ncontexts)
        rc = work(t, thread, t->first + w, why, nwhy);
    return rc;
}

/* A single context runs outside any parallel region: inside one, OpenMP would start new threads for every operation. */
static int all_work(struct trainer *t, int *rcs, char (*whys)[256])
{
    int failed = 0;

    if (t->ncontexts == 1)
        rcs[0] = thread_works(t, 0, whys[0], sizeof(whys[0]));
    else {
#ifdef _OPENMP
#pragma omp parallel for schedule(static, 1) num_threads(t->ncontexts)
#endif
        for (int thread = 0; thread < t->ncontexts; thread++)
            rcs[thread] = thread_works(t, thread, whys[thread], sizeof(whys[thread]));
    }
    for (int thread = 0; thread < t->ncontexts && !failed; thread++) {
        if (rcs[thread] == E_FAILED)
            failed = trainer_context_failed(t, &t->contexts[thread]);
        else if (rcs[thread])
            failed = trainer_fail(t, rcs[thread], "%s", rcs[thread] == E_NOMEM ? "out of memory" : whys[thread]);
    }
    return failed;
}

int workers_step(struct trainer *t)
{
    int *rcs = calloc((size_t)t->ncontexts, sizeof(*rcs));
    char(*whys)[256] = calloc((size_t)t->ncontexts, sizeof(*whys));
    int rc = rcs && whys ? 0 : trainer_fail(t, E_NOMEM, "out of memory");

    rc = rc ? rc : split_again(t);
    rc = rc ? rc : set_precision(t);
    for (int64_t w = t->first; w < t->first + t->nworkers && !rc; w++)
        order_batch(&t->order, t->so_far.steps, w, t->workers[w].index);
    rc = rc ? rc : all_work(t, rcs, whys);
    free(rcs);
    free(whys);
    return rc;
}

/* Worker after worker, so that a row that two of them looked up is changed in one order. */
static int update_rows(struct trainer *t, struct worker *k, float rate)
{
    struct context *context = &t->contexts[0];
    const float *errors = k->row_errors;
    int64_t ids = 0;
    int rc = context_upload(context, context->ids, k->batch.ids, 4 * (size_t)(t->options.batch * t->data->shape.ids));

    for (size_t l = 0; l < t->model->nlayers && !rc; l++) {
        const struct layer *y = &t->model->layers[l];

        if (y->kind == LAYER_EMBEDDING) {
            struct bag_shape s = shapes_bag(&t->training.graph, l);

            rc = context->backend->bag_update(context->handle, &s, rate, context->ids + ids, errors,
                                              t->copies.tables + t->map.layers[l].table, NULL);
            errors += t->options.batch * y->activations;
        }
        ids += t->options.batch * layer_ids(y);
    }
    return rc ? trainer_context_failed(t, context) : 0;
}

int workers_update_tables(struct trainer *t, double rate)
{
    int rc = 0;

    for (int64_t w = 0; w < t->options.workers && t->row_error_values && !rc; w++)
        rc = update_rows(t, &t->workers[w], (float)(rate / (double)t->options.workers));
    return rc;
}
