/* cost.c - FLOPs, memory traffic and workspace of an operation. */
#include <stdbool.h>

#include "model/graph/private.h"
#include "model/numbers.h"
#include "model/status.h"

static const int64_t max_workspace = (int64_t)1 << 61;

static double bytes_of(const struct graph_builder *b, int32_t tensor)
{
    return tensor == NO_TENSOR ? 0 : (double)b->g->tensors[tensor].bytes;
}

/* A layer's FLOPs in proportion to a patch's outputs. Every position of a plane costs the same, so it is exact. */
static double share(int64_t flops, struct shape whole, struct shape patch)
{
    if (whole.height == patch.height && whole.width == patch.width)
        return (double)flops;
    return (double)(flops / (whole.height * whole.width)) * (double)(patch.height * patch.width);
}

/* FLOPs that an attention's backward pass repeats: all but the output's projection. */
static double recomputed(const struct layer *l)
{
    return l->kind == LAYER_ATTENTION
               ? (double)l->flops_forward - (double)l->activations * (2 * (double)l->in.width + 1)
               : 0;
}

static double flops_of(const struct graph_builder *b, const struct operation *o, struct shape out)
{
    const struct layer *l = o->layer == LAYER_NO_LAYER ? NULL : &b->g->model->layers[o->layer];
    double flops = 0;

    switch (o->kind) {
    case OPERATION_LAYER:
        flops = share(o->backward ? l->flops_backward : l->flops_forward, l->out, out);
        flops += o->backward ? recomputed(l) : 0;
        break;
    case OPERATION_RECOMPUTE:
        flops = share(l->flops_forward, l->out, out);
        if (b->g->tensors[o->y].layer != o->layer)
            flops += share(b->g->model->layers[b->g->tensors[o->y].layer].flops_forward, l->out, out);
        break;
    case OPERATION_SUM: flops = bytes_of(b, o->y) / 4 / (double)b->g->batch; break;
    default: break;
    }
    return flops * (double)b->g->batch;
}

/* A sum's second input, where the shortcut strides: as many values as match. */
static double matched(const struct graph_builder *b, int32_t second, int32_t sum)
{
    struct shape from = b->g->tensors[second].shape, to = b->g->tensors[sum].shape;

    return 4.0 * (double)b->g->batch * (double)min64(from.channels, to.channels) * (double)to.height * (double)to.width;
}

/* Bytes of all reading and writing passes: one over each tensor, more where a kernel needs several. */
static double moved(const struct graph_builder *b, const struct operation *o, const struct operation *forward)
{
    const struct layer *l = o->layer == LAYER_NO_LAYER ? NULL : &b->g->model->layers[o->layer];
    double x = bytes_of(b, o->x), x2 = bytes_of(b, o->x2), y = bytes_of(b, o->y);
    double dy = bytes_of(b, o->dy), dx = bytes_of(b, o->dx), dx2 = bytes_of(b, o->dx2);
    double rows = l ? 4 * (double)b->g->batch * (double)l->sparse_values : 0;
    double weights = l ? 4 * (double)(l->weights + l->shared_weights + l->biases) : 0;

    switch (o->kind) {
    case OPERATION_CUT: return 2 * y; /* as many bytes are read */
    case OPERATION_JOIN: return 2 * x;
    case OPERATION_UNJOIN: return 2 * bytes_of(b, forward->x);
    case OPERATION_SUM:
    case OPERATION_RECOMPUTE: return x + x2 + y;
    case OPERATION_LAYER: break;
    }
    switch (l->kind) {
    case LAYER_CONV:
    case LAYER_FC:
    case LAYER_CLASSIFIER:
    case LAYER_LINEAR:
        if (!o->backward)
            return x + y + weights;
        return x + dy + weights + (o->dx == NO_TENSOR ? 0 : dy + dx + weights); /* weights' gradient, then the error */
    case LAYER_BATCHNORM:
    case LAYER_LAYERNORM:
    case LAYER_RMSNORM:
        return o->backward ? 2 * (x + dy) + dx : 2 * x + y; /* statistics, then values; sums, then errors */
    case LAYER_ADD: return o->backward ? 0 : x + matched(b, o->x2, o->y) + y; /* errors may share: storage.c */
    case LAYER_TOKENS:
        return o->backward ? 3 * dy : 2 * y; /* rows are read; backward their gradients are, and written */
    case LAYER_PLACE: return o->backward ? dy + dx + weights : x + y + weights;
    case LAYER_FIRST: return o->backward ? dy + dx : 2 * y;
    case LAYER_EMBEDDING: return x + y + dy + dx + (o->backward ? 2 : 1) * rows; /* rows as in tokens */
    case LAYER_ATTENTION:                                                        /* its workspace is written and read */
        return x + x2 + y + dy + dx + dx2 + (o->backward ? 2 : 1) * weights + 2 * (double)o->workspace_bytes;
    default: return x + x2 + y + dy + dx + dx2;
    }
}

int64_t graph_attention_bytes(const struct layer *l, int64_t batch, bool backward)
{
    __int128 ends = (__int128)2 * l->in.channels * l->in.width; /* queries, context */
    __int128 middle = (__int128)2 * l->memory_positions * (l->in.width / l->heads * l->kv_heads) +
                      (__int128)l->heads * l->in.channels * l->memory_positions;
    __int128 bytes = 4 * (backward ? 2 : 1) * (ends + middle);

    return bytes < INT64_MAX / batch ? (int64_t)bytes * batch : INT64_MAX;
}

void graph_cost(struct graph_builder *b, struct operation *o, const struct operation *forward)
{
    const struct operation *f = forward ? forward : o;
    const struct layer *l = o->kind == OPERATION_LAYER ? &b->g->model->layers[o->layer] : NULL;

    if (l && l->kind == LAYER_CONV) {
        double wanted = b->options->workspace_factor * (bytes_of(b, f->x) + bytes_of(b, f->y));
        double limit = b->options->workspace_limit ? (double)b->options->workspace_limit : (double)max_workspace;
        o->workspace_bytes = (int64_t)(wanted < limit ? wanted : limit);
    } else if (l && l->kind == LAYER_ATTENTION) {
        o->workspace_bytes = graph_attention_bytes(l, b->g->batch, o->backward);
        if (o->workspace_bytes > max_workspace)
            b->rc = E_RANGE, o->workspace_bytes = 0;
    }
    o->flops = flops_of(b, o, b->g->tensors[f->y].shape);
    o->bytes = moved(b, o, f);
    o->compute_bound = l && graph_is_compute_bound(l->kind);
}
