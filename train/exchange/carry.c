#include "train/exchange/carry.h"

#include <math.h>
#include <string.h>

#include "kernels/dct/dct.h"
#include "train/exchange/private.h"

enum { NOTES = 3 }; /* numbers of eight bytes that may stand behind a payload */

static struct codec_context *push_of(const struct exchange *x, size_t tensor, int64_t worker)
{
    return &x->own->push[tensor * (size_t)x->options.workers + (size_t)worker];
}

static size_t most(const struct exchange *x, const struct codec_context *c, size_t tensor)
{
    return c->codec ? NOTES * sizeof(int64_t) + c->most : 4 * (size_t)x->map->tensors[tensor].n;
}

size_t exchange_most_pushed(const struct exchange *x)
{
    size_t all = 0;

    for (size_t t = 0; t < x->map->ntensors; t++)
        all += most(x, push_of(x, t, 0), t);
    return all;
}

size_t exchange_most_pulled(const struct exchange *x)
{
    size_t all = 0;

    for (size_t t = 0; t < x->map->ntensors; t++)
        all += most(x, &x->own->pull[t], t);
    return all;
}

static uint8_t *put(uint8_t *to, const void *from, size_t n)
{
    memcpy(to, from, n);
    return to + n;
}

/* NULL stays NULL, so that only the end of a chain needs to be looked at. */
static const uint8_t *get(const uint8_t *from, const uint8_t *end, void *to, size_t n)
{
    if (!from || (size_t)(end - from) < n)
        return NULL;
    memcpy(to, from, n);
    return from + n;
}

static uint8_t *pack(const struct exchange *x, const struct codec_context *c, const uint8_t *payloads, uint8_t *to)
{
    to = put(to, &c->sent.bytes, sizeof(c->sent.bytes));
    to = put(to, payloads + c->payload, (size_t)c->sent.bytes);
    if (x->count_zeros)
        to = put(to, &c->sent.zeros, sizeof(c->sent.zeros));
    if (c->codec == &codec_dct)
        to = put(to, &c->sent.threshold, sizeof(c->sent.threshold));
    return to;
}

static const uint8_t *unpack(const struct exchange *x, struct codec_context *c, uint8_t *payloads, const uint8_t *from,
                             const uint8_t *end)
{
    c->sent.zeros = 0;
    c->sent.threshold = NAN;
    from = get(from, end, &c->sent.bytes, sizeof(c->sent.bytes));
    if (!from || c->sent.bytes < 0 || (uint64_t)c->sent.bytes > c->most)
        return NULL;
    from = get(from, end, payloads + c->payload, (size_t)c->sent.bytes);
    if (x->count_zeros)
        from = get(from, end, &c->sent.zeros, sizeof(c->sent.zeros));
    if (c->codec == &codec_dct)
        from = get(from, end, &c->sent.threshold, sizeof(c->sent.threshold));
    return from;
}

uint8_t *exchange_pack_push(const struct exchange *x, int64_t worker, const float *gradient, uint8_t *to)
{
    for (size_t t = 0; t < x->map->ntensors; t++) {
        const struct codec_context *c = push_of(x, t, worker);
        const struct parameter_tensor *tensor = &x->map->tensors[t];

        to = c->codec ? pack(x, c, x->own->payloads, to) : put(to, gradient + tensor->at, 4 * (size_t)tensor->n);
    }
    return to;
}

const uint8_t *exchange_unpack_push(struct exchange *x, int64_t worker, float *gradient, const uint8_t *from,
                                    const uint8_t *end)
{
    for (size_t t = 0; t < x->map->ntensors; t++) {
        struct codec_context *c = push_of(x, t, worker);
        const struct parameter_tensor *tensor = &x->map->tensors[t];
        size_t nbytes = 4 * (size_t)tensor->n;

        if (c->codec) {
            from = unpack(x, c, x->own->payloads, from, end);
        } else {
            from = get(from, end, gradient + tensor->at, nbytes);
            exchange_push(x, t, worker, gradient); /* counts it */
        }
    }
    return from;
}

uint8_t *exchange_pack_pull(const struct exchange *x, const float *model, uint8_t *to)
{
    for (size_t t = 0; t < x->map->ntensors; t++) {
        const struct codec_context *c = &x->own->pull[t];
        const struct parameter_tensor *tensor = &x->map->tensors[t];

        to = c->codec ? pack(x, c, x->own->pulled, to) : put(to, model + tensor->at, 4 * (size_t)tensor->n);
    }
    return to;
}

struct pulled {
    struct exchange *x;
    float *model;
};

static void decode(void *context, size_t tensor)
{
    const struct pulled *p = context;

    exchange_pull_arrived(p->x, tensor, p->model + p->x->map->tensors[tensor].at);
}

const uint8_t *exchange_unpack_pull(struct exchange *x, float *model, const uint8_t *from, const uint8_t *end)
{
    struct pulled p = { x, model };

    for (size_t t = 0; t < x->map->ntensors; t++) {
        struct codec_context *c = &x->own->pull[t];
        const struct parameter_tensor *tensor = &x->map->tensors[t];

        from = c->codec ? unpack(x, c, x->own->pulled, from, end)
                        : get(from, end, model + tensor->at, 4 * (size_t)tensor->n);
    }
    if (from)
        exchange_each(x, decode, &p);
    return from;
}

static size_t state_size(const struct exchange *x, const struct codec_context *c, size_t tensor)
{
    return c->codec ? c->codec->state_size((size_t)x->map->tensors[tensor].n, &c->params) : 0;
}

size_t exchange_states_of(const struct exchange *x, int64_t worker)
{
    size_t all = 0;

    for (size_t t = 0; t < x->map->ntensors; t++)
        all += state_size(x, push_of(x, t, worker), t);
    return all;
}

void exchange_pack_states(const struct exchange *x, int64_t worker, uint8_t *to)
{
    for (size_t t = 0; t < x->map->ntensors; t++) {
        const struct codec_context *c = push_of(x, t, worker);

        to = put(to, x->states + c->state, state_size(x, c, t));
    }
}

void exchange_unpack_states(struct exchange *x, int64_t worker, const uint8_t *from)
{
    for (size_t t = 0; t < x->map->ntensors; t++) {
        const struct codec_context *c = push_of(x, t, worker);
        size_t n = state_size(x, c, t);

        memcpy(x->states + c->state, from, n);
        from += n;
    }
}
