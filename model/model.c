#include "model/model.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/private.h"
#include "model/status.h"
#include "model/vec.h"

enum { MAX_LAYERS = 100000 };

static const char *const kind_names[] = {
    [LAYER_CONV] = "conv",
    [LAYER_FC] = "fc",
    [LAYER_CLASSIFIER] = "classifier",
    [LAYER_MAXPOOL] = "maxpool",
    [LAYER_AVGPOOL] = "avgpool",
    [LAYER_RELU] = "relu",
    [LAYER_BATCHNORM] = "batchnorm",
    [LAYER_DROPOUT] = "dropout",
    [LAYER_SOFTMAX] = "softmax",
    [LAYER_SIGMOID] = "sigmoid",
    [LAYER_GELU] = "gelu",
    [LAYER_SILU] = "silu",
    [LAYER_TANH] = "tanh",
    [LAYER_EMBEDDING] = "embedding",
    [LAYER_INTERACTION] = "interaction",
    [LAYER_TOKENS] = "tokens",
    [LAYER_LINEAR] = "linear",
    [LAYER_LAYERNORM] = "layernorm",
    [LAYER_RMSNORM] = "rmsnorm",
    [LAYER_ATTENTION] = "attention",
    [LAYER_PLACE] = "place",
    [LAYER_FIRST] = "first",
    [LAYER_SEQUENCE] = "sequence",
    [LAYER_PREPEND] = "prepend",
    [LAYER_SUM] = "sum",
    [LAYER_CONCAT] = "concat",
    [LAYER_PRODUCT] = "product",
    [LAYER_SIDE] = "side",
    [LAYER_BLOCK] = "block",
    [LAYER_ADD] = "add",
};

const char *layer_kind_name(enum layer_kind kind)
{
    return kind_names[kind];
}

int infer_refuse(struct inference *in, int rc, const char *format, ...)
{
    va_list args;
    int used = in->nwhy && *in->path ? snprintf(in->why, in->nwhy, "%s: ", in->path) : 0;

    va_start(args, format);
    if ((size_t)used < in->nwhy)
        vsnprintf(in->why + used, in->nwhy - (size_t)used, format, args);
    va_end(args);
    return rc;
}

int infer_too_large(struct inference *in, const struct layer *l)
{
    return infer_refuse(in, E_RANGE, "layer %s: too large to count", l->name);
}

static int64_t product_within(int64_t most, int64_t a, int64_t b, int64_t c, int64_t d)
{
    __int128 p = (__int128)a * b;

    if (p > most || (p *= c) > most || (p *= d) > most)
        return -1;
    return (int64_t)p;
}

int64_t count_product(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return product_within(max_count, a, b, c, d);
}

int64_t count_flops(int64_t a, int64_t b, int64_t c, int64_t d)
{
    return product_within(max_flops, a, b, c, d);
}

int64_t shape_volume(struct shape s)
{
    return count_product(s.channels, s.height, s.width, 1);
}

int infer_append(struct inference *in, const struct layer_spec *spec, enum layer_kind kind, struct layer **out)
{
    struct model *m = in->m;

    if (m->nlayers >= MAX_LAYERS)
        return infer_refuse(in, E_RANGE, "more than %d layers", MAX_LAYERS);
    if (!VEC_RESERVE(m->layers, in->capacity, m->nlayers))
        return E_NOMEM;
    struct layer *l = &m->layers[m->nlayers++];
    *l = (struct layer){ .kind = kind, .block = in->block, .input = in->from, .in = in->at, .out = in->at };
    l->second = l->shares = LAYER_NO_LAYER;
    int ordinal = ++in->count_of_kind[kind];
    if (!spec || !spec->name || !*spec->name)
        snprintf(l->name, sizeof(l->name), "%s%d", kind_names[kind], ordinal);
    else if (in->block >= 0)
        snprintf(l->name, sizeof(l->name), "block%d.%.30s", in->block + 1, spec->name);
    else
        snprintf(l->name, sizeof(l->name), "%.40s", spec->name);
    in->from = (int)m->nlayers - 1;
    *out = l;
    return E_OK;
}

/* Layers of one input that the model gives them: those of images and values, then those of sequences and tables. */
static int infer_on_sequence(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    switch (spec->kind) {
    case LAYER_EMBEDDING: return infer_embedding(in, spec, l);
    case LAYER_INTERACTION: return infer_interaction(in, spec, l);
    case LAYER_TOKENS: return infer_tokens(in, spec, l);
    case LAYER_LINEAR: return infer_linear(in, spec, l);
    case LAYER_LAYERNORM: return infer_layernorm(in, l);
    case LAYER_RMSNORM: return infer_rmsnorm(in, l);
    case LAYER_ATTENTION: return infer_attention(in, spec, l);
    case LAYER_PLACE: return infer_place(in, spec, l);
    case LAYER_FIRST: return infer_first(in, l);
    case LAYER_SEQUENCE: return infer_sequence(in, spec, l);
    case LAYER_SUM: return infer_sum(in, l);
    case LAYER_PREPEND: return infer_prepend(in, l);
    default: infer_elementwise(l, 1); return E_OK;
    }
}

static int infer_kind(struct inference *in, const struct layer_spec *spec, struct layer *l)
{
    switch (spec->kind) {
    case LAYER_CONV: return infer_conv(in, spec, l);
    case LAYER_FC: return infer_fc(in, spec->units, spec->bias, l);
    case LAYER_CLASSIFIER: return infer_fc(in, in->classes, spec->bias, l);
    case LAYER_MAXPOOL:
    case LAYER_AVGPOOL: return infer_pool(in, spec, l);
    case LAYER_BATCHNORM:
        l->biases = 2 * l->in.channels;
        infer_elementwise(l, 4); /* subtract the mean, scale by the deviation, scale, shift */
        return E_OK;
    case LAYER_DROPOUT: return infer_dropout(in, spec, l);
    case LAYER_SOFTMAX:
    case LAYER_SIGMOID: infer_elementwise(l, 3); return E_OK; /* exponential, add or sum, divide */
    case LAYER_GELU: infer_elementwise(l, 5); return E_OK;    /* scale, error function, add, multiply, halve */
    case LAYER_SILU:
    case LAYER_TANH: infer_elementwise(l, 4); return E_OK; /* exponential, add, subtract or multiply, divide */
    default: return infer_on_sequence(in, spec, l);
    }
}

int infer_layer(struct inference *in, const struct layer_spec *spec, int depth)
{
    struct layer *l = NULL;

    if (spec->kind == LAYER_BLOCK)
        return infer_block(in, spec, depth);
    if (spec->kind == LAYER_CONCAT || spec->kind == LAYER_PRODUCT)
        return infer_branches(in, spec, depth);
    if (spec->kind == LAYER_SIDE)
        return infer_side(in, spec, depth);
    int rc = infer_append(in, spec, spec->kind, &l);
    if (rc)
        return rc;
    if (spec->kind != LAYER_TOKENS && in->at.channels < 1)
        return infer_refuse(in, E_INVAL, "layer %s: expected an input to read, but the model has none", l->name);
    rc = infer_kind(in, spec, l);
    l->activations = shape_volume(l->out);
    in->at = l->out;
    return rc;
}

void infer_enter(struct inference *in, size_t outer, size_t entry)
{
    snprintf(in->path + outer, sizeof(in->path) - outer, "%slayers[%zu]", outer ? "." : "", entry);
}

int infer_list(struct inference *in, const struct layer_spec *specs, size_t n, int depth)
{
    size_t outer = strlen(in->path);
    int rc = E_OK;

    for (size_t i = 0; !rc && i < n; i++) {
        infer_enter(in, outer, i);
        rc = infer_layer(in, &specs[i], depth);
    }
    if (!rc)
        in->path[outer] = 0;
    return rc;
}

static bool add_to(int64_t *sum, int64_t term)
{
    return !__builtin_add_overflow(*sum, term, sum);
}

static bool sum_up(struct model *m)
{
    int64_t ids = 0;
    bool fits = true;

    for (size_t i = 0; i < m->nlayers; i++) {
        const struct layer *l = &m->layers[i];
        fits = fits && add_to(&m->weights, l->weights) && add_to(&m->biases, l->biases) &&
               add_to(&m->table_values, l->table_values) && add_to(&m->activations, l->activations) &&
               add_to(&m->flops_forward, l->flops_forward) && add_to(&m->flops_backward, l->flops_backward) &&
               add_to(&ids, layer_ids(l));
    }
    return fits;
}

/* An output that nothing reads would get no error. */
static int check_readers(struct inference *in)
{
    const struct model *m = in->m;
    bool *read = calloc(m->nlayers + 1, sizeof(*read)); /* [0]: the network's input */
    size_t unread = 1;

    if (!read)
        return E_NOMEM;
    read[0] = m->input.channels == 0;
    for (size_t i = 0; i < m->nlayers; i++) {
        const struct layer *l = &m->layers[i];
        if (l->kind != LAYER_TOKENS)
            read[l->input + 1] = true;
        if (l->ends_side)
            read[i + 1] = true;
        if (layer_has_second(l))
            read[l->second + 1] = true;
    }
    while (unread < m->nlayers && read[unread])
        unread++;
    bool input = read[0];
    free(read);
    if (unread < m->nlayers)
        return infer_refuse(in, E_INVAL, "layer %s: expected another layer to read its output, but none does",
                            m->layers[unread - 1].name);
    if (!input)
        return infer_refuse(in, E_INVAL, "expected a layer that reads the input, or no input, got neither");
    return E_OK;
}

int model_infer(const struct model_spec *spec, struct model *out, char *why, size_t nwhy)
{
    struct model m = { .input = { spec->channels, spec->height, spec->width } };
    struct inference in = {
        .m = &m, .at = m.input, .from = LAYER_NO_LAYER, .classes = spec->classes, .block = -1, .why = why, .nwhy = nwhy
    };
    int rc = E_OK;

    if (nwhy)
        why[0] = 0;
    snprintf(m.name, sizeof(m.name), "%s", spec->name ? spec->name : "");
    if ((spec->channels || spec->height || spec->width) &&
        (spec->channels < 1 || spec->height < 1 || spec->width < 1 || shape_volume(m.input) < 0))
        rc = infer_refuse(&in, E_INVAL, "the input shape must be positive, and at most 2^48 values");
    if (!rc && !spec->gpt.hidden && !spec->nlayers)
        rc = infer_refuse(&in, E_INVAL, "expected layers or gpt, got neither");
    if (!rc && spec->gpt.hidden && spec->nlayers)
        rc = infer_refuse(&in, E_INVAL, "gpt.hidden: expected layers or gpt, got both");
    if (!rc)
        rc = spec->gpt.hidden ? infer_gpt(&in, &spec->gpt) : infer_list(&in, spec->layers, spec->nlayers, 0);
    if (!rc && m.nlayers && m.layers[m.nlayers - 1].ends_side)
        rc = infer_refuse(&in, E_INVAL, "expected a layer after the last side, got none");
    if (!rc && !sum_up(&m))
        rc = infer_refuse(&in, E_RANGE, "all layers together are too large to count");
    if (!rc && !m.weights)
        rc = infer_refuse(&in, E_INVAL, "expected a layer with weights, got none");
    if (!rc && m.nlayers)
        rc = check_readers(&in);
    if (rc) {
        model_free(&m);
        return rc;
    }
    *out = m;
    return E_OK;
}

void model_free(struct model *m)
{
    free(m->layers);
    memset(m, 0, sizeof(*m));
}
