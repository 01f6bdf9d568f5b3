#include "train/trainer/trainer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "train/net/shapes.h"
#include "train/trainer/private.h"

void *trainer_alloc(size_t nbytes)
{
    return aligned_alloc(64, (nbytes + 127) / 64 * 64);
}

int trainer_fail(struct trainer *t, int rc, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    vsnprintf(t->why, sizeof(t->why), format, args);
    va_end(args);
    return rc;
}

int trainer_context_failed(struct trainer *t, const struct context *context)
{
    return trainer_fail(t, E_FAILED, "operations %s: %s", context->backend->name, context->why);
}

const char *trainer_why(const struct trainer *t)
{
    return t->why;
}

const struct parameter_map *trainer_map(const struct trainer *t)
{
    return &t->map;
}

const struct exchange *trainer_exchange(const struct trainer *t)
{
    return &t->exchange;
}

int64_t trainer_steps_done(const struct trainer *t)
{
    return t->so_far.steps;
}

void trainer_count_zeros(struct trainer *t, bool on)
{
    t->exchange.count_zeros = on;
}

double trainer_split_share(const struct trainer *t)
{
    const struct split_net *s = &t->training.split;

    return s->convs_split ? (double)s->convs_split / (double)s->convs : 0;
}

void trainer_watch(struct trainer *t, bool on)
{
    t->watches = on && mask_thresholds(&t->mask);
}

const struct multiply_adds *trainer_multiply_adds(const struct trainer *t)
{
    return &t->so_far.multiply_adds;
}

double trainer_norm_change(const struct trainer *t)
{
    return t->options.awp.interval > 0 ? awp_mean_change(&t->awp) : NAN;
}

const float *trainer_weights(struct trainer *t)
{
    return server_fetch(t) ? NULL : t->copies.server;
}

static bool same_shape(const struct data_shape *s, const struct model *m)
{
    return s->channels * s->height * s->width == m->input.channels * m->input.height * m->input.width &&
           s->ids == model_ids(m) && s->labels == model_labels(m);
}

static int check(struct trainer *t)
{
    const struct trainer_options *o = &t->options;
    const struct data_source *d = t->data;
    const struct model *m = t->model;
    int64_t step = o->workers * o->batch;

    if (o->workers < 1 || o->batch < 1 || o->evaluation_batch < 1)
        return trainer_fail(t, E_INVAL, "workers, batch: expected 1 or more");
    if (!same_shape(&d->shape, m))
        return trainer_fail(
            t, E_INVAL,
            "data: samples of %lld values, %lld integers and %lld labels, the model %s takes %lld, %lld and %lld",
            (long long)(d->shape.channels * d->shape.height * d->shape.width), (long long)d->shape.ids,
            (long long)d->shape.labels, m->name, (long long)(m->input.channels * m->input.height * m->input.width),
            (long long)model_ids(m), (long long)model_labels(m));
    if (d->count[DATA_TRAIN] < step || d->count[DATA_TRAIN] > UINT32_MAX)
        return trainer_fail(t, E_INVAL, "data: %lld training samples, a step takes %lld workers x %lld = %lld",
                            (long long)d->count[DATA_TRAIN], (long long)o->workers, (long long)o->batch,
                            (long long)step);
    return 0;
}

static int open_contexts(struct trainer *t)
{
    const struct trainer_options *o = &t->options;
    bool side_by_side = t->nworkers > 1 && !o->backend->on_device && o->threads > 1;

    t->ncontexts = side_by_side ? (int)(o->threads < t->nworkers ? o->threads : t->nworkers) : 1;
    t->contexts = calloc((size_t)t->ncontexts, sizeof(*t->contexts));
    if (!t->contexts)
        return trainer_fail(t, E_NOMEM, "out of memory");
    for (int i = 0; i < t->ncontexts; i++)
        if (context_open(o->backend, &t->contexts[i]))
            return trainer_fail(t, E_FAILED, "operations %s: %s", o->backend->name, t->contexts[i].why);
    if (o->backend->on_device && context_open(&ops_reference, &t->host))
        return trainer_fail(t, E_FAILED, "operations %s: %s", ops_reference.name, t->host.why);
    return 0;
}

/* Evaluation is unsplit, unless it is to know the same cuts as training: even ones. */
static int open_nets(struct trainer *t)
{
    const struct trainer_options *o = &t->options;
    struct context *context = &t->contexts[0];
    struct split_spec even = o->split;
    int rc = net_make(t->model, NET_TRAIN, o->batch, o->split.depth > 0 ? &o->split : NULL, context->backend,
                      context->handle, &t->training, t->why, sizeof(t->why));

    even.wiggle = 0;
    rc = rc ? rc
            : net_make(t->model, NET_INFER, o->evaluation_batch, o->evaluate_split && o->split.depth > 0 ? &even : NULL,
                       context->backend, context->handle, &t->evaluating, t->why, sizeof(t->why));
    if (rc)
        return rc;
    for (int i = 0; i < t->ncontexts; i++)
        if (context_reserve(&t->contexts[i], &t->training) || context_reserve(&t->contexts[i], &t->evaluating))
            return trainer_context_failed(t, &t->contexts[i]);
    return 0;
}

static int open_exchange(struct trainer *t)
{
    struct exchange_options x = t->options.exchange;

    x.workers = t->options.workers;
    x.seed = t->options.seed;
    x.threads = t->ncontexts;
    x.apart = t->options.peers != NULL;
    if (exchange_open(&t->map, &x, &t->exchange))
        return trainer_fail(t, E_NOMEM, "out of memory");
    return 0;
}

static int open_mask(struct trainer *t)
{
    t->mask = (struct mask){ t->options.mask, t->model };
    t->thresholds = calloc(mask_thresholds(&t->mask) + 1, sizeof(*t->thresholds));
    return t->thresholds ? 0 : trainer_fail(t, E_NOMEM, "out of memory");
}

static int64_t place_of_target(const struct model *m)
{
    int64_t at = 0;

    for (size_t l = 0; l < m->nlayers; l++) {
        if (m->layers[l].kind == LAYER_TOKENS && m->layers[l].stream == STREAM_TARGET)
            return at;
        at += layer_ids(&m->layers[l]);
    }
    return -1;
}

static int open_all(struct trainer *t)
{
    const struct trainer_options *o = &t->options;
    int rc = check(t);

    rc = rc ? rc : peers_open(t);
    t->stochastic = o->split.depth > 0 && o->split.wiggle > 0;
    t->resident = o->workers == 1 && !o->exchange.push.codec && !o->exchange.pull.codec && !o->peers;
    t->target_at = place_of_target(t->model);
    rc = rc ? rc : open_mask(t);
    if (!rc && parameter_map_make(t->model, &t->map))
        rc = trainer_fail(t, E_NOMEM, "out of memory");
    rc = rc ? rc : open_contexts(t);
    rc = rc ? rc : open_nets(t);
    rc = rc ? rc : open_exchange(t);
    rc = rc ? rc : server_open(t);
    rc = rc ? rc : workers_open(t);
    rc = rc ? rc : statistics_open(t);
    rc = rc ? rc : policies_open(t);
    rc = rc ? rc : server_begin(t);
    if (!rc && order_open(!o->in_order, o->seed, t->data->count[DATA_TRAIN], o->workers, o->batch, &t->order))
        rc = trainer_fail(t, E_NOMEM, "out of memory");
    return rc;
}

int trainer_open(const struct trainer_options *options, const struct model *model, const struct data_source *data,
                 struct trainer **out, char *why, size_t nwhy)
{
    struct trainer *t = calloc(1, sizeof(*t));
    int rc = E_NOMEM;

    if (t) {
        t->options = *options;
        t->model = model;
        t->data = data;
        rc = open_all(t);
    }
    if (rc) {
        snprintf(why, nwhy, "%s", t && t->why[0] ? t->why : "out of memory");
        trainer_close(t);
        return rc;
    }
    *out = t;
    return 0;
}

void trainer_close(struct trainer *t)
{
    if (!t)
        return;
    workers_close(t);
    server_close(t);
    policies_close(t);
    peers_close(t);
    exchange_close(&t->exchange);
    order_close(&t->order);
    net_free(&t->training);
    net_free(&t->evaluating);
    for (int i = 0; t->contexts && i < t->ncontexts; i++)
        context_close(&t->contexts[i]);
    free(t->contexts);
    context_close(&t->host);
    parameter_map_free(&t->map);
    free(t->running);
    free(t->fresh);
    free(t->staged_velocity);
    free(t->staged_tables);
    free(t->thresholds);
    free(t);
}

/* Worker after worker, so that the sum's order is one. */
static const double *mean_thresholds(struct trainer *t)
{
    for (size_t i = 0; t->watches && i < mask_thresholds(&t->mask); i++) {
        double sum = 0;

        for (int64_t w = 0; w < t->options.workers; w++)
            sum += t->workers[w].thresholds[i];
        t->thresholds[i] = sum / (double)t->options.workers;
    }
    return t->watches ? t->thresholds : NULL;
}

static void report(struct trainer *t, struct step_report *r)
{
    for (size_t i = 0; i < t->map.ntensors; i++) {
        r->push_bytes += t->exchange.traffic[i].bytes[EXCHANGE_PUSH];
        r->pull_bytes += t->exchange.traffic[i].bytes[EXCHANGE_PULL];
    }
    for (int64_t w = 0; w < t->options.workers; w++)
        for (int way = 0; way < 2; way++)
            r->mask_bytes[way] += t->workers[w].masked.bytes[way];
    r->samples = t->options.workers * t->options.batch;
    r->thresholds = mean_thresholds(t);
    r->traffic = t->exchange.traffic;
    r->bytes_per_weight = t->exchange.bytes_per_weight;
    trainer_count_step(t, &r->multiply_adds);
}

/* The server's part, and the report of what only the server knows. */
static int serve(struct trainer *t, struct step_report *r)
{
    int rc;

    for (int64_t w = 0; w < t->options.workers; w++)
        r->loss += t->workers[w].loss;
    r->loss /= (double)t->options.workers;
    peers_begin(t, TRAINER_UPDATE);
    rc = statistics_learn(t);
    rc = rc ? rc : workers_update_tables(t, r->rate);
    rc = rc ? rc : server_update(t, r->rate);
    if (rc)
        return rc;
    t->so_far.steps++;
    policies_step(t, r->loss);
    r->ema = policies_ema(t);
    rc = server_publish(t);
    rc = rc ? rc : peers_pull(t, &r->loss);
    if (!rc)
        report(t, r);
    return rc;
}

/* A peer's part: it gets what the server has made of the step. */
static int follow(struct trainer *t, struct step_report *r)
{
    int rc = peers_pull(t, &r->loss);

    peers_begin(t, TRAINER_UPDATE);
    rc = rc ? rc : workers_update_tables(t, r->rate);
    if (rc)
        return rc;
    t->so_far.steps++;
    policies_step(t, r->loss);
    r->ema = policies_ema(t);
    return server_send(t);
}

int trainer_step(struct trainer *t, struct step_report *out)
{
    struct step_report r = { .step = t->so_far.steps,
                             .epoch = t->so_far.steps / order_steps(&t->order),
                             .rate = rate_at(&t->options.rate, t->so_far.steps),
                             .mode = policies_mode(t) };
    int rc;

    peers_begin(t, TRAINER_COMPUTE);
    rc = workers_step(t);
    rc = rc ? rc : statistics_fetch(t);
    rc = rc ? rc : peers_push(t);
    if (!rc)
        rc = peers_serve(t) ? serve(t, &r) : follow(t, &r);
    peers_begin(t, TRAINER_PARTS);
    if (!rc)
        *out = r;
    return rc;
}
