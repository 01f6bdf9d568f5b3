#include "train/net/call.h"

#include "train/net/shapes.h"

static const struct layer *layer_of(const struct call *c)
{
    return &c->graph->model->layers[c->operation->layer];
}

/* Values of one sample that the layer takes, and puts out; it is not split. */
static int64_t inputs(const struct call *c)
{
    struct image_shape s = shapes_in(c->graph, c->split, c->operation);

    return image_values(&s) / s.batch;
}

static int64_t outputs(const struct call *c)
{
    struct image_shape s = shapes_out(c->graph, c->split, c->operation);

    return image_values(&s) / s.batch;
}

static int64_t softmax_rows(const struct call *c)
{
    return model_softmax_rows(layer_of(c));
}

static int pass_on(const struct call *c, int64_t n)
{
    struct image_shape s = { 1, 1, 1, n };

    return c->x == c->y ? 0 : c->backend->cut(c->handle, &s, &s, 0, 0, c->x, c->y, c->stream);
}

static int forward_norm(const struct call *c, const struct image_shape *in)
{
    const float *shift = c->b + in->channels;

    if (c->inference)
        return c->backend->norm_again(c->handle, in, c->x, c->b, shift, c->mean, c->inv_std, c->y, c->stream);
    return c->backend->norm_forward(c->handle, in, c->x, c->b, shift, c->y, c->mean, c->inv_std, c->stream);
}

static int forward_dropout(const struct call *c, int64_t n)
{
    if (c->inference)
        return pass_on(c, n);
    return c->backend->dropout(c->handle, n, (float)layer_of(c)->rate, c->dropout_seed, c->x, c->y, c->stream);
}

static int forward_attention(const struct call *c)
{
    struct attention_shape s = shapes_attention(c->graph, (size_t)c->operation->layer);

    return c->backend->attention_forward(c->handle, &s, c->x, c->x2, c->w, c->b, c->y, c->workspace, c->nworkspace,
                                         c->stream);
}

static int forward_concat(const struct call *c, const struct image_shape *in)
{
    struct image_shape second = shapes_second(c->graph, c->split, c->operation);

    return c->backend->concat(c->handle, in, &second, c->x, c->x2, c->y, c->stream);
}

/* Layers that work on sequences, and on rows of tables. */
static int forward_rows(const struct call *c, const struct image_shape *in)
{
    const struct ops_backend *b = c->backend;
    const struct layer *l = layer_of(c);
    struct bag_shape bag = shapes_bag(c->graph, (size_t)c->operation->layer);

    switch (l->kind) {
    case LAYER_EMBEDDING: return b->bag_forward(c->handle, &bag, c->x, c->ids, c->table, c->y, c->stream);
    case LAYER_INTERACTION:
        return b->interact_forward(c->handle, in->batch, inputs(c) / l->dim, l->dim, c->x, c->y, c->stream);
    case LAYER_TOKENS:
        return b->tokens_forward(c->handle, in->batch, l->out.channels, l->dim, c->ids, c->w, c->y, c->stream);
    case LAYER_LINEAR:
        return b->fc_forward(c->handle, in->batch * in->channels, in->width, l->out.width, c->x, c->w, c->b, c->y,
                             c->stream);
    case LAYER_LAYERNORM:
        return b->layernorm_forward(c->handle, in->batch * in->channels, in->width, c->x, c->b, c->b + in->width, c->y,
                                    c->mean, c->inv_std, c->stream);
    default: return forward_attention(c);
    }
}

static int forward_add(const struct call *c, const struct image_shape *in)
{
    struct image_shape second = shapes_second(c->graph, c->split, c->operation);

    return c->backend->add(c->handle, in, c->x, &second, layer_of(c)->stride, c->x2, c->y, c->stream);
}

static int forward(const struct call *c)
{
    const struct ops_backend *b = c->backend;
    struct ops *h = c->handle;
    struct conv_shape s = shapes_window(c->graph, c->split, c->operation);
    struct image_shape in = shapes_in(c->graph, c->split, c->operation);
    int64_t batch = in.batch, n = image_values(&in);

    switch (layer_of(c)->kind) {
    case LAYER_CONV: return b->conv_forward(h, &s, c->x, c->w, c->b, c->y, c->workspace, c->nworkspace, c->stream);
    case LAYER_FC:
    case LAYER_CLASSIFIER: return b->fc_forward(h, batch, inputs(c), outputs(c), c->x, c->w, c->b, c->y, c->stream);
    case LAYER_MAXPOOL: return b->maxpool_forward(h, &s, c->x, c->y, c->stream);
    case LAYER_AVGPOOL: return b->avgpool_forward(h, &s, c->x, c->y, c->stream);
    case LAYER_RELU: return b->relu_forward(h, n, c->x, c->y, c->stream);
    case LAYER_BATCHNORM: return forward_norm(c, &in);
    case LAYER_DROPOUT: return forward_dropout(c, n);
    case LAYER_SOFTMAX:
        return b->softmax_forward(h, batch * softmax_rows(c), inputs(c) / softmax_rows(c), c->x, c->y, c->stream);
    case LAYER_SIGMOID: return b->sigmoid_forward(h, n, c->x, c->y, c->stream);
    case LAYER_ADD: return forward_add(c, &in);
    case LAYER_CONCAT: return forward_concat(c, &in);
    default: return forward_rows(c, &in);
    }
}

/* Both inputs get the error, the shortcut what fits it; an input that shares the memory of dy has it already. */
static int backward_add(const struct call *c, const struct image_shape *in)
{
    struct image_shape second = shapes_second(c->graph, c->split, c->operation);
    const struct ops_backend *b = c->backend;
    int rc = 0;

    if (c->dx && c->dx != c->dy)
        rc = b->add_backward(c->handle, in, in, 1, c->dy, c->dx, c->stream);
    if (!rc && c->dx2 && c->dx2 != c->dy)
        rc = b->add_backward(c->handle, in, &second, layer_of(c)->stride, c->dy, c->dx2, c->stream);
    return rc;
}

static int backward_conv(const struct call *c, const struct conv_shape *s)
{
    const struct ops_backend *b = c->backend;
    int rc = b->conv_backward_weights(c->handle, s, c->x, c->dy, c->dw, c->db, c->workspace, c->nworkspace, c->stream);

    if (rc || !c->dx)
        return rc;
    return b->conv_backward_data(c->handle, s, c->dy, c->w, c->dx, c->workspace, c->nworkspace, c->stream);
}

static int backward_fc(const struct call *c, int64_t batch)
{
    const struct ops_backend *b = c->backend;
    int64_t in = inputs(c), out = outputs(c);
    int rc = b->fc_backward_weights(c->handle, batch, in, out, c->x, c->dy, c->dw, c->db, c->stream);

    return rc || !c->dx ? rc : b->fc_backward_data(c->handle, batch, in, out, c->dy, c->w, c->dx, c->stream);
}

static int backward_linear(const struct call *c, const struct image_shape *in)
{
    const struct ops_backend *b = c->backend;
    int64_t rows = in->batch * in->channels, out = layer_of(c)->out.width;
    int rc = b->fc_backward_weights(c->handle, rows, in->width, out, c->x, c->dy, c->dw, c->db, c->stream);

    return rc || !c->dx ? rc : b->fc_backward_data(c->handle, rows, in->width, out, c->dy, c->w, c->dx, c->stream);
}

/* The error of what the embedding put out is handed over; what of it the layer before brought goes on. */
static int backward_embedding(const struct call *c)
{
    struct bag_shape s = shapes_bag(c->graph, (size_t)c->operation->layer);
    struct image_shape all = { 1, 1, 1, s.batch * (s.leading + s.tables * s.dim) };
    int rc = 0;

    if (c->row_errors)
        rc = c->backend->cut(c->handle, &all, &all, 0, 0, c->dy, c->row_errors, c->stream);
    return rc || !c->dx ? rc : c->backend->bag_backward_data(c->handle, &s, c->dy, c->dx, c->stream);
}

static int backward_attention(const struct call *c)
{
    struct attention_shape s = shapes_attention(c->graph, (size_t)c->operation->layer);

    return c->backend->attention_backward(c->handle, &s, c->x, c->x2, c->dy, c->w, c->b, c->dx, c->dx2, c->dw, c->db,
                                          c->workspace, c->nworkspace, c->stream);
}

static int backward_concat(const struct call *c, const struct image_shape *in)
{
    struct image_shape second = shapes_second(c->graph, c->split, c->operation);

    return c->backend->concat_backward(c->handle, in, &second, c->dy, c->dx, c->dx2, c->stream);
}

static int backward_rows(const struct call *c, const struct image_shape *in)
{
    const struct ops_backend *b = c->backend;
    const struct layer *l = layer_of(c);

    switch (l->kind) {
    case LAYER_EMBEDDING: return backward_embedding(c);
    case LAYER_INTERACTION:
        return b->interact_backward(c->handle, in->batch, inputs(c) / l->dim, l->dim, c->x, c->dy, c->dx, c->stream);
    case LAYER_TOKENS:
        return b->tokens_backward(c->handle, in->batch, l->out.channels, l->dim, c->ids, c->dy, c->dw, c->stream);
    case LAYER_LINEAR: return backward_linear(c, in);
    case LAYER_LAYERNORM:
        return b->layernorm_backward(c->handle, in->batch * in->channels, in->width, c->x, c->dy, c->b, c->mean,
                                     c->inv_std, c->dx, c->db, c->db + in->width, c->stream);
    default: return backward_attention(c);
    }
}

/* A sigmoid at the end has no error of its output: its own is that of the loss. */
static int backward_sigmoid(const struct call *c, int64_t n)
{
    if (c->dy)
        return c->backend->sigmoid_backward(c->handle, n, c->y, c->dy, c->dx, c->stream);
    return c->backend->bce_backward(c->handle, n, c->y, c->labels, c->dx, c->loss, c->stream);
}

static int backward(const struct call *c)
{
    const struct ops_backend *b = c->backend;
    struct ops *h = c->handle;
    struct conv_shape s = shapes_window(c->graph, c->split, c->operation);
    struct image_shape in = shapes_in(c->graph, c->split, c->operation);
    int64_t n = image_values(&in);

    switch (layer_of(c)->kind) {
    case LAYER_CONV: return backward_conv(c, &s);
    case LAYER_FC:
    case LAYER_CLASSIFIER: return backward_fc(c, in.batch);
    case LAYER_MAXPOOL: return b->maxpool_backward(h, &s, c->x, c->dy, c->dx, c->stream);
    case LAYER_AVGPOOL: return b->avgpool_backward(h, &s, c->dy, c->dx, c->stream);
    case LAYER_RELU: return b->relu_backward(h, n, c->y, c->dy, c->dx, c->stream);
    case LAYER_BATCHNORM:
        return b->norm_backward(h, &in, c->x, c->dy, c->b, c->mean, c->inv_std, c->dx, c->db, c->db + in.channels,
                                c->stream);
    case LAYER_DROPOUT: return b->dropout(h, n, (float)layer_of(c)->rate, c->dropout_seed, c->dy, c->dx, c->stream);
    case LAYER_SOFTMAX:
        return b->softmax_backward(h, in.batch * softmax_rows(c), inputs(c) / softmax_rows(c), c->y, c->labels, c->dx,
                                   c->loss, c->stream);
    case LAYER_SIGMOID: return backward_sigmoid(c, n);
    case LAYER_ADD: return backward_add(c, &in);
    case LAYER_CONCAT: return backward_concat(c, &in);
    default: return backward_rows(c, &in);
    }
}

/* The ReLU that follows the norm, where the tensor is what stands after it. */
static int recompute(const struct call *c)
{
    const struct ops_backend *b = c->backend;
    struct image_shape in = shapes_in(c->graph, c->split, c->operation);
    int32_t stands_for = c->graph->tensors[c->operation->y].layer;
    int rc = b->norm_again(c->handle, &in, c->x, c->b, c->b + in.channels, c->mean, c->inv_std, c->y, c->stream);

    if (rc || stands_for == c->operation->layer)
        return rc;
    return b->relu_forward(c->handle, image_values(&in), c->y, c->y, c->stream);
}

int call_run(const struct call *c)
{
    const struct ops_backend *b = c->backend;
    struct patch_place p;

    switch (c->operation->kind) {
    case OPERATION_LAYER: return c->operation->backward ? backward(c) : forward(c);
    case OPERATION_SUM:
        return b->accumulate(c->handle, c->graph->tensors[c->operation->y].bytes / 4, c->x, c->x2, c->y, c->stream);
    case OPERATION_RECOMPUTE: return recompute(c);
    default: p = shapes_patch(c->graph, c->split, c->operation);
    }
    if (c->operation->kind == OPERATION_CUT)
        return b->cut(c->handle, &p.whole, &p.part, p.top, p.left, c->x, c->y, c->stream);
    if (c->operation->kind == OPERATION_JOIN)
        return b->paste(c->handle, &p.whole, &p.part, p.top, p.left, c->x, c->y, c->stream);
    return b->cut(c->handle, &p.whole, &p.part, p.top, p.left, c->dy, c->dx, c->stream);
}

bool call_computes(enum layer_kind kind)
{
    switch (kind) {
    case LAYER_GELU:
    case LAYER_SILU:
    case LAYER_TANH:
    case LAYER_RMSNORM:
    case LAYER_PLACE:
    case LAYER_FIRST:
    case LAYER_SEQUENCE:
    case LAYER_PREPEND:
    case LAYER_SUM:
    case LAYER_PRODUCT:
    case LAYER_SIDE:
    case LAYER_BLOCK: return false;
    default: return true;
    }
}
