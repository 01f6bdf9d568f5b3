/* gpt.c - the layers of a decoder from its dimensions. */
#include <stdio.h>

#include "model/gpt_counts.h"
#include "model/numbers.h"
#include "model/private.h"
#include "model/status.h"

/* GPT multiplies with the table of words. */
static int infer_ends(struct inference *in, const struct gpt_spec *g)
{
    bool llama = g->style == GPT_LLAMA;
    struct layer_spec ends[] = {
        { .kind = llama ? LAYER_RMSNORM : LAYER_LAYERNORM, .name = "norm" },
        { .kind = LAYER_LINEAR, .name = "predictions", .units = g->vocabulary, .shared = llama ? NULL : "words" },
        { .kind = LAYER_SOFTMAX },
    };

    return infer_list(in, ends, COUNT(ends), 0);
}

static struct layer_spec repeated(struct layer_spec *layers, size_t n, int64_t times, enum shortcut_kind shortcut)
{
    return (struct layer_spec){
        .kind = LAYER_BLOCK, .repeat = times, .shortcut = shortcut, .layers = layers, .nlayers = n
    };
}

static int infer_gpt_style(struct inference *in, const struct gpt_spec *g)
{
    struct layer_spec attention[] = {
        { .kind = LAYER_LAYERNORM, .name = "norm1" },
        { .kind = LAYER_ATTENTION,
          .name = "attention",
          .heads = g->heads,
          .kv_heads = g->kv_heads,
          .causal = true,
          .bias = true },
    };
    struct layer_spec feed[] = {
        { .kind = LAYER_LAYERNORM, .name = "norm2" },
        { .kind = LAYER_LINEAR, .name = "linear1", .units = g->feed_forward, .bias = true },
        { .kind = LAYER_GELU, .name = "gelu" },
        { .kind = LAYER_LINEAR, .name = "linear2", .units = g->hidden, .bias = true },
    };
    struct layer_spec halves[] = { repeated(attention, COUNT(attention), 1, SHORTCUT_IDENTITY),
                                   repeated(feed, COUNT(feed), 1, SHORTCUT_IDENTITY) };
    struct layer_spec list[] = {
        { .kind = LAYER_TOKENS,
          .name = "words",
          .rows = g->vocabulary,
          .dim = g->hidden,
          .positions = g->sequence,
          .place = PLACE_NONE },
        { .kind = LAYER_PLACE, .name = "positions", .rows = g->sequence },
        repeated(halves, COUNT(halves), g->layers, SHORTCUT_NONE),
    };

    return infer_list(in, list, COUNT(list), 0);
}

static int infer_llama_style(struct inference *in, const struct gpt_spec *g)
{
    struct layer_spec attention[] = {
        { .kind = LAYER_RMSNORM, .name = "norm1" },
        { .kind = LAYER_ATTENTION, .name = "attention", .heads = g->heads, .kv_heads = g->kv_heads, .causal = true },
    };
    struct layer_spec gate[] = { { .kind = LAYER_LINEAR, .name = "gate", .units = g->feed_forward },
                                 { .kind = LAYER_SILU, .name = "silu" } };
    struct layer_spec factors[] = { repeated(gate, COUNT(gate), 1, SHORTCUT_NONE),
                                    { .kind = LAYER_LINEAR, .name = "up", .units = g->feed_forward } };
    struct layer_spec feed[] = {
        { .kind = LAYER_RMSNORM, .name = "norm2" },
        { .kind = LAYER_PRODUCT, .name = "swiglu", .layers = factors, .nlayers = COUNT(factors) },
        { .kind = LAYER_LINEAR, .name = "down", .units = g->hidden },
    };
    struct layer_spec halves[] = { repeated(attention, COUNT(attention), 1, SHORTCUT_IDENTITY),
                                   repeated(feed, COUNT(feed), 1, SHORTCUT_IDENTITY) };
    struct layer_spec list[] = {
        { .kind = LAYER_TOKENS,
          .name = "words",
          .rows = g->vocabulary,
          .dim = g->hidden,
          .positions = g->sequence,
          .place = PLACE_NONE },
        repeated(halves, COUNT(halves), g->layers, SHORTCUT_NONE),
    };

    return infer_list(in, list, COUNT(list), 0);
}

static int refuse_key(struct inference *in, const char *key, int64_t got)
{
    return infer_refuse(in, E_INVAL, "gpt.%s: expected 1 or more, got %lld", key, (long long)got);
}

/* Vectors of one value are no sequence. */
static int check(struct inference *in, const struct gpt_spec *g)
{
    if (g->hidden < 2)
        return infer_refuse(in, E_INVAL, "gpt.hidden: expected 2 or more, got %lld", (long long)g->hidden);
    if (g->layers < 1)
        return refuse_key(in, "layers", g->layers);
    if (g->sequence < 1)
        return refuse_key(in, "sequence", g->sequence);
    if (g->vocabulary < 1)
        return refuse_key(in, "vocabulary", g->vocabulary);
    if (g->heads < 1 || g->hidden % g->heads)
        return infer_refuse(in, E_INVAL, "gpt.heads: expected heads that divide the hidden size of %lld, got %lld",
                            (long long)g->hidden, (long long)g->heads);
    if (g->kv_heads < 0 || (g->kv_heads && g->heads % g->kv_heads))
        return infer_refuse(in, E_INVAL, "gpt.kv_heads: expected a number that divides the %lld heads, got %lld",
                            (long long)g->heads, (long long)g->kv_heads);
    if (g->feed_forward < 0)
        return refuse_key(in, "feed_forward", g->feed_forward);
    return E_OK;
}

static int refuse_without(struct inference *in, const char *key, const char *other, double got)
{
    return infer_refuse(in, E_INVAL, "gpt.%s: expected it with gpt.%s alone, got %g", key, other, got);
}

static int check_experts(struct inference *in, const struct gpt_spec *g)
{
    const struct {
        const char *key;
        double value;
    } with[] = { { "active", (double)g->active },
                 { "expert_feed_forward", (double)g->expert_feed_forward },
                 { "shared_feed_forward", (double)g->shared_feed_forward },
                 { "dense_layers", (double)g->dense_layers },
                 { "capacity", g->capacity } };

    for (size_t i = 0; i < COUNT(with); i++)
        if (with[i].value < 0 || (!g->experts && with[i].value > 0))
            return refuse_without(in, with[i].key, "experts", with[i].value);
    if (!g->experts)
        return E_OK;
    if (g->style != GPT_LLAMA)
        return infer_refuse(in, E_INVAL, "gpt.style: expected llama with experts, got gpt");
    if (g->experts < 0)
        return refuse_key(in, "experts", g->experts);
    if (g->active < 1 || g->active > g->experts)
        return infer_refuse(in, E_INVAL, "gpt.active: expected 1 to the %lld experts, got %lld", (long long)g->experts,
                            (long long)g->active);
    if (g->dense_layers >= g->layers)
        return infer_refuse(in, E_INVAL, "gpt.dense_layers: expected fewer than the %lld layers, got %lld",
                            (long long)g->layers, (long long)g->dense_layers);
    return E_OK;
}

static int check_latent(struct inference *in, const struct gpt_spec *g)
{
    const struct {
        const char *key;
        int64_t value;
    } with[] = { { "query_latent", g->query_latent },
                 { "kv_latent", g->kv_latent },
                 { "head_dim", g->head_dim },
                 { "rotary_dim", g->rotary_dim } };

    for (size_t i = 0; i < COUNT(with); i++)
        if (with[i].value < 0 || (!g->value_dim && with[i].value > 0))
            return refuse_without(in, with[i].key, "value_dim", (double)with[i].value);
    if (!g->value_dim)
        return E_OK;
    if (g->style != GPT_LLAMA)
        return infer_refuse(in, E_INVAL, "gpt.style: expected llama with latent attention, got gpt");
    if (g->value_dim < 0)
        return refuse_key(in, "value_dim", g->value_dim);
    if (g->kv_latent < 1)
        return refuse_key(in, "kv_latent", g->kv_latent);
    if (g->head_dim < 1)
        return refuse_key(in, "head_dim", g->head_dim);
    if (g->kv_heads && g->kv_heads != g->heads)
        return infer_refuse(in, E_INVAL, "gpt.kv_heads: expected none with latent attention, got %lld",
                            (long long)g->kv_heads);
    return E_OK;
}

bool gpt_has_no_layers(const struct gpt_spec *g)
{
    return g->experts > 0 || g->value_dim > 0;
}

/* What no kind of layer expresses has its sums alone. */
static int infer_counts(struct inference *in, const struct gpt_spec *g)
{
    struct gpt_counts c;

    if (gpt_count(g, &c))
        return infer_refuse(in, E_RANGE, "gpt: too large to count");
    in->m->weights = c.matrices;
    in->m->biases = c.scales;
    in->m->flops_forward = c.flops_forward;
    in->m->flops_backward = 2 * c.flops_forward;
    return E_OK;
}

int infer_gpt(struct inference *in, const struct gpt_spec *given)
{
    struct gpt_spec g = *given;
    int rc = check(in, &g);

    rc = rc ? rc : check_experts(in, &g);
    rc = rc ? rc : check_latent(in, &g);
    if (rc)
        return rc;
    g.feed_forward = g.feed_forward ? g.feed_forward : 4 * g.hidden;
    g.kv_heads = g.kv_heads ? g.kv_heads : g.heads;
    if (g.experts && !g.expert_feed_forward)
        g.expert_feed_forward = g.feed_forward;
    in->m->gpt = g;
    if (gpt_has_no_layers(&g))
        return infer_counts(in, &g);
    snprintf(in->path, sizeof(in->path), "gpt"); /* what is too large is so by a key of it */
    rc = g.style == GPT_LLAMA ? infer_llama_style(in, &g) : infer_gpt_style(in, &g);
    rc = rc ? rc : infer_ends(in, &g);
    if (!rc)
        in->path[0] = 0;
    return rc;
}
