/* exchange.c - tensors on their way: compressed, decompressed, added up, counted. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "kernels/dct/dct.h"
#include "kernels/dct/dct_lane.h"
#include "train/exchange/private.h"
#include "train/ops/cpu/cpu.h"

#ifdef _OPENMP
#include <omp.h>
#endif

static struct scratch *scratch_of_thread(struct exchange_private *p)
{
#ifdef _OPENMP
    return &p->scratch[omp_get_thread_num()];
#else
    return p->scratch;
#endif
}

CPU_CLONES static int64_t zeros(const float *values, size_t n)
{
    int64_t count = 0;

    for (size_t i = 0; i < n; i++)
        count += values[i] == 0;
    return count;
}

/* What a payload is, and where it is counted how many zeros it holds: it is read once more for that, so that looking
 * changes no bit (adding a zero is not the same as adding nothing). */
static struct arrival arrival_of(const struct exchange *x, const struct codec_context *c, const struct scratch *s,
                                 size_t n, const uint8_t *payload, uint64_t nbytes)
{
    struct arrival a = { .bytes = (int64_t)nbytes };
    int error = CODEC_OK;

    if (!x->count_zeros)
        return a;
    c->impl->decompress(&c->impl->impl, s->values, n, CODEC_STORE, payload, nbytes, &c->params, s->work, &error);
    assert(error == CODEC_OK);
    a.zeros = zeros(s->values, n);
    return a;
}

static struct arrival compress(const struct exchange *x, const struct codec_context *c, const struct scratch *s,
                               const float *values, size_t n, void *state, uint8_t *payload)
{
    uint64_t nbytes = 0;

    c->impl->compress(&c->impl->impl, payload, &nbytes, values, n, &c->params, state, s->work);
    return arrival_of(x, c, s, n, payload, nbytes);
}

static void decompress(const struct codec_context *c, const struct scratch *s, const uint8_t *payload, int64_t nbytes,
                       enum codec_into into, float *values, size_t n)
{
    int error = CODEC_OK;

    c->impl->decompress(&c->impl->impl, values, n, into, payload, (size_t)nbytes, &c->params, s->work, &error);
    assert(error == CODEC_OK); /* what lies between the two, if anything, delivers as it was sent or fails */
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

static double threshold_of(const struct exchange *x, const struct codec_context *c)
{
    struct dct_state state;
    float threshold;

    if (c->codec != &codec_dct)
        return NAN;
    memcpy(&state, x->states + c->state, sizeof(state));
    memcpy(&threshold, &state.threshold, sizeof(threshold));
    return threshold;
}

void exchange_push(struct exchange *x, size_t tensor, int64_t worker, const float *gradient)
{
    const struct parameter_tensor *t = &x->map->tensors[tensor];
    struct codec_context *c = &x->own->push[tensor * (size_t)x->options.workers + (size_t)worker];

    if (c->codec)
        c->sent = compress(x, c, scratch_of_thread(x->own), gradient + t->at, (size_t)t->n, x->states + c->state,
                           x->own->payloads + c->payload);
    else
        c->sent = (struct arrival){ .bytes = 4 * t->n };
    c->sent.threshold = threshold_of(x, c);
}

static void note_push(struct exchange *x, size_t tensor)
{
    struct tensor_traffic *traffic = &x->traffic[tensor];

    traffic->bytes[EXCHANGE_PUSH] = traffic->zeros[EXCHANGE_PUSH] = 0;
    traffic->threshold = 0;
    for (int64_t w = 0; w < x->options.workers; w++) {
        const struct codec_context *c = &x->own->push[tensor * (size_t)x->options.workers + (size_t)w];

        traffic->bytes[EXCHANGE_PUSH] += c->sent.bytes;
        traffic->zeros[EXCHANGE_PUSH] += c->sent.zeros;
        traffic->threshold += c->sent.threshold / (double)x->options.workers;
    }
}

/* The owner's reduction of the payloads, which lie one behind the other, and what everybody decodes of its result. */
static void reduce(struct exchange *x, size_t tensor, const struct scratch *s, float *sum, size_t n)
{
    size_t workers = (size_t)x->options.workers;
    const struct codec_context *c = &x->own->push[tensor * workers];
    struct codec_terms terms = { .payloads = x->own->payloads + c->payload,
                                 .stride = workers > 1 ? c[1].payload - c->payload : 0,
                                 .nbytes = (size_t)c->sent.bytes,
                                 .count = workers };
    uint64_t nbytes = 0;
    int error = CODEC_OK;

    c->impl->reduce(&c->impl->impl, s->payload, &nbytes, &terms, n, &c->params, s->work, &error);
    assert(error == CODEC_OK);
    decompress(c, s, s->payload, (int64_t)nbytes, CODEC_STORE, sum, n);
}

static void add_up(struct exchange *x, size_t tensor, const struct scratch *s, float *const gradients[])
{
    const struct parameter_tensor *t = &x->map->tensors[tensor];
    size_t n = (size_t)t->n, workers = (size_t)x->options.workers;
    float *sum = gradients[0] + t->at;

    for (size_t w = 0; w < workers; w++) {
        const struct codec_context *c = &x->own->push[tensor * workers + w];

        if (c->codec)
            decompress(c, s, x->own->payloads + c->payload, c->sent.bytes, w ? CODEC_ADD : CODEC_STORE, sum, n);
        else if (w)
            add(sum, gradients[w] + t->at, n);
    }
}

void exchange_mean(struct exchange *x, size_t tensor, float *const gradients[])
{
    const struct parameter_tensor *t = &x->map->tensors[tensor];
    const struct scratch *s = scratch_of_thread(x->own);
    const struct codec_context *first = &x->own->push[tensor * (size_t)x->options.workers];
    size_t n = (size_t)t->n;
    float *mean = gradients[0] + t->at;

    if (first->codec && first->codec->class == CODEC_SCATTERED)
        reduce(x, tensor, s, mean, n);
    else
        add_up(x, tensor, s, gradients);
    if (x->options.workers > 1)
        scale(mean, 1 / (float)x->options.workers, n);
    note_push(x, tensor);
}

/* As it is in this step: of weights a policy chooses the bytes. */
static struct codec_context pull_context(const struct exchange *x, size_t tensor)
{
    struct codec_context c = x->own->pull[tensor];

    if (c.codec && x->options.pull_weights && x->bytes_per_weight[tensor])
        c.params.value[0] = x->bytes_per_weight[tensor];
    return c;
}

/* Sends a change, which is added to the workers' model; or the weights; or updates the model as the codec's state. */
static struct arrival pull_values(struct exchange *x, size_t tensor, const float *change, const float *now,
                                  float *model)
{
    struct codec_context c = pull_context(x, tensor);
    const struct scratch *s = scratch_of_thread(x->own);
    uint8_t *payload = x->own->pulled ? x->own->pulled + c.payload : s->payload;
    size_t n = (size_t)x->map->tensors[tensor].n;
    bool weights = x->options.pull_weights;
    struct arrival a = { .bytes = 4 * (int64_t)n };

    if (!c.codec) {
        memcpy(model, now, 4 * n);
        return a;
    }
    if (exchange_pulls_in_one_go(x))
        return compress(x, &c, s, now, n, model, payload);
    a = compress(x, &c, s, weights ? now : change, n, x->states + c.state, payload);
    decompress(&c, s, payload, a.bytes, weights ? CODEC_STORE : CODEC_ADD, model, n);
    return a;
}

void exchange_pull_arrived(struct exchange *x, size_t tensor, float *model)
{
    const struct codec_context c = pull_context(x, tensor);

    if (c.codec)
        decompress(&c, scratch_of_thread(x->own), x->own->pulled + c.payload, c.sent.bytes,
                   x->options.pull_weights ? CODEC_STORE : CODEC_ADD, model, (size_t)x->map->tensors[tensor].n);
}

void exchange_pull(struct exchange *x, size_t tensor, const float *change, const float *now, float *model)
{
    int64_t at = x->map->tensors[tensor].at;
    struct arrival a = pull_values(x, tensor, change ? change + at : NULL, now + at, model + at);

    x->own->pull[tensor].sent = a;
    x->traffic[tensor].bytes[EXCHANGE_PULL] = a.bytes;
    x->traffic[tensor].zeros[EXCHANGE_PULL] = a.zeros;
}

void exchange_each(struct exchange *x, void (*turn)(void *context, size_t tensor), void *context)
{
    int64_t n = (int64_t)x->map->ntensors;

#ifdef _OPENMP
    int team = omp_get_max_threads();

#pragma omp parallel for schedule(dynamic, 1) num_threads(team < x->own->nscratch ? team : x->own->nscratch)
#endif
    for (int64_t i = 0; i < n; i++)
        turn(context, x->own->order[i]);
}
