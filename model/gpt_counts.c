#include "model/gpt_counts.h"

#include "model/status.h"

int64_t gpt_query_dim(const struct gpt_spec *g)
{
    return g->value_dim ? g->head_dim + g->rotary_dim : g->hidden / g->heads;
}

int64_t gpt_value_dim(const struct gpt_spec *g)
{
    return g->value_dim ? g->value_dim : g->hidden / g->heads;
}

int64_t gpt_attention_values(const struct gpt_spec *g)
{
    int64_t h = g->hidden, queries = g->heads * gpt_query_dim(g), values = g->heads * gpt_value_dim(g), made;

    if (!g->value_dim)
        return h * (g->heads + 2 * g->kv_heads) * gpt_value_dim(g) + values * h;
    made = g->query_latent ? h * g->query_latent + g->query_latent * queries : h * queries;
    made += h * (g->kv_latent + g->rotary_dim) + g->kv_latent * (g->heads * g->head_dim + values);
    return made + values * h;
}

static int64_t network(const struct gpt_spec *g, int64_t units)
{
    return (g->style == GPT_LLAMA ? 3 : 2) * g->hidden * units;
}

int64_t gpt_dense_values(const struct gpt_spec *g)
{
    return network(g, g->feed_forward);
}

int64_t gpt_router_values(const struct gpt_spec *g)
{
    return g->hidden * g->experts;
}

int64_t gpt_shared_values(const struct gpt_spec *g)
{
    return network(g, g->shared_feed_forward);
}

int64_t gpt_expert_values(const struct gpt_spec *g)
{
    return network(g, g->expert_feed_forward);
}

int64_t gpt_expert_layers(const struct gpt_spec *g)
{
    return g->experts ? g->layers - g->dense_layers : 0;
}

/* Of a layer: norms; GPT has shifts, too, and biases. */
static int64_t scales(const struct gpt_spec *g)
{
    if (g->style == GPT_LLAMA)
        return 2 * g->hidden + g->query_latent + g->kv_latent;
    return 6 * g->hidden + (g->heads + 2 * g->kv_heads) * gpt_value_dim(g) + g->feed_forward;
}

/* More than any of the sums, or of what they are sums of. */
static double bound(const struct gpt_spec *g)
{
    double dims = (double)gpt_query_dim(g) + (double)gpt_value_dim(g),
           latent = (double)(g->query_latent + g->kv_latent);
    double attention = (double)g->hidden * (3 * (double)g->heads * dims + latent + (double)g->rotary_dim) +
                       (double)g->heads * dims * latent;
    double feed = (double)g->hidden * ((double)g->feed_forward + (double)g->shared_feed_forward +
                                       (double)g->experts * (double)(g->expert_feed_forward + 1));
    double square = (double)g->sequence * (double)g->heads * dims, words = (double)g->vocabulary * (double)g->hidden;

    return 2 * (double)g->sequence * ((double)g->layers * (attention + 3 * feed + square) + 2 * words) +
           (double)g->sequence * (double)g->hidden;
}

int gpt_count(const struct gpt_spec *g, struct gpt_counts *out)
{
    bool llama = g->style == GPT_LLAMA;
    int64_t words, sparse, dense, common, used, square;

    if (bound(g) > 9e18)
        return E_RANGE;
    words = g->vocabulary * g->hidden;
    sparse = gpt_expert_layers(g);
    dense = g->layers - sparse;
    common = g->layers * gpt_attention_values(g) + dense * gpt_dense_values(g) +
             sparse * (gpt_router_values(g) + gpt_shared_values(g));
    used = common + sparse * g->active * gpt_expert_values(g) + words;
    square = g->sequence * g->sequence * g->heads * (gpt_query_dim(g) + gpt_value_dim(g));
    out->matrices =
        common + sparse * g->experts * gpt_expert_values(g) + words + (llama ? words : g->sequence * g->hidden);
    out->scales = g->layers * scales(g) + (llama ? 1 : 2) * g->hidden;
    out->active = used + g->hidden + out->scales;
    out->flops_forward = 2 * (g->sequence * used + g->layers * square);
    return E_OK;
}
