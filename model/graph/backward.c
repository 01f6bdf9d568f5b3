/* backward.c - the backward pass: the exact reverse of the forward one. */
#include <stdbool.h>

#include "model/graph/private.h"

static void append(struct graph_builder *b, struct operation *o, const struct operation *forward)
{
    o->backward = true;
    graph_cost(b, o, forward);
    graph_add_operation(b, o);
}

/* A dropped tensor is recomputed right before the first operation that needs it (the caller sets the group). Its norm's
 * input is never dropped, so it exists. */
static int32_t again_of(struct graph_builder *b, int32_t tensor)
{
    struct tensor *t = &b->g->tensors[tensor];

    if (b->norms[tensor] == NO_OPERATION)
        return tensor;
    if (t->again == NO_TENSOR) {
        const struct operation *norm = &b->g->operations[b->norms[tensor]];
        struct operation o = graph_operation(OPERATION_RECOMPUTE, norm->layer, norm->patch);
        o.x = norm->x;
        o.y = graph_add_tensor(b, TENSOR_RECOMPUTED, t->layer, t->patch, t->shape);
        t->again = o.y;
        append(b, &o, norm);
    }
    return t->again;
}

/* The output after a chain of dropouts, each the only reader of the one before. */
static int32_t behind_dropouts(struct graph_builder *b, size_t l, int32_t patch)
{
    for (int32_t next = b->uses[l].reader; next != LAYER_NO_LAYER; next = b->uses[l].reader) {
        if (b->g->model->layers[next].kind != LAYER_DROPOUT)
            break;
        l = (size_t)next;
    }
    return *graph_output(b, l, patch);
}

/* A loss whose error follows from its own output. */
static bool starts_backward(const struct graph_builder *b, const struct operation *forward)
{
    enum layer_kind kind = b->g->model->layers[forward->layer].kind;

    return forward->kind == OPERATION_LAYER && forward->patch == NO_PATCH &&
           (size_t)forward->layer == b->g->model->nlayers - 1 && (kind == LAYER_SOFTMAX || kind == LAYER_SIGMOID);
}

/* What the backward operation of a layer reads besides its error; graph.h has the definitions. */
static void set_needs(struct graph_builder *b, const struct operation *forward, struct operation *o)
{
    bool cudnn = b->g->generated == GENERATED_CUDNN, outputs = b->g->generated == GENERATED_OUTPUTS;

    switch (b->g->model->layers[forward->layer].kind) {
    case LAYER_CONV:
    case LAYER_FC:
    case LAYER_CLASSIFIER:
    case LAYER_BATCHNORM:
    case LAYER_INTERACTION:
    case LAYER_LINEAR:
    case LAYER_LAYERNORM:
    case LAYER_RMSNORM:
    case LAYER_GELU:
    case LAYER_SILU: o->x = forward->x; break;
    case LAYER_PRODUCT:
    case LAYER_ATTENTION:
        o->x = forward->x;
        o->x2 = forward->x2;
        break;
    case LAYER_MAXPOOL:
        o->x = forward->x;
        o->y = cudnn ? forward->y : NO_TENSOR;
        break;
    case LAYER_AVGPOOL:
        if (cudnn)
            o->x = forward->x, o->y = forward->y;
        break;
    case LAYER_RELU:
        o->x = cudnn ? forward->x : NO_TENSOR;
        o->y = cudnn || outputs ? forward->y : behind_dropouts(b, (size_t)forward->layer, forward->patch);
        break;
    case LAYER_SIGMOID:
        o->x = cudnn && !starts_backward(b, forward) ? forward->x : NO_TENSOR;
        o->y = forward->y;
        break;
    case LAYER_TANH:
    case LAYER_SOFTMAX: o->y = forward->y; break;
    default: break; /* dropout redraws its mask; sums, joined channels, lookups and places need nothing */
    }
}

/* Of what it needs, what was dropped is recomputed. */
static void recompute_needs(struct graph_builder *b, struct operation *o)
{
    if (o->x != NO_TENSOR)
        o->x = again_of(b, o->x);
    if (o->x2 != NO_TENSOR)
        o->x2 = again_of(b, o->x2);
    if (o->y != NO_TENSOR)
        o->y = again_of(b, o->y);
}

/* The error that this operation contributes to that of a forward tensor. */
static int32_t contribution(struct graph_builder *b, int32_t tensor)
{
    const struct tensor *t = tensor == NO_TENSOR ? NULL : &b->g->tensors[tensor];

    if (!t || t->role == TENSOR_INPUT || !b->uses[t->layer].has_error)
        return NO_TENSOR;
    return graph_add_tensor(b, TENSOR_ERROR, t->layer, t->patch, t->shape);
}

/* The first contribution is the error, each further one is added to it. */
static void contribute(struct graph_builder *b, int32_t tensor, int32_t error)
{
    const struct tensor *t;
    struct operation o;

    if (error == NO_TENSOR)
        return;
    t = &b->g->tensors[tensor];
    o = graph_operation(OPERATION_SUM, t->layer, t->patch);
    if (b->errors[tensor] == NO_TENSOR) {
        b->errors[tensor] = error;
        return;
    }
    o.group = b->g->operations[b->g->noperations - 1].group;
    o.x = b->errors[tensor];
    o.x2 = error;
    o.y = b->errors[tensor] = graph_add_tensor(b, TENSOR_ERROR, t->layer, t->patch, t->shape);
    append(b, &o, NULL);
}

/* The error with which the backward pass begins, where the loss does not compute it. */
static int32_t loss_error(struct graph_builder *b, const struct operation *forward)
{
    const struct tensor *t = &b->g->tensors[forward->y];
    int32_t error;

    if (starts_backward(b, forward))
        return NO_TENSOR;
    error = graph_add_tensor(b, TENSOR_ERROR, t->layer, t->patch, t->shape);
    b->g->tensors[error].producer = (int32_t)b->g->noperations;
    return b->errors[forward->y] = error;
}

static void backward(struct graph_builder *b, int32_t i)
{
    const struct operation *f = &b->g->operations[i];
    struct operation o = graph_operation(f->kind, f->layer, f->patch);
    size_t before = b->g->noperations;

    if (f->kind == OPERATION_CUT || !b->uses[f->layer].has_error)
        return;
    o.group = f->group;
    o.twin = i;
    if (f->kind == OPERATION_JOIN)
        o.kind = OPERATION_UNJOIN;
    else
        set_needs(b, f, &o), recompute_needs(b, &o);
    for (size_t again = before; again < b->g->noperations; again++)
        b->g->operations[again].group = o.group;
    o.dy = b->errors[f->y] == NO_TENSOR ? loss_error(b, f) : b->errors[f->y];
    o.dx = contribution(b, f->x);
    o.dx2 = contribution(b, f->x2);
    b->g->operations[i].twin = (int32_t)b->g->noperations;
    append(b, &o, f);
    contribute(b, f->x, o.dx);
    contribute(b, f->x2, o.dx2);
}

void graph_backward(struct graph_builder *b)
{
    for (int32_t i = (int32_t)b->g->nforward; i-- > 0;)
        backward(b, i);
}

/* Chooses the outputs of norms (or of the ReLU that alone reads one) that are dropped: not those that end a block's
 * path, and not right behind another dropped one, which would have to be recomputed first. */
void graph_drop_norms(struct graph_builder *b)
{
    for (size_t i = 0; b->options->recompute_norm && i < b->g->nforward; i++) {
        const struct operation *o = &b->g->operations[i];
        size_t l = (size_t)o->layer;
        if (o->kind != OPERATION_LAYER || b->g->model->layers[l].kind != LAYER_BATCHNORM)
            continue;
        int32_t next = b->uses[l].reader;
        if (next != LAYER_NO_LAYER && b->g->model->layers[next].kind == LAYER_RELU)
            l = (size_t)next;
        if (!b->uses[l].ends_path && b->norms[o->x] == NO_OPERATION)
            b->norms[*graph_output(b, l, o->patch)] = (int32_t)i;
    }
}
