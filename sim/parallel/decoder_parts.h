/* decoder_parts.h - what the files of the decoder have in common: a list of operations under construction, what a rank
 * has of a layer, and the parts of a layer that have a file of their own. For decoder*.c alone. */
#ifndef NARROWS_SIM_PARALLEL_DECODER_PARTS_H
#define NARROWS_SIM_PARALLEL_DECODER_PARTS_H

#include "sim/parallel/decoder.h"

/* A list under construction; the first error stays. */
struct list {
    struct gpu_works *o;
    int rc;
};

static inline void add(struct list *l, struct gpu_work op)
{
    if (!l->rc)
        l->rc = gpu_works_add(l->o, op);
}

static inline void product(struct list *l, int64_t m, int64_t n, int64_t k)
{
    add(l, (struct gpu_work){ .kind = GPU_PRODUCT, .batch = 1, .m = m, .n = n, .k = k });
}

/* Both products of a backward pass: the gradient of what was read, and that of the n x k weights. */
static inline void product_back(struct list *l, int64_t m, int64_t n, int64_t k)
{
    product(l, m, k, n);
    add(l, (struct gpu_work){ .kind = GPU_PRODUCT, .accumulates = true, .batch = 1, .m = n, .n = k, .k = m });
}

static inline void stream(struct list *l, double bytes)
{
    add(l, (struct gpu_work){ .kind = GPU_STREAM, .bytes = bytes });
}

static inline void core_product(struct list *l, int64_t batch, int64_t m, int64_t n, int64_t k)
{
    add(l, (struct gpu_work){ .kind = GPU_PRODUCT, .core = true, .batch = batch, .m = m, .n = n, .k = k });
}

static inline void core_stream(struct list *l, double bytes)
{
    add(l, (struct gpu_work){ .kind = GPU_STREAM, .core = true, .bytes = bytes });
}

/* What a rank has of a layer. */
struct cut {
    int64_t tokens;          /* of the micro-batch, of this rank's share of the sequence */
    int64_t hidden, heads;   /* heads of this rank, in its projections */
    int64_t qkv, out, feed;  /* columns and rows of its projections, of its feed-forward network */
    int64_t head;            /* values of a head */
    double value;            /* bytes of one */
    double whole, own, part; /* bytes: an activation of the layer's width, the rank's share of its positions, and the
                                width of its heads */
    double square;           /* values of attention's squares */
};

static inline int64_t kv_heads(const struct gpt_spec *g)
{
    return g->kv_heads ? g->kv_heads : g->heads;
}

static inline int64_t feed_forward(const struct gpt_spec *g)
{
    return g->feed_forward ? g->feed_forward : 4 * g->hidden;
}

static inline struct cut cut_of(const struct decoder *d)
{
    const struct gpt_spec *g = d->gpt;
    int64_t t = d->tensor, tokens = d->samples * g->sequence / d->context;
    struct cut c = { .tokens = tokens,
                     .hidden = g->hidden,
                     .heads = g->heads / t,
                     .head = g->hidden / g->heads,
                     .feed = feed_forward(g) / t,
                     .value = (double)compute_precision_bytes(d->precision) };

    c.qkv = (g->heads + 2 * kv_heads(g)) * c.head / t;
    c.out = g->heads * c.head / t;
    c.whole = c.value * (double)tokens * (double)g->hidden;
    c.own = d->sequence ? c.whole / (double)t : c.whole;
    c.part = c.whole / (double)t;
    c.square = (double)(d->samples * g->heads) * (double)g->sequence * (double)g->sequence / (double)(t * d->context);
    return c;
}

/* The group's sum of the layer's activations: with sequence parallelism in two halves, each where it is needed. */
static inline void tensor_sum(struct list *l, const struct decoder *d, double bytes)
{
    if (d->tensor > 1 && !d->sequence)
        add(l, (struct gpu_work){ .kind = GPU_ALLREDUCE, .bytes = bytes });
}

static inline void tensor_half(struct list *l, const struct decoder *d, double bytes)
{
    if (d->tensor > 1 && d->sequence)
        add(l, (struct gpu_work){ .kind = GPU_GATHER, .bytes = bytes });
}

/* Adds what a half of a layer gave to its input, with a mask where some of it is dropped. */
static inline double joined(const struct decoder *d, const struct cut *c)
{
    return 3 * c->own + (d->dropout ? c->own / c->value : 0);
}

static inline bool llama(const struct decoder *d)
{
    return d->gpt->style == GPT_LLAMA;
}

/* decoder_latent.c: attention whose keys and values are made from latent ones, of models that have it. */
bool latent(const struct decoder *d);
void latent_forward(struct list *l, const struct decoder *d, const struct cut *c);
void latent_backward(struct list *l, const struct decoder *d, const struct cut *c);
int64_t latent_values(const struct decoder *d, const struct cut *c);
double latent_kept(const struct decoder *d, const struct cut *c);
double latent_shapes(const struct decoder *d, const struct cut *c);

/* decoder_experts.c: what a layer with experts has in place of its feed-forward network; values without the experts. */
void experts_forward(struct list *l, const struct decoder *d, const struct cut *c);
void experts_backward(struct list *l, const struct decoder *d, const struct cut *c);
int64_t experts_common_values(const struct decoder *d);
double experts_kept(const struct decoder *d, const struct cut *c);
double experts_extra(const struct decoder *d, const struct cut *c);

#endif
