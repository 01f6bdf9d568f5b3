/* What an operation computes and moves. */
#include "sim/memory/graph_private.h"

static double bytes_of(const struct graph_builder *b, int32_t tensor)
{
    return tensor == NO_TENSOR ? 0 : (double)b->g->tensors[tensor].bytes;
}

/* A layer's FLOPs in proportion to a patch's outputs. Every position of a plane costs the same, so it is exact. */
static double share(int64_t flops, struct shape whole, struct shape patch)
{
    return (double)(flops / (whole.height * whole.width)) * (double)(patch.height * patch.width);
}

static double flops_of(const struct graph_builder *b, const struct operation *o, struct shape out)
{
    const struct layer *l = o->layer == LAYER_NO_LAYER ? NULL : &b->g->model->layers[o->layer];
    double flops = 0;

    switch (o->kind) {
    case OPERATION_LAYER: flops = share(o->backward ? l->flops_backward : l->flops_forward, l->out, out); break;
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
    int64_t channels = from.channels < to.channels ? from.channels : to.channels;

    return 4.0 * (double)b->g->batch * (double)channels * (double)to.height * (double)to.width;
}

/* Each reading and writing pass: those of the places, once; more where a kernel passes over a tensor more than once. */
static double moved(const struct graph_builder *b, const struct operation *o, const struct operation *forward)
{
    const struct layer *l = o->layer == LAYER_NO_LAYER ? NULL : &b->g->model->layers[o->layer];
    double x = bytes_of(b, o->x), x2 = bytes_of(b, o->x2), y = bytes_of(b, o->y);
    double dy = bytes_of(b, o->dy), dx = bytes_of(b, o->dx);
    double weights = l ? 4 * (double)(l->weights + l->biases) : 0;

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
        if (!o->backward)
            return x + y + weights;
        return x + dy + weights + (o->dx == NO_TENSOR ? 0 : dy + dx + weights); /* weights' gradient, then the error */
    case LAYER_BATCHNORM:
        return o->backward ? 2 * (x + dy) + dx : 2 * x + y; /* statistics, then values; sums, then errors */
    case LAYER_ADD: return o->backward ? 0 : x + matched(b, o->x2, o->y) + y; /* errors may share: storage.c */
    default: return x + x2 + y + dy + dx;
    }
}

void graph_cost(const struct graph_builder *b, struct operation *o, const struct operation *forward)
{
    const struct operation *f = forward ? forward : o;
    enum layer_kind kind = o->layer == LAYER_NO_LAYER ? LAYER_BLOCK : b->g->model->layers[o->layer].kind;
    _Bool conv = o->kind == OPERATION_LAYER && kind == LAYER_CONV;

    o->flops = flops_of(b, o, b->g->tensors[f->y].shape);
    o->bytes = moved(b, o, f);
    o->compute_bound =
        o->kind == OPERATION_LAYER && (kind == LAYER_CONV || kind == LAYER_FC || kind == LAYER_CLASSIFIER);
    if (conv) {
        double workspace = b->options->workspace_factor * (bytes_of(b, f->x) + bytes_of(b, f->y));
        double limit = b->options->workspace_limit ? (double)b->options->workspace_limit : 0x1p61;
        o->workspace_bytes = (int64_t)(workspace < limit ? workspace : limit);
    }
}
