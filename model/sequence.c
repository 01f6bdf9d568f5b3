/* sequence.c - layers that work on sequences: a vector at each position. */
#include <string.h>

#include "model/private.h"
#include "model/status.h"

int infer_check_sequence(struct inference *in, const struct layer *l)
{
    if (shape_is_sequence(l->in))
        return E_OK;
    return infer_refuse(in, E_INVAL,
                        "layer %s: expected a sequence, that is a height of 1 and vectors of 2 values or more, got "
                        "%lldx%lldx%lld",
                        l->name, (long long)l->in.channels, (long long)l->in.height, (long long)l->in.width);
}

int infer_find(const struct inference *in, const char *name)
{
    int i = (int)in->m->nlayers - 2; /* the last layer is the one that asks */

    while (i >= 0 && strcmp(in->m->layers[i].name, name) != 0)
        i--;
    return i;
}

/* A row is scaled, and a sinusoid added; backward its scaled error is added to the row's gradient. */
int infer_tokens(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    if (spec->rows < 1 || spec->dim < 2 || spec->positions < 1)
        return infer_refuse(in, E_INVAL,
                            "layer %s: expected rows >= 1, dim >= 2 and positions >= 1, got rows %lld, dim %lld, "
                            "positions %lld",
                            l->name, (long long)spec->rows, (long long)spec->dim, (long long)spec->positions);
    l->input = LAYER_NO_LAYER;
    l->rows = spec->rows;
    l->dim = spec->dim;
    l->stream = spec->stream;
    l->place = spec->place;
    l->in = (struct shape){ .channels = spec->positions, .height = 1, .width = 1 };
    l->out = (struct shape){ .channels = spec->positions, .height = 1, .width = spec->dim };
    l->weights = count_product(spec->rows, spec->dim, 1, 1);
    if (l->weights < 0 || shape_volume(l->out) < 0)
        return infer_too_large(in, l);
    infer_elementwise(l, spec->place == PLACE_SINUSOID ? 2 : 0);
    if (spec->place == PLACE_NONE)
        l->flops_backward = shape_volume(l->out);
    in->any_parameters = true;
    return E_OK;
}

/* The weights are those of a layer before it that has as many: it multiplies with them, and they are counted there. */
static int share_weights(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int from = infer_find(in, spec->shared);
    const struct layer *of = from < 0 ? NULL : &in->m->layers[from];
    bool tokens = of && of->kind == LAYER_TOKENS && of->rows == spec->units && of->dim == l->in.width;
    bool linear = of && of->kind == LAYER_LINEAR && of->out.width == spec->units && of->in.width == l->in.width;

    if (!tokens && !(linear && of->weights))
        return infer_refuse(
            in, E_INVAL,
            "layer %s: shared: expected the name of tokens or of a linear layer before it, with a matrix "
            "of %lldx%lld of its own, got '%s'",
            l->name, (long long)spec->units, (long long)l->in.width, spec->shared);
    l->shares = from;
    l->shared_weights = l->weights;
    l->weights = 0;
    return E_OK;
}

int infer_linear(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    int rc = infer_check_sequence(in, l);

    if (rc)
        return rc;
    if (spec->units < 1)
        return infer_refuse(in, E_INVAL, "layer %s: expected units >= 1, got %lld", l->name, (long long)spec->units);
    l->out.width = spec->units;
    if (shape_volume(l->out) < 0)
        return infer_too_large(in, l);
    l->weights = count_product(l->in.width, spec->units, 1, 1);
    rc = infer_flops(in, l, l->in.channels, spec->bias, spec->units);
    return rc || !spec->shared || !*spec->shared ? rc : share_weights(in, spec, l);
}

int infer_layernorm(struct inference *in, struct layer *l)
{
    l->biases = 2 * l->in.width;
    infer_elementwise(l, 4); /* subtract the mean, scale by the deviation, scale, shift */
    return infer_check_sequence(in, l);
}

int infer_rmsnorm(struct inference *in, struct layer *l)
{
    l->biases = l->in.width;
    infer_elementwise(l, 3); /* square for the mean, scale by the root, scale */
    return infer_check_sequence(in, l);
}

/* The layer that gives keys and values, into l->second; its own input stays LAYER_NO_LAYER. */
static int find_memory(struct inference *in, const struct layer_spec *spec, struct layer *l, struct shape *memory)
{
    int i;

    *memory = l->in;
    if (!spec->memory || !*spec->memory)
        return E_OK;
    if (spec->causal)
        return infer_refuse(in, E_INVAL,
                            "layer %s: expected no memory of a causal attention: it is of no position before or after",
                            l->name);
    i = infer_find(in, spec->memory);
    if (i < 0)
        return infer_refuse(in, E_INVAL,
                            "layer %s: memory: expected the name of a layer before it, as 'narrows show model' prints "
                            "it, got '%s'",
                            l->name, spec->memory);
    *memory = in->m->layers[i].out;
    if (!shape_is_sequence(*memory) || memory->width != l->in.width)
        return infer_refuse(in, E_INVAL,
                            "layer %s: memory: expected a sequence with vectors of %lld values, got %s with "
                            "%lldx%lldx%lld",
                            l->name, (long long)l->in.width, spec->memory, (long long)memory->channels,
                            (long long)memory->height, (long long)memory->width);
    l->second = i == l->input ? LAYER_NO_LAYER : i;
    return E_OK;
}

/* What relative positions add to products of queries with keys and with values; a distance is projected once for all
 * samples, so that it costs none of them. */
static void count_relative(struct inference *in, struct layer *l, int64_t products)
{
    if (!l->relative)
        return;
    if (!in->any_relative)
        l->biases += 2 * l->in.width;
    in->any_relative = true;
    l->weights += l->in.width * l->in.width;
    l->flops_forward += products / 2 + 2 * l->in.channels * l->in.width;
}

/* Four projections, the product of each query and key, a softmax of each query's products, the weighted sum of values.
 * Causal attention counts as much: masked products are computed too. Backward each product becomes two; where no layer
 * before has parameters, projections compute no error of their input. */
static int count_attention(struct inference *in, bool bias, struct layer *l)
{
    int64_t n = l->in.channels, keys = l->memory_positions, dim = l->in.width, kv = dim / l->heads * l->kv_heads;
    int64_t projection = count_product(n, dim, dim, 2), of_memory = count_product(keys, dim, kv, 4);
    int64_t products = count_flops(n, keys, dim, 4);
    int64_t softmax = count_flops(n, keys, l->heads, 4); /* scale, then as a softmax layer */

    if (projection < 0 || of_memory < 0 || products < 0 || softmax < 0)
        return infer_too_large(in, l);
    if (bias) {
        projection += n * dim;
        of_memory += 2 * keys * kv;
        l->biases = 2 * dim + 2 * kv;
    }
    l->weights = 2 * dim * dim + 2 * dim * kv; /* each less than a projection's FLOPs */
    l->flops_forward = 2 * projection + of_memory + products + softmax;
    count_relative(in, l, products);
    l->flops_backward = 2 * l->flops_forward - (in->any_parameters ? 0 : projection + of_memory);
    in->any_parameters = true;
    return E_OK;
}

int infer_attention(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    struct shape memory;
    int rc = infer_check_sequence(in, l);

    if (rc)
        return rc;
    if (spec->heads < 1 || l->in.width % spec->heads)
        return infer_refuse(in, E_INVAL, "layer %s: expected heads that divide the %lld values of a vector, got %lld",
                            l->name, (long long)l->in.width, (long long)spec->heads);
    l->heads = spec->heads;
    l->kv_heads = spec->kv_heads ? spec->kv_heads : spec->heads;
    if (l->kv_heads < 1 || l->heads % l->kv_heads)
        return infer_refuse(in, E_INVAL, "layer %s: expected kv_heads that divide its %lld heads, got %lld", l->name,
                            (long long)l->heads, (long long)l->kv_heads);
    rc = find_memory(in, spec, l, &memory);
    if (rc)
        return rc;
    if (spec->past < 0 || spec->past > max_count || (spec->past && spec->memory && *spec->memory))
        return infer_refuse(in, E_INVAL, "layer %s: expected a past of 0 or more and without a memory, got %lld",
                            l->name, (long long)spec->past);
    l->causal = spec->causal;
    l->relative = spec->relative;
    l->past = spec->past;
    l->memory_positions = memory.channels + spec->past;
    return count_attention(in, spec->bias, l);
}
