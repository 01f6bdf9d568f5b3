/* decoder_latent.c - latent attention (arXiv 2405.04434, section 2.1) as one GPU computes its part of it. */
#include "model/gpt_counts.h"
#include "sim/parallel/decoder_parts.h"

/* Values of a token: latent ones of queries and of keys and values with what is turned, heads of this rank. */
struct dims {
    int64_t own; /* tokens of this rank's share of the positions: latent values are made of these */
    int64_t query, kv, rotary;
    int64_t queries, keys_values, values;
};

static struct dims dims_of(const struct decoder *d, const struct cut *c)
{
    const struct gpt_spec *g = d->gpt;

    return (struct dims){ .own = d->sequence ? c->tokens / d->tensor : c->tokens,
                          .query = g->query_latent,
                          .kv = g->kv_latent,
                          .rotary = g->rotary_dim,
                          .queries = c->heads * gpt_query_dim(g),
                          .keys_values = c->heads * (g->head_dim + g->value_dim),
                          .values = c->heads * g->value_dim };
}

bool latent(const struct decoder *d)
{
    return d->gpt->value_dim > 0;
}

static double bytes(const struct cut *c, int64_t tokens, int64_t values)
{
    return c->value * (double)tokens * (double)values;
}

/* What the tensor group gathers before heads are made; queries that have no latent values are made from all. */
static double gathered(const struct cut *c, const struct dims *x)
{
    return bytes(c, c->tokens, x->query + x->kv + x->rotary) + (x->query ? 0 : c->whole);
}

/* Turning, and laying apart and together. */
static void copies(struct list *l, const struct cut *c, const struct dims *x)
{
    stream(l, 2 * bytes(c, c->tokens, x->queries));
    stream(l, bytes(c, c->tokens, x->keys_values + x->queries + x->values));
}

/* Queries, keys, values, and the output. */
static void exchange(struct list *l, const struct decoder *d, const struct cut *c, const struct dims *x)
{
    const int64_t each[] = { x->queries, x->queries, x->values, x->values };

    for (int i = 0; d->context > 1 && i < 4; i++) {
        add(l, (struct gpu_work){ .kind = GPU_CONTEXT, .bytes = bytes(c, c->tokens, each[i]) });
        stream(l, 2 * bytes(c, c->tokens, each[i]));
    }
}

static void core(struct list *l, const struct decoder *d, const struct cut *c, bool back)
{
    int64_t query = gpt_query_dim(d->gpt), value = d->gpt->value_dim;

    add(l, (struct gpu_work){ .kind = back ? GPU_ATTENTION_BACK : GPU_ATTENTION,
                              .core = true,
                              .unequal = query != value,
                              .heads = d->samples * c->heads / d->context,
                              .positions = d->gpt->sequence,
                              .flops = (back ? 5 : 2) * c->square * (double)(query + value) });
}

void latent_forward(struct list *l, const struct decoder *d, const struct cut *c)
{
    struct dims x = dims_of(d, c);

    stream(l, 2 * c->own);
    if (x.query) {
        product(l, x.own, x.query, c->hidden);
        stream(l, 2 * bytes(c, x.own, x.query));
    }
    product(l, x.own, x.kv + x.rotary, c->hidden);
    stream(l, 2 * bytes(c, x.own, x.kv));
    tensor_half(l, d, gathered(c, &x));
    product(l, c->tokens, x.queries, x.query ? x.query : c->hidden);
    product(l, c->tokens, x.keys_values, x.kv);
    copies(l, c, &x);
    exchange(l, d, c, &x);
    core(l, d, c, false);
    product(l, c->tokens, c->hidden, x.values);
    tensor_sum(l, d, c->whole);
    tensor_half(l, d, c->whole);
    stream(l, joined(d, c));
}

/* With sequence parallelism what heads were made from is gathered again, besides what its gradient needs. */
void latent_backward(struct list *l, const struct decoder *d, const struct cut *c)
{
    struct dims x = dims_of(d, c);

    stream(l, joined(d, c));
    tensor_half(l, d, c->whole);
    product_back(l, c->tokens, c->hidden, x.values);
    exchange(l, d, c, &x);
    core(l, d, c, true);
    copies(l, c, &x);
    product_back(l, c->tokens, x.keys_values, x.kv);
    product_back(l, c->tokens, x.queries, x.query ? x.query : c->hidden);
    tensor_half(l, d, gathered(c, &x));
    tensor_half(l, d, gathered(c, &x));
    tensor_sum(l, d, gathered(c, &x));
    stream(l, 3 * bytes(c, x.own, x.kv));
    product_back(l, x.own, x.kv + x.rotary, c->hidden);
    if (x.query) {
        stream(l, 3 * bytes(c, x.own, x.query));
        product_back(l, x.own, x.query, c->hidden);
    }
    stream(l, 3 * c->own);
}

/* The matrices that make latent values are whole; so are the scales of both norms. */
int64_t latent_values(const struct decoder *d, const struct cut *c)
{
    struct dims x = dims_of(d, c);
    int64_t queries = x.query ? c->hidden * x.query + x.query * x.queries + x.query : c->hidden * x.queries;

    return queries + c->hidden * (x.kv + x.rotary) + x.kv * x.keys_values + x.kv + x.values * c->hidden;
}

/* Latent values before and after their norms, queries and keys, values, and the output. */
double latent_kept(const struct decoder *d, const struct cut *c)
{
    struct dims x = dims_of(d, c);

    return bytes(c, x.own, 2 * x.query + 2 * x.kv + x.rotary) + bytes(c, c->tokens, 2 * x.queries + 2 * x.values);
}

double latent_shapes(const struct decoder *d, const struct cut *c)
{
    struct dims x = dims_of(d, c);

    return (double)(latent_values(d, c) - x.query - x.kv);
}
