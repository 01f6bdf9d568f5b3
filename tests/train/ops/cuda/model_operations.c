/* model_operations.c - the table of what recommendation models and Transformers take. Sizes come from the trial's
 * convolution: its channels are tables, vectors, positions; its width is the values of a vector, or the keys; its
 * kernel the lookups, or the heads. */
#include "tests/train/ops/cuda/trial.h"

static int64_t outputs_of(int64_t dim, int64_t n)
{
    return dim + n * (n - 1) / 2;
}

static struct bag_shape bags(const struct trial *t)
{
    return (struct bag_shape){ t->conv.batch, t->conv.in_channels, t->conv.kernel, t->conv.in_width,
                               t->conv.in_height % 4 };
}

/* 'self': as many queries as keys. */
static struct attention_shape attention(const struct trial *t, bool self)
{
    return (struct attention_shape){ .batch = t->conv.batch,
                                     .queries = self ? t->conv.in_width : t->conv.in_height,
                                     .keys = t->conv.in_width,
                                     .dim = t->conv.kernel * t->conv.out_channels,
                                     .heads = t->conv.kernel,
                                     .causal = self };
}

static struct image_shape first(const struct trial *t)
{
    return (struct image_shape){ t->conv.batch, t->conv.in_channels, t->conv.in_height, t->conv.in_width };
}

static struct image_shape second(const struct trial *t)
{
    return (struct image_shape){ t->conv.batch, t->conv.out_channels, t->conv.in_height, t->conv.in_width };
}

#define SIZE(name, value)                      \
    static int64_t name(const struct trial *t) \
    {                                          \
        const struct conv_shape *c = &t->conv; \
        struct bag_shape s = bags(t);          \
        int64_t dim = attention(t, 0).dim;     \
                                               \
        (void)c;                               \
        (void)s;                               \
        (void)dim;                             \
        return value;                          \
    }
SIZE(batch, c->batch)
SIZE(one, c ? 1 : 0)
SIZE(line, t->n)
SIZE(leading, s.batch *s.leading)
SIZE(lookups, s.batch *s.tables *s.lookups)
SIZE(table, TRIAL_ROWS *s.dim)
SIZE(bagged, s.batch *(s.leading + s.tables * s.dim))
SIZE(vectors, c->batch * c->in_channels * c->in_width)
SIZE(products, c->batch *outputs_of(c->in_width, c->in_channels))
SIZE(rows, c->batch * c->in_channels)
SIZE(plane, c->in_height * c->in_width)
SIZE(images, rows(t) * plane(t))
SIZE(images2, c->batch * c->out_channels * plane(t))
SIZE(both, images(t) + images2(t))
SIZE(queries, c->batch * c->in_height * dim)
SIZE(keys, c->batch * c->in_width * dim)
SIZE(weights, 4 * dim * dim)
SIZE(biases, 4 * dim)

#define RUN(name, call)                                                                                  \
    static int name(const struct ops_backend *b, struct ops *o, const struct trial *t, float *const a[]) \
    {                                                                                                    \
        const struct conv_shape *c = &t->conv;                                                           \
        struct bag_shape s = bags(t);                                                                    \
        struct image_shape i = first(t), j = second(t);                                                  \
                                                                                                         \
        (void)c;                                                                                         \
        (void)s;                                                                                         \
        (void)i;                                                                                         \
        (void)j;                                                                                         \
        return b->call;                                                                                  \
    }
RUN(bag, bag_forward(o, &s, a[0], (int32_t *)a[1], a[2], a[3], NULL))
RUN(bag_data, bag_backward_data(o, &s, a[0], a[1], NULL))
RUN(bag_update, bag_update(o, &s, 0.3f, (int32_t *)a[0], a[1], a[2], NULL))
RUN(interact, interact_forward(o, c->batch, c->in_channels, c->in_width, a[0], a[1], NULL))
RUN(interact_back, interact_backward(o, c->batch, c->in_channels, c->in_width, a[0], a[1], a[2], NULL))
RUN(bce, bce_backward(o, c->batch, a[0], (int32_t *)a[1], a[2], a[3], NULL))
RUN(layernorm, layernorm_forward(o, rows(t), plane(t), a[0], a[1], a[2], a[3], a[4], a[5], NULL))
RUN(layernorm_back, layernorm_backward(o, rows(t), plane(t), a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], NULL))
RUN(tokens, tokens_forward(o, c->batch, c->in_channels, c->in_width, (int32_t *)a[0], a[1], a[2], NULL))
RUN(tokens_back, tokens_backward(o, c->batch, c->in_channels, c->in_width, (int32_t *)a[0], a[1], a[2], NULL))
RUN(concat, concat(o, &i, &j, a[0], a[1], a[2], NULL))
RUN(concat_back, concat_backward(o, &i, &j, a[0], a[1], a[2], NULL))
RUN(concat_first, concat_backward(o, &i, &j, a[0], a[1], NULL, NULL))
RUN(concat_second, concat_backward(o, &i, &j, a[0], NULL, a[1], NULL))
RUN(update, sgd_update(o, t->n, 0.1f, 0.9f, 0.01f, a[0], a[1], a[2], NULL))

/* In memory of the backend's own. */
static int attend(const struct ops_backend *b, struct ops *o, const struct trial *t, bool self, bool forward,
                  const float *x, const float *memory, float *const a[])
{
    struct attention_shape s = attention(t, self);
    size_t nbytes = b->attention_workspace(o, &s);
    void *array = b->alloc(o, nbytes);
    int rc;

    if (forward)
        rc = b->attention_forward(o, &s, x, memory, a[0], a[1], a[2], array, nbytes, NULL);
    else
        rc = b->attention_backward(o, &s, x, memory, a[2], a[0], a[1], a[3], self ? NULL : a[6], a[4], a[5], array,
                                   nbytes, NULL);
    if (!rc)
        rc = b->finish(o, NULL);
    b->release(o, array);
    return rc;
}

#define ATTEND(name, self, forward, memory, rest)                                                        \
    static int name(const struct ops_backend *b, struct ops *o, const struct trial *t, float *const a[]) \
    {                                                                                                    \
        return attend(b, o, t, self, forward, a[0], memory, a + (rest));                                 \
    }
ATTEND(self_forward, true, true, NULL, 1)
ATTEND(self_backward, true, false, NULL, 1)
ATTEND(cross_forward, false, true, a[1], 2)
ATTEND(cross_backward, false, false, a[1], 2)

const struct operation model_operations[] = {
    { "bag_forward", { leading, lookups, table, bagged }, 8, IDS_SECOND, 0, bag },
    { "bag_backward_data", { bagged, leading }, 2, 0, 0, bag_data },
    { "bag_update", { lookups, bagged, table }, 4, IDS_FIRST, 0, bag_update },
    { "interact_forward", { vectors, products }, 2, 0, 0, interact },
    { "interact_backward", { vectors, products, vectors }, 4, 0, 0, interact_back },
    { "bce_backward", { batch, batch, batch, one }, 12, CLICKS, 1e-6, bce },
    { "layernorm_forward", { images, plane, plane, images, rows, rows }, 56, 0, 1e-5, layernorm },
    { "layernorm_backward", { images, images, plane, rows, rows, images, plane, plane }, 224, 0, 1e-5, layernorm_back },
    { "tokens_forward", { rows, table, vectors }, 4, IDS_FIRST, 1e-6, tokens },
    { "tokens_backward", { rows, vectors, table }, 4, IDS_FIRST, 0, tokens_back },
    { "concat", { images, images2, both }, 4, 0, 0, concat },
    { "concat_backward", { both, images, images2 }, 6, 0, 0, concat_back },
    { "concat_backward, the first", { both, images }, 2, 0, 0, concat_first },
    { "concat_backward, the second", { both, images2 }, 2, 0, 0, concat_second },
    { "sgd_update", { line, line, line }, 6, 0, 0, update },
    { "attention_forward, self", { keys, weights, biases, keys }, 8, 0, 2e-5, self_forward },
    { "attention_backward, self", { keys, weights, biases, keys, keys, weights, biases }, 112, 0, 1e-4, self_backward },
    { "attention_forward, cross", { queries, keys, weights, biases, queries }, 16, 0, 2e-5, cross_forward },
    { "attention_backward, cross",
      { queries, keys, weights, biases, queries, queries, weights, biases, keys },
      480,
      0,
      1e-4,
      cross_backward },
    { 0 },
};
