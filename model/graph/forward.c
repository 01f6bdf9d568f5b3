/* forward.c - the forward pass: patch by patch through the split layers, then the rest. */
#include <assert.h>
#include <stdbool.h>

#include "model/graph/private.h"

/* The tensor that a layer reads as output of layer 'from', in a patch or outside. */
static int32_t input_of(struct graph_builder *b, int from, int32_t patch)
{
    if (from == LAYER_NO_LAYER)
        return patch == NO_PATCH ? b->images : b->cuts[patch];
    if (patch == NO_PATCH && b->nsplit && (size_t)from < b->nsplit) {
        assert((size_t)from == b->nsplit - 1); /* patches are joined outside of every block */
        return b->joined;
    }
    return *graph_output(b, (size_t)from, patch);
}

static void append(struct graph_builder *b, struct operation *o)
{
    if (o->kind == OPERATION_LAYER && graph_is_compute_bound(b->g->model->layers[o->layer].kind))
        b->g->ngroups++;
    o->group = b->g->ngroups ? b->g->ngroups - 1 : 0;
    graph_cost(b, o, NULL);
    graph_add_operation(b, o);
}

static void layer(struct graph_builder *b, size_t l, int32_t patch)
{
    const struct layer *at = &b->g->model->layers[l];
    struct operation o = graph_operation(OPERATION_LAYER, (int32_t)l, patch);
    struct shape out = at->out;

    if (patch != NO_PATCH)
        out = split_net_out(b->split, b->g->model, l, patch / b->split->columns, patch % b->split->columns);
    if (at->kind != LAYER_TOKENS)
        o.x = input_of(b, at->input, patch);
    if (layer_has_second(at))
        o.x2 = input_of(b, at->second, patch);
    o.y = graph_add_tensor(b, TENSOR_ACTIVATION, (int32_t)l, patch, out);
    *graph_output(b, l, patch) = o.y;
    if (at->kind == LAYER_BATCHNORM)
        b->g->statistics_bytes += 2 * 4 * at->in.channels;
    if (at->kind == LAYER_LAYERNORM) /* less than its output, of which the sum is known to fit */
        b->g->statistics_bytes += b->rc ? 0 : 2 * 4 * b->g->batch * at->in.channels;
    if (at->kind == LAYER_RMSNORM)
        b->g->statistics_bytes += b->rc ? 0 : 4 * b->g->batch * at->in.channels;
    append(b, &o);
}

static void cut(struct graph_builder *b, int32_t patch)
{
    struct operation o = graph_operation(OPERATION_CUT, LAYER_NO_LAYER, patch);
    int64_t row = patch / b->split->columns, column = patch % b->split->columns;

    o.x = b->images;
    o.y = b->cuts[patch] =
        graph_add_tensor(b, TENSOR_INPUT, LAYER_NO_LAYER, patch, split_net_in(b->split, b->g->model, 0, row, column));
    append(b, &o);
}

static void join(struct graph_builder *b, int32_t patch)
{
    size_t last = b->nsplit - 1;
    struct operation o = graph_operation(OPERATION_JOIN, (int32_t)last, patch);

    if (b->joined == NO_TENSOR)
        b->joined = graph_add_tensor(b, TENSOR_ACTIVATION, (int32_t)last, NO_PATCH, b->g->model->layers[last].out);
    o.x = *graph_output(b, last, patch);
    o.y = b->joined;
    append(b, &o);
}

void graph_forward(struct graph_builder *b)
{
    const struct model *m = b->g->model;

    b->images = graph_add_tensor(b, TENSOR_INPUT, LAYER_NO_LAYER, NO_PATCH, m->input);
    for (int32_t patch = 0; b->nsplit && patch < b->patches; patch++) {
        cut(b, patch);
        for (size_t l = 0; l < b->nsplit; l++)
            layer(b, l, patch);
        join(b, patch);
    }
    for (size_t l = b->nsplit; l < m->nlayers; l++)
        layer(b, l, NO_PATCH);
    b->g->nforward = b->g->noperations;
}
