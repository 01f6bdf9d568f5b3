/* server.c - the server's part of a step: the mean of the gradients, the update, and what the workers get of it. */
#include <stdlib.h>
#include <string.h>

#include "train/trainer/private.h"

static float *room(int64_t n)
{
    return aligned_alloc(64, (size_t)(4 * n + 127) / 64 * 64);
}

static _Bool plain(const struct exchange_edge *e)
{
    return !e->codec;
}

struct lane *trainer_host(struct trainer *t)
{
    return t->host.handle ? &t->host : &t->lanes[0];
}

static int open_in_backend(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct lane *l = &t->lanes[0];
    size_t dense = 4 * (size_t)t->map.ndense;
    _Bool device = l->backend->on_device;

    if (device || t->resident)
        c->gradient = l->backend->alloc(l->handle, dense * (size_t)t->nlanes);
    if (t->resident)
        c->velocity = l->backend->alloc(l->handle, dense);
    c->model = l->backend->alloc(l->handle, dense);
    c->tables = l->backend->alloc(l->handle, 4 * (size_t)t->map.ntable + 4);
    if (c->model && c->tables && (c->gradient || !(device || t->resident)) && (c->velocity || !t->resident))
        return 0;
    return trainer_lane_failed(t, l);
}

static int open_copies(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    int64_t n = t->map.ndense;
    _Bool device = t->lanes[0].backend->on_device;

    c->host_model = device ? room(n) : c->model;
    c->server = plain(&t->options.exchange.pull) ? c->host_model : room(n);
    if (!t->resident) {
        c->velocity = room(n);
        c->mean = room(n);
        c->before = plain(&t->options.exchange.pull) ? c->server : room(n);
    }
    if (!c->host_model || !c->server || (!t->resident && (!c->velocity || !c->mean || !c->before)))
        return trainer_fail(t, TRAINER_ENOMEM, "out of memory");
    return 0;
}

/* A new model: the workers begin with what the server has. */
static int begin(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct lane *l = &t->lanes[0], *updater = t->resident ? l : trainer_host(t);
    float *tables = room(t->map.ntable);
    size_t dense = 4 * (size_t)t->map.ndense;
    int rc = tables ? 0 : trainer_fail(t, TRAINER_ENOMEM, "out of memory");

    if (rc)
        return rc;
    parameters_initialize(&t->map, t->model, &t->options.initialization, t->options.seed, c->server, tables);
    if (c->host_model != c->server)
        memcpy(c->host_model, c->server, dense);
    if (updater->backend->zero(updater->handle, c->velocity, dense, NULL) ||
        lane_upload(l, c->tables, tables, 4 * (size_t)t->map.ntable) || l->backend->finish(l->handle, NULL))
        rc = trainer_lane_failed(t, l);
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
    struct lane *l = t->lanes ? &t->lanes[0] : NULL;

    if (c->before != c->server)
        free(c->before);
    if (c->server != c->host_model)
        free(c->server);
    if (c->host_model != c->model)
        free(c->host_model);
    if (!t->resident)
        free(c->velocity);
    free(c->mean);
    if (l && l->handle) {
        if (t->resident)
            l->backend->release(l->handle, c->velocity);
        l->backend->release(l->handle, c->model);
        l->backend->release(l->handle, c->tables);
        l->backend->release(l->handle, c->gradient);
    }
    *c = (struct parameter_copies){ 0 };
}

static int update(struct trainer *t, struct lane *l, const float *gradient, float *weights, double rate)
{
    const struct trainer_options *o = &t->options;

    if (l->backend->sgd_update(l->handle, t->map.ndense, (float)rate, (float)o->momentum, (float)o->weight_decay,
                               gradient, t->copies.velocity, weights, NULL))
        return trainer_fail(t, TRAINER_EFAILED, "%s", l->backend->error(l->handle));
    return 0;
}

/* Uncompressed values stay where they are; what would travel is told all the same. */
static void note_plain(struct trainer *t, enum exchange_way way)
{
    for (size_t i = 0; i < t->map.ntensors; i++) {
        t->exchange.traffic[i].bytes[way] = 4 * t->map.tensors[i].n;
        t->exchange.traffic[i].zeros[way] = 0;
    }
}

static int average(struct trainer *t)
{
    const float **gradients = malloc((size_t)t->options.workers * sizeof(*gradients));

    if (!gradients)
        return trainer_fail(t, TRAINER_ENOMEM, "out of memory");
    for (int64_t w = 0; w < t->options.workers; w++)
        gradients[w] = t->workers[w].gradient;
    exchange_push(&t->exchange, gradients, t->copies.mean);
    free(gradients);
    return 0;
}

int server_update(struct trainer *t, double rate)
{
    struct parameter_copies *c = &t->copies;
    int rc;

    if (t->resident) {
        note_plain(t, EXCHANGE_PUSH);
        return update(t, &t->lanes[0], c->gradient, c->model, rate);
    }
    rc = average(t);
    if (!rc && c->before != c->server)
        memcpy(c->before, c->server, 4 * (size_t)t->map.ndense);
    return rc ? rc : update(t, trainer_host(t), c->mean, c->server, rate);
}

int server_publish(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct lane *l = &t->lanes[0];

    if (plain(&t->options.exchange.pull))
        note_plain(t, EXCHANGE_PULL);
    else
        exchange_pull(&t->exchange, c->before, c->server, c->host_model);
    if (t->resident || c->host_model == c->model)
        return 0;
    return lane_upload(l, c->model, c->host_model, 4 * (size_t)t->map.ndense) ? trainer_lane_failed(t, l) : 0;
}

int server_send(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;
    struct lane *l = &t->lanes[0];

    if (c->host_model == c->model)
        return 0;
    if (lane_upload(l, c->model, c->host_model, 4 * (size_t)t->map.ndense) || l->backend->finish(l->handle, NULL))
        return trainer_lane_failed(t, l);
    return 0;
}

/* Weights that travel as such are sent before the first step as before every other. */
int server_begin(struct trainer *t)
{
    if (t->options.exchange.pull_weights && !plain(&t->options.exchange.pull))
        exchange_pull(&t->exchange, t->copies.server, t->copies.server, t->copies.host_model);
    return server_send(t);
}

int server_fetch(struct trainer *t)
{
    struct parameter_copies *c = &t->copies;

    if (!t->resident || c->host_model == c->model)
        return 0;
    return lane_download(&t->lanes[0], c->server, c->model, 4 * (size_t)t->map.ndense)
               ? trainer_lane_failed(t, &t->lanes[0])
               : 0;
}
