/* open.c - who compresses what, with which state; and the memory for it. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "train/draw.h"
#include "train/exchange/private.h"

#ifdef _OPENMP
#include <omp.h>
#endif

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

static const struct exchange_edge *edge_of(const struct exchange *x, enum exchange_way way)
{
    return way == EXCHANGE_PUSH ? &x->options.push : &x->options.pull;
}

bool exchange_compresses(const struct exchange *x, enum exchange_way way, size_t tensor)
{
    const struct parameter_tensor *t = &x->map->tensors[tensor];

    return edge_of(x, way)->codec && !t->biases && t->n >= x->options.smallest;
}

bool exchange_pulls_in_one_go(const struct exchange *x)
{
    return x->options.pull.codec && x->options.pull.codec->pulls && !x->options.pull_weights;
}

bool exchange_pulls_change(const struct exchange *x)
{
    return x->options.pull.codec && !x->options.pull_weights && !exchange_pulls_in_one_go(x);
}

/* Seeds are parameters, which are doubles: 53 bits. */
static void set_seed(struct codec_context *c, uint64_t seed, uint32_t tensor, uint32_t worker)
{
    for (int i = 0; c->codec->param[i].name; i++)
        if (!strcmp(c->codec->param[i].name, "seed"))
            c->params.value[i] = (double)(draw_seed(seed, tensor, worker, 0) >> 11);
}

/* Advances 'at' past the context's state. */
static struct codec_context codec_context_of(const struct exchange *x, enum exchange_way way, size_t tensor,
                                             uint32_t worker, size_t *at)
{
    const struct exchange_edge *edge = edge_of(x, way);
    struct codec_context c = { .params = edge->params, .state = *at };
    bool in_one_go = way == EXCHANGE_PULL && exchange_pulls_in_one_go(x);

    if (!exchange_compresses(x, way, tensor))
        return c;
    c.codec = edge->codec;
    c.impl = in_one_go ? codec_choose_pull(c.codec, NULL, 0) : codec_choose(c.codec, NULL, 0);
    assert(c.impl); /* the reference runs anywhere */
    set_seed(&c, x->options.seed, (uint32_t)tensor, worker);
    if (!in_one_go)
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
        return E_NOMEM;
    for (size_t t = 0; t < x->map->ntensors; t++) {
        for (size_t w = 0; w < workers; w++)
            p->push[t * workers + w] = codec_context_of(x, EXCHANGE_PUSH, t, (uint32_t)w, &at);
        p->pull[t] = codec_context_of(x, EXCHANGE_PULL, t, (uint32_t)workers, &at);
    }
    x->nstates = at;
    p->states = calloc(1, at + 2 * (size_t)CODEC_ALIGN); /* what is never written takes no memory: others' workers */
    if (!p->states)
        return E_NOMEM;
    x->states = p->states + (CODEC_ALIGN - (uintptr_t)p->states % CODEC_ALIGN) % CODEC_ALIGN;
    return 0;
}

static struct codec_params widest(const struct codec_context *c)
{
    struct codec_params p = c->params;

    if (!strcmp(c->codec->name, "adt"))
        p.value[0] = 4; /* as wide as 'keep' can make it */
    return p;
}

static void note_size(const struct codec_context *c, size_t n, size_t *payload, size_t *work)
{
    if (!c->codec)
        return;
    struct codec_params p = widest(c);
    size_t bound = c->codec->payload_bound(n, &p), needed = c->codec->work_size(n, &p);
    *payload = bound > *payload ? bound : *payload;
    *work = needed > *work ? needed : *work;
}

/* A place at 'at', which is advanced past it. */
static void place(struct codec_context *c, size_t n, bool wide, size_t *at)
{
    c->payload = *at;
    if (!c->codec)
        return;
    struct codec_params p = wide ? widest(c) : c->params;
    c->most = c->codec->payload_bound(n, &p);
    *at += aligned(c->most);
}

/* Of a pull that is sent to other processes. */
static int make_pulled(struct exchange *x)
{
    size_t at = 0;

    if (!x->options.apart)
        return 0;
    for (size_t t = 0; t < x->map->ntensors; t++)
        place(&x->own->pull[t], (size_t)x->map->tensors[t].n, true, &at);
    x->own->pulled = aligned_alloc(CODEC_ALIGN, at + CODEC_ALIGN);
    return x->own->pulled ? 0 : E_NOMEM;
}

/* Every worker's payloads wait until all have come. */
static int make_payloads(struct exchange *x)
{
    size_t at = 0;

    for (size_t t = 0; t < x->map->ntensors; t++)
        for (int64_t w = 0; w < x->options.workers; w++)
            place(&x->own->push[t * (size_t)x->options.workers + (size_t)w], (size_t)x->map->tensors[t].n, false, &at);
    x->npayloads = at;
    x->own->payloads = aligned_alloc(CODEC_ALIGN, at + CODEC_ALIGN);
    return x->own->payloads ? 0 : E_NOMEM;
}

static int make_scratch(struct exchange *x)
{
    struct exchange_private *p = x->own;
    size_t payload = 0, work = 0, values = 0, each;

    for (size_t t = 0; t < x->map->ntensors; t++) {
        size_t n = (size_t)x->map->tensors[t].n;

        note_size(&p->push[t * (size_t)x->options.workers], n, &payload, &work); /* its payloads do not lie here */
        note_size(&p->pull[t], n, &payload, &work);
        values = 4 * n > values ? 4 * n : values;
    }
    payload = aligned(payload), work = aligned(work), values = aligned(values);
    each = payload + work + values;
    p->nscratch = threads();
    if (p->nscratch < x->options.threads)
        p->nscratch = x->options.threads;
    p->scratch = calloc((size_t)p->nscratch, sizeof(*p->scratch));
    p->memory = aligned_alloc(CODEC_ALIGN, each * (size_t)p->nscratch + CODEC_ALIGN);
    if (!p->scratch || !p->memory)
        return E_NOMEM;
    for (int i = 0; i < p->nscratch; i++) {
        uint8_t *at = p->memory + each * (size_t)i;

        p->scratch[i] = (struct scratch){ at, at + payload, (float *)(void *)(at + payload + work) };
    }
    return 0;
}

/* So that the last ones are short, and no thread waits long for another. Equal ones stay as they are. */
static int make_order(struct exchange *x)
{
    size_t n = x->map->ntensors, *order = x->own->order = calloc(n + 1, sizeof(*order));

    if (!order)
        return E_NOMEM;
    for (size_t t = 0; t < n; t++) {
        size_t at = t;

        for (; at && x->map->tensors[order[at - 1]].n < x->map->tensors[t].n; at--)
            order[at] = order[at - 1];
        order[at] = t;
    }
    return 0;
}

int exchange_open(const struct parameter_map *map, const struct exchange_options *options, struct exchange *out)
{
    struct exchange x = { .map = map, .options = *options };
    int rc = E_NOMEM;

    x.own = calloc(1, sizeof(*x.own));
    x.traffic = calloc(map->ntensors + 1, sizeof(*x.traffic));
    x.bytes_per_weight = calloc(map->ntensors + 1, sizeof(*x.bytes_per_weight));
    if (x.own && x.traffic && x.bytes_per_weight)
        rc = make_contexts(&x);
    if (!rc)
        rc = make_payloads(&x);
    if (!rc)
        rc = make_pulled(&x);
    if (!rc)
        rc = make_scratch(&x);
    if (!rc)
        rc = make_order(&x);
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
        free(x->own->order);
        free(x->own->states);
        free(x->own->payloads);
        free(x->own->pulled);
        free(x->own->scratch);
        free(x->own->memory);
    }
    free(x->own);
    free(x->traffic);
    free(x->bytes_per_weight);
    *x = (struct exchange){ 0 };
}
