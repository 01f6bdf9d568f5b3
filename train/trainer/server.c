/* server.c - the server's part of a step: the mean of the gradients, the update, and what the workers get of it. */
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "train/ops/cpu/cpu.h"
#include "train/trainer/private.h"

static bool plain(const struct exchange_edge *e)
{
    return !e->codec;
}

struct context *trainer_host(struct trainer *t)
{
    return t->host.handle ? &t->host : &t->contexts[0];
}

static int open_in_backend(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct context *context = &t->contexts[0];
    size_t dense = 4 * (size_t)t->map.ndense;
    bool device = context->backend->on_device;

    if (device || t->resident)
        c->gradient = context->backend->alloc(context->handle, dense * (size_t)t->ncontexts);
    if (t->resident)
        c->velocity = context->backend->alloc(context->handle, dense);
    c->model = context->backend->alloc(context->handle, dense);
    c->tables = context->backend->alloc(context->handle, 4 * (size_t)t->map.ntable + 4);
    if (c->model && c->tables && (c->gradient || !(device || t->resident)) && (c->velocity || !t->resident))
        return 0;
    return trainer_context_failed(t, context);
}

static int open_copies(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    size_t dense = 4 * (size_t)t->map.ndense;
    bool device = t->contexts[0].backend->on_device;

    c->host_model = device ? trainer_alloc(dense) : c->model;
    c->server = plain(&t->options.exchange.pull) || !peers_serve(t) ? c->host_model : trainer_alloc(dense);
    if (!t->resident && peers_serve(t)) {
        c->velocity = trainer_alloc(dense);
        c->change = exchange_pulls_change(&t->exchange) ? trainer_alloc(dense) : NULL;
    }
    if (!c->host_model || !c->server || (!t->resident && peers_serve(t) && !c->velocity) ||
        (exchange_pulls_change(&t->exchange) && peers_serve(t) && !c->change))
        return trainer_fail(t, E_NOMEM, "out of memory");
    return 0;
}

/* A new model: the workers begin with what the server has. */
static int begin(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct context *context = &t->contexts[0], *updater = t->resident ? context : trainer_host(t);
    float *tables = trainer_alloc(4 * (size_t)t->map.ntable);
    size_t dense = 4 * (size_t)t->map.ndense;
    int rc = tables ? 0 : trainer_fail(t, E_NOMEM, "out of memory");

    if (rc)
        return rc;
    parameters_initialize(&t->map, t->model, &t->options.initialization, t->options.seed, c->server, tables);
    if (c->host_model != c->server)
        memcpy(c->host_model, c->server, dense);
    if ((c->velocity && updater->backend->zero(updater->handle, c->velocity, dense, NULL)) ||
        context_upload(context, c->tables, tables, 4 * (size_t)t->map.ntable) ||
        context->backend->finish(context->handle, NULL))
        rc = trainer_context_failed(t, context);
    free(tables);
    return rc;
}

int server_open(struct trainer *t)
{
    int rc = open_in_backend(t);

    rc = rc ? rc : open_copies(t);
    rc = rc ? rc : begin(t);
    return rc;
}

void server_close(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct context *context = t->contexts ? &t->contexts[0] : NULL;

    free(c->change);
    if (c->server != c->host_model)
        free(c->server);
    if (c->host_model != c->model)
        free(c->host_model);
    if (!t->resident)
        free(c->velocity);
    if (context && context->handle) {
        if (t->resident)
            context->backend->release(context->handle, c->velocity);
        context->backend->release(context->handle, c->model);
        context->backend->release(context->handle, c->tables);
        context->backend->release(context->handle, c->gradient);
    }
    *c = (struct parameter_copies){ 0 };
}

static int update(struct trainer *t, struct context *context, int64_t n, const float *gradient, float *velocity,
                  float *weights, double rate)
{
    const struct trainer_options *o = &t->options;

    return context->backend->sgd_update(context->handle, n, (float)rate, (float)o->momentum, (float)o->weight_decay,
                                        gradient, velocity, weights, NULL);
}

static int update_failed(struct trainer *t, struct context *context)
{
    return trainer_fail(t, E_FAILED, "operations %s: %s", context->backend->name,
                        context->backend->error(context->handle));
}

CPU_CLONES static void subtract_from(float *before, const float *now, int64_t n)
{
    CPU_SIMD
    for (int64_t i = 0; i < n; i++)
        before[i] = now[i] - before[i];
}

/* Uncompressed values stay where they are; their bytes are counted all the same. */
static void note_plain(struct trainer *t, enum exchange_way way)
{
    for (size_t i = 0; i < t->map.ntensors; i++) {
        t->exchange.traffic[i].bytes[way] = 4 * t->map.tensors[i].n;
        t->exchange.traffic[i].zeros[way] = 0;
    }
}

/* What all tensors of a step have in common. */
struct turns {
    struct trainer *t;
    float **gradients; /* [worker] */
    double rate;
    int failed; /* by any thread */
};

/* A tensor's whole step while it is in the cache: its gradients arrive, it is updated, and the change goes out. Pulled
 * weights wait until all tensors are updated, since the policies then choose how many bytes of each are sent. */
static void turn(void *context, size_t tensor)
{
    struct turns *all = context;
    struct trainer *t = all->t;
    struct parameter_copies *c = &t->copies;
    int64_t at = t->map.tensors[tensor].at, n = t->map.tensors[tensor].n;

    exchange_mean(&t->exchange, tensor, all->gradients);
    if (c->change)
        memcpy(c->change + at, c->server + at, 4 * (size_t)n);
    if (update(t, trainer_host(t), n, all->gradients[0] + at, c->velocity + at, c->server + at, all->rate)) {
#ifdef _OPENMP
#pragma omp atomic write
#endif
        all->failed = 1;
    }
    if (c->change)
        subtract_from(c->change + at, c->server + at, n);
    if (!plain(&t->options.exchange.pull) && !t->options.exchange.pull_weights)
        exchange_pull(&t->exchange, tensor, c->change, c->server, c->host_model);
}

static int update_all(struct trainer *t, double rate)
{
    struct turns all = { .t = t,
                         .gradients = malloc((size_t)t->options.workers * sizeof(*all.gradients)),
                         .rate = rate };

    if (!all.gradients)
        return trainer_fail(t, E_NOMEM, "out of memory");
    for (int64_t w = 0; w < t->options.workers; w++)
        all.gradients[w] = t->workers[w].gradient;
    exchange_each(&t->exchange, turn, &all);
    free(all.gradients);
    return all.failed ? update_failed(t, trainer_host(t)) : 0;
}

int server_update(struct trainer *t, double rate)
{
    struct parameter_copies *c = &t->copies;
    struct context *context = &t->contexts[0];

    if (!t->resident)
        return update_all(t, rate);
    note_plain(t, EXCHANGE_PUSH);
    return update(t, context, t->map.ndense, c->gradient, c->velocity, c->model, rate) ? update_failed(t, context) : 0;
}

static void pull_weights(void *context, size_t tensor)
{
    struct trainer *t = context;

    exchange_pull(&t->exchange, tensor, NULL, t->copies.server, t->copies.host_model);
}

int server_publish(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct context *context = &t->contexts[0];

    if (plain(&t->options.exchange.pull))
        note_plain(t, EXCHANGE_PULL);
    else if (t->options.exchange.pull_weights)
        exchange_each(&t->exchange, pull_weights, t);
    if (t->resident || c->host_model == c->model)
        return 0;
    return context_upload(context, c->model, c->host_model, 4 * (size_t)t->map.ndense)
               ? trainer_context_failed(t, context)
               : 0;
}

int server_send(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct context *context = &t->contexts[0];

    if (c->host_model == c->model)
        return 0;
    if (context_upload(context, c->model, c->host_model, 4 * (size_t)t->map.ndense) ||
        context->backend->finish(context->handle, NULL))
        return trainer_context_failed(t, context);
    return 0;
}

/* Weights that travel as such are sent before the first step as before every other. */
int server_begin(struct trainer *t)
{
    if (t->options.exchange.pull_weights && !plain(&t->options.exchange.pull) && peers_serve(t))
        exchange_each(&t->exchange, pull_weights, t);
    return server_send(t);
}

int server_fetch(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;

    if (!t->resident || c->host_model == c->model)
        return 0;
    return context_download(&t->contexts[0], c->server, c->model, 4 * (size_t)t->map.ndense)
               ? trainer_context_failed(t, &t->contexts[0])
               : 0;
}
