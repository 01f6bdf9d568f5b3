#include "train/exchange/exchange.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/adt/adt.h"
#include "kernels/dct/dct.h"
#include "kernels/dct/dct_lane.h"
#include "train/draw.h"
#include "train/ops/cpu.h"

#ifdef _OPENMP
#include <omp.h>
#endif

/* A context: one tensor of one worker's push, or of the pull. */
struct context {
    const struct codec *codec; /* NULL: as it is */
    const struct codec_impl *impl;
    struct codec_params params;
    size_t state; /* offset among the contexts */
};

/* Of one thread. */
struct scratch {
    uint8_t *payload, *work;
    float *values;
};

struct exchange_private {
    struct context *push, *pull; /* [tensor * workers + worker], [tensor] */
    struct scratch *scratch;
    int nscratch;
    uint8_t *memory; /* of all scratch */
};

static size_t aligned(size_t nbytes)
{
    return (nbytes + CODEC_ALIGN - 1) / CODEC_ALIGN * CODEC_ALIGN;
}

static int threads(void)
{
#ifdef _OPENMP
    return omp_get_max_threads();
#else
    return 1;
#endif
}

static struct scratch *scratch_of_thread(struct exchange_private *p)
{
#ifdef _OPENMP
    return &p->scratch[omp_get_thread_num()];
#else
    return p->scratch;
#endif
}

static const struct exchange_edge *edge_of(const struct exchange *x, enum exchange_way way)
{
    return way == EXCHANGE_PUSH ? &x->options.push : &x->options.pull;
}

_Bool exchange_compresses(const struct exchange *x, enum exchange_way way, size_t tensor)
{
    const struct parameter_tensor *t = &x->map->tensors[tensor];

    return edge_of(x, way)->codec && !t->biases && t->n >= x->options.smallest;
}

/* Seeds are parameters, which are doubles: 53 bits. */
static void set_seed(struct context *c, uint64_t seed, uint32_t tensor, uint32_t worker)
{
    for (int i = 0; c->codec->param[i].name; i++)
        if (!strcmp(c->codec->param[i].name, "seed"))
            c->params.value[i] = (double)(draw_seed(seed, tensor, worker, 0) >> 11);
}

/* 'at' grows by the room that the context's state takes. */
static struct context context_of(const struct exchange *x, enum exchange_way way, size_t tensor, uint32_t worker,
                                 size_t *at)
{
    const struct exchange_edge *edge = edge_of(x, way);
    struct context c = { .params = edge->params, .state = *at };

    if (!exchange_compresses(x, way, tensor))
        return c;
    c.codec = edge->codec;
    c.impl = codec_choose(c.codec, NULL, 0);
    assert(c.impl); /* the reference runs anywhere */
    set_seed(&c, x->options.seed, (uint32_t)tensor, worker);
    *at += aligned(c.codec->state_size((size_t)x->map->tensors[tensor].n, &c.params));
    return c;
}

static int make_contexts(struct exchange *x)
{
    struct exchange_private *p = x->own;
    size_t workers = (size_t)x->options.workers, at = 0;

    p->push = calloc(x->map->ntensors * workers + 1, sizeof(*p->push));
    p->pull = calloc(x->map->ntensors + 1, sizeof(*p->pull));
    if (!p->push || !p->pull)
        return EXCHANGE_ENOMEM;
    for (size_t t = 0; t < x->map->ntensors; t++) {
        for (size_t w = 0; w < workers; w++)
            p->push[t * workers + w] = context_of(x, EXCHANGE_PUSH, t, (uint32_t)w, &at);
        p->pull[t] = context_of(x, EXCHANGE_PULL, t, (uint32_t)workers, &at);
    }
    x->ncontexts = at;
    x->contexts = aligned_alloc(CODEC_ALIGN, at + CODEC_ALIGN);
    if (!x->contexts)
        return EXCHANGE_ENOMEM;
    memset(x->contexts, 0, at + CODEC_ALIGN);
    return 0;
}

static void note_size(const struct context *c, size_t n, size_t *payload, size_t *work)
{
    struct codec_params p = c->params;

    if (!c->codec)
        return;
    if (!strcmp(c->codec->name, "adt"))
        p.value[0] = 4; /* as wide as 'keep' can make it */
    size_t bound = c->codec->payload_bound(n, &p), needed = c->codec->work_size(n, &p);
    *payload = bound > *payload ? bound : *payload;
    *work = needed > *work ? needed : *work;
}

static int make_scratch(struct exchange *x)
{
    struct exchange_private *p = x->own;
    size_t payload = 0, work = 0, values = 0, each;

    for (size_t t = 0; t < x->map->ntensors; t++) {
        size_t n = (size_t)x->map->tensors[t].n;

        note_size(&p->push[t * (size_t)x->options.workers], n, &payload, &work);
        note_size(&p->pull[t], n, &payload, &work);
        values = 4 * n > values ? 4 * n : values;
    }
    payload = aligned(payload), work = aligned(work), values = aligned(values);
    each = payload + work + values;
    p->nscratch = threads();
    p->scratch = calloc((size_t)p->nscratch, sizeof(*p->scratch));
    p->memory = aligned_alloc(CODEC_ALIGN, each * (size_t)p->nscratch + CODEC_ALIGN);
    if (!p->scratch || !p->memory)
        return EXCHANGE_ENOMEM;
    for (int i = 0; i < p->nscratch; i++) {
        uint8_t *at = p->memory + each * (size_t)i;

        p->scratch[i] = (struct scratch){ at, at + payload, (float *)(void *)(at + payload + work) };
    }
    return 0;
}

int exchange_open(const struct parameter_map *map, const struct exchange_options *options, struct exchange *out)
{
    struct exchange x = { .map = map, .options = *options };
    int rc = EXCHANGE_ENOMEM;

    x.own = calloc(1, sizeof(*x.own));
    x.traffic = calloc(map->ntensors + 1, sizeof(*x.traffic));
    x.keep = calloc(map->ntensors + 1, sizeof(*x.keep));
    if (x.own && x.traffic && x.keep)
        rc = make_contexts(&x);
    if (!rc)
        rc = make_scratch(&x);
    if (rc)
        exchange_close(&x);
    else
        *out = x;
    return rc;
}

void exchange_close(struct exchange *x)
{
    if (x->own) {
        free(x->own->push);
        free(x->own->pull);
        free(x->own->scratch);
        free(x->own->memory);
    }
    free(x->own);
    free(x->traffic);
    free(x->keep);
    free(x->contexts);
    *x = (struct exchange){ 0 };
}

/* What came of one payload. */
struct arrival {
    int64_t bytes, zeros;
};

CPU_CLONES static int64_t zeros(const float *values, size_t n)
{
    int64_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += values[i] == 0;
    return count;
}

/* What the receiver makes of 'values', stored or added. Zeros are counted by reading the payload once more, so that looking changes no
 * bit: adding a zero is not the same as adding nothing. */
static struct arrival travel(const struct exchange *x, const struct context *c, struct scratch *s, const float *values,
                             size_t n, enum codec_into into, float *received)
{
    struct arrival a = { 0 };
    uint64_t nbytes = 0;
    int fault = CODEC_OK;

    c->impl->compress(s->payload, &nbytes, values, n, &c->params, x->contexts + c->state, s->work);
    c->impl->decompress(received, n, into, s->payload, nbytes, &c->params, s->work, &fault);
    assert(fault == CODEC_OK); /* nothing lies between the two */
    a.bytes = (int64_t)nbytes;
    if (x->count_zeros) {
        c->impl->decompress(s->values, n, CODEC_STORE, s->payload, nbytes, &c->params, s->work, &fault);
        a.zeros = zeros(s->values, n);
    }
    return a;
}

CPU_CLONES static void add(float *to, const float *from, size_t n)
{
    CPU_SIMD
    for (size_t i = 0; i < n; i++)
        to[i] += from[i];
}

CPU_CLONES static void scale(float *values, float factor, size_t n)
{
    CPU_SIMD
    for (size_t i = 0; i < n; i++)
        values[i] *= factor;
}

static double threshold_of(const struct exchange *x, const struct context *c)
{
    struct dct_state state;
    float threshold;

    if (c->codec != &codec_dct)
        return NAN;
    memcpy(&state, x->contexts + c->state, sizeof(state));
    memcpy(&threshold, &state.threshold, sizeof(threshold));
    return threshold;
}

static void push_tensor(struct exchange *x, size_t tensor, const float *const gradients[], float *mean)
{
    const struct parameter_tensor *t = &x->map->tensors[tensor];
    struct scratch *s = scratch_of_thread(x->own);
    size_t n = (size_t)t->n, workers = (size_t)x->options.workers;
    struct tensor_traffic *traffic = &x->traffic[tensor];
    float share = 1 / (float)workers;

    traffic->bytes[EXCHANGE_PUSH] = traffic->zeros[EXCHANGE_PUSH] = 0;
    for (size_t w = 0; w < workers; w++) {
        const struct context *c = &x->own->push[tensor * workers + w];
        const float *gradient = gradients[w] + t->at;
        struct arrival a = { .bytes = 4 * t->n };

        if (c->codec)
            a = travel(x, c, s, gradient, n, w ? CODEC_ADD : CODEC_STORE, mean);
        else if (w)
            add(mean, gradient, n);
        else
            memcpy(mean, gradient, 4 * n);
        traffic->bytes[EXCHANGE_PUSH] += a.bytes;
        traffic->zeros[EXCHANGE_PUSH] += a.zeros;
    }
    if (workers > 1)
        scale(mean, share, n);
    traffic->threshold = 0;
    for (size_t w = 0; w < workers; w++)
        traffic->threshold += threshold_of(x, &x->own->push[tensor * workers + w]) / (double)workers;
}

void exchange_push(struct exchange *x, const float *const gradients[], float *mean)
{
    int64_t n = (int64_t)x->map->ntensors;

#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(x->own->nscratch)
#endif
    for (int64_t t = 0; t < n; t++)
        push_tensor(x, (size_t)t, gradients, mean + x->map->tensors[t].at);
}

/* A change travels, and is added to what the workers have; or the weights travel. */
static struct arrival pull_values(struct exchange *x, size_t tensor, const float *change, const float *now,
                                  float *model)
{
    struct context c = x->own->pull[tensor];
    struct scratch *s = scratch_of_thread(x->own);
    size_t n = (size_t)x->map->tensors[tensor].n;

    if (!c.codec) {
        memcpy(model, now, 4 * n);
        return (struct arrival){ .bytes = 4 * (int64_t)n };
    }
    if (x->options.pull_weights) {
        if (x->keep[tensor])
            c.params.value[0] = x->keep[tensor];
        return travel(x, &c, s, now, n, CODEC_STORE, model);
    }
    return travel(x, &c, s, change, n, CODEC_ADD, model);
}

static void pull_tensor(struct exchange *x, size_t tensor, const float *change, const float *now, float *model)
{
    struct arrival a = pull_values(x, tensor, change, now, model);

    x->traffic[tensor].bytes[EXCHANGE_PULL] = a.bytes;
    x->traffic[tensor].zeros[EXCHANGE_PULL] = a.zeros;
}

void exchange_pull(struct exchange *x, const float *change, const float *now, float *model)
{
    int64_t n = (int64_t)x->map->ntensors;

#ifdef _OPENMP
#pragma omp parallel for schedule(dynamic) num_threads(x->own->nscratch)
#endif
    for (int64_t t = 0; t < n; t++) {
        int64_t at = x->map->tensors[t].at;

        pull_tensor(x, (size_t)t, change ? change + at : NULL, now + at, model + at);
    }
}
