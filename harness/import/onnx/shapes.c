/* shapes.c - shapes of values that the file does not give, by the operators' rules. What is not known stays so. */
#include <string.h>

#include "harness/import/onnx/infer.h"

static void set_shape(struct value *v, int rank, const int64_t *dim)
{
    v->rank = rank;
    memcpy(v->dim, dim, (size_t)rank * sizeof(*dim));
    for (int i = 0; i < rank; i++)
        if (dim[i] < 0 || dim[i] > (int64_t)1 << 31)
            v->rank = -1;
    if (value_volume(v) < 0)
        v->rank = -1;
}

static void as_input(const struct value *from, struct value *to)
{
    if (from && from->rank >= 0)
        set_shape(to, from->rank, from->dim);
}

static void broadcast(const struct net *n, const struct node *node, struct value *to)
{
    int64_t dim[NET_RANK];
    int rank = 0;

    for (int i = 0; i < node->nin; i++) {
        const struct value *v = node_input(n, node, i);
        if (!v || v->rank < 0)
            return;
        rank = v->rank > rank ? v->rank : rank;
    }
    for (int i = 0; i < rank; i++) {
        dim[i] = 1;
        for (int k = 0; k < node->nin; k++) {
            const struct value *v = node_input(n, node, k);
            int64_t d = i < rank - v->rank ? 1 : v->dim[i - (rank - v->rank)];
            if (d != 1)
                dim[i] = d;
        }
    }
    set_shape(to, rank, dim);
}

static int64_t at(const int64_t *list, size_t n, size_t i, int64_t otherwise)
{
    return i < n ? list[i] : otherwise;
}

/* Convolutions and pools over the last dimensions. */
static void windows(const struct net *n, const struct node *node, struct value *to)
{
    const struct value *x = node_input(n, node, 0), *w = node_input(n, node, 1);
    const int64_t *kernel, *stride, *pad, *dilation;
    size_t nkernel = node_ints(node, "kernel_shape", &kernel), nstride = node_ints(node, "strides", &stride);
    size_t npad = node_ints(node, "pads", &pad), ndilation = node_ints(node, "dilations", &dilation);
    const Onnx__Attribute *mode = node_attribute(node, "auto_pad");
    bool conv = node->role == ROLE_CONV,
         same = mode && mode->has_s && mode->s.len > 4 && !memcmp(mode->s.data, "SAME", 4);
    int64_t dim[NET_RANK];

    if (!x || x->rank < 3 || (conv && (!w || w->rank != x->rank)))
        return;
    dim[0] = x->dim[0];
    dim[1] = conv ? w->dim[0] : x->dim[1];
    for (int i = 2; i < x->rank; i++) {
        size_t side = (size_t)i - 2, sides = (size_t)x->rank - 2;
        int64_t k = conv ? w->dim[i] : at(kernel, nkernel, side, 1), s = at(stride, nstride, side, 1);
        int64_t d = at(dilation, ndilation, side, 1), all, ceil = node_int(node, "ceil_mode", 0) ? s - 1 : 0;
        int64_t before = at(pad, npad, side, 0), after = at(pad, npad, side + sides, 0);
        if (s < 1 || d < 1 || k < 0 || s > x->dim[i] + 1 || d > 4096 || before < 0 || after < 0 || before > 4096 ||
            after > 4096)
            return;
        all = x->dim[i] + before + after - d * (k - 1) - 1;
        dim[i] = same ? (x->dim[i] + s - 1) / s : all < 0 ? -1 : (all + ceil) / s + 1;
    }
    set_shape(to, x->rank, dim);
}

static void product(const struct net *n, const struct node *node, struct value *to)
{
    const struct value *a = node_input(n, node, 0), *b = node_input(n, node, 1);
    const struct value *longer;
    int64_t dim[NET_RANK];

    if (!a || !b || a->rank < 1 || b->rank < 1)
        return;
    if (node_is(node, "Gemm")) {
        dim[0] = a->dim[node_int(node, "transA", 0) && a->rank > 1 ? 1 : 0];
        dim[1] = b->rank == 2 ? b->dim[node_int(node, "transB", 0) ? 0 : 1] : -1;
        set_shape(to, 2, dim);
        return;
    }
    longer = a->rank >= b->rank ? a : b;
    if (a->rank < 2 || b->rank < 2)
        return;
    memcpy(dim, longer->dim, sizeof(dim));
    dim[longer->rank - 2] = a->dim[a->rank - 2];
    dim[longer->rank - 1] = b->dim[b->rank - 1];
    set_shape(to, longer->rank, dim);
}

static void reduce(const struct net *n, const struct node *node, struct value *to)
{
    const struct value *x = node_input(n, node, 0), *list = node_input(n, node, 1);
    const int64_t *axes;
    size_t naxes = node_ints(node, "axes", &axes);
    bool keep = node_int(node, "keepdims", 1), gone[NET_RANK] = { false };
    int64_t dim[NET_RANK];
    int rank = 0;

    if (!naxes && list && list->ints)
        axes = list->ints, naxes = (size_t)value_volume(list);
    if (!x || x->rank < 0 || (list && !list->ints))
        return;
    for (size_t i = 0; i < naxes; i++) {
        int64_t axis = axes[i] < 0 ? axes[i] + x->rank : axes[i];
        if (axis < 0 || axis >= x->rank)
            return;
        gone[axis] = true;
    }
    for (int i = 0; i < x->rank; i++)
        if (naxes && !gone[i])
            dim[rank++] = x->dim[i];
        else if (keep)
            dim[rank++] = 1;
    set_shape(to, rank, dim);
}

static void concatenate(const struct net *n, const struct node *node, struct value *to)
{
    const struct value *first = node_input(n, node, 0);
    int64_t axis = node_int(node, "axis", 0), dim[NET_RANK], sum = 0;

    if (!first || first->rank < 1)
        return;
    axis += axis < 0 ? first->rank : 0;
    if (axis < 0 || axis >= first->rank)
        return;
    for (int i = 0; i < node->nin; i++) {
        const struct value *v = node_input(n, node, i);
        if (!v || v->rank != first->rank)
            return;
        sum += v->dim[axis];
    }
    memcpy(dim, first->dim, sizeof(dim));
    dim[axis] = sum;
    set_shape(to, first->rank, dim);
}

static void gather(const struct net *n, const struct node *node, struct value *to)
{
    const struct value *x = node_input(n, node, 0), *by = node_input(n, node, 1);
    int64_t axis = node_int(node, "axis", 0), dim[2 * NET_RANK];
    int rank = 0;

    if (!x || !by || x->rank < 1 || by->rank < 0)
        return;
    axis += axis < 0 ? x->rank : 0;
    if (axis < 0 || axis >= x->rank || x->rank + by->rank - 1 > NET_RANK)
        return;
    for (int i = 0; i < axis; i++)
        dim[rank++] = x->dim[i];
    for (int i = 0; i < by->rank; i++)
        dim[rank++] = by->dim[i];
    for (int64_t i = axis + 1; i < x->rank; i++)
        dim[rank++] = x->dim[i];
    set_shape(to, rank, dim);
}

static void global(const struct value *x, struct value *to)
{
    int64_t dim[NET_RANK] = { 0 };

    if (!x || x->rank < 2)
        return;
    for (int i = 0; i < x->rank; i++)
        dim[i] = i < 2 ? x->dim[i] : 1;
    set_shape(to, x->rank, dim);
}

static void infer_one(struct net *n, struct node *node, int output)
{
    struct value *to = &n->values[node->out[output]];

    if (node->role == ROLE_LAYOUT || node->role == ROLE_SHAPE) {
        infer_layout(n, node, output);
        return;
    }
    if (output)
        return;
    if (node_is(node, "GatherElements")) {
        as_input(node_input(n, node, 1), to);
        return;
    }
    switch (node->role) {
    case ROLE_CONV:
    case ROLE_MAXPOOL:
    case ROLE_AVGPOOL: windows(n, node, to); return;
    case ROLE_LINEAR:
    case ROLE_MATMUL: product(n, node, to); return;
    case ROLE_MEAN: reduce(n, node, to); return;
    case ROLE_ADAPTIVE: global(node_input(n, node, 0), to); return;
    case ROLE_ADD:
    case ROLE_MUL:
    case ROLE_ARITHMETIC:
    case ROLE_SELECT: broadcast(n, node, to); return;
    case ROLE_CONCAT: concatenate(n, node, to); return;
    case ROLE_GATHER: gather(n, node, to); return;
    case ROLE_OTHER:
    case ROLE_CORE: return;
    default: as_input(node_input(n, node, 0), to); return;
    }
}

/* An output of which the file says nothing is a floating-point one, if what it is made of is. */
static void infer_element(const struct net *n, const struct node *node, struct value *to)
{
    for (int i = 0; i < node->nin && to->element == ELEMENT_UNKNOWN; i++)
        if (node_input(n, node, i) && node->role != ROLE_SHAPE)
            to->element = node_input(n, node, i)->element;
}

/* Expanded parameters are the same ones for each sample. An initializer's other name is a tensor of its own if it is a
 * vector: exporters name one of two equal ones after the other. */
static void infer_origin(struct net *n, const struct node *node, struct value *to, int output)
{
    const struct value *x = node_input(n, node, 0);
    bool expands = node_is(node, "Expand") || node_is(node, "aten.expand");

    if (node->role != ROLE_LAYOUT || output || !x || x->origin < 0)
        return;
    if (node_is(node, "Identity") && x->rank == 1 && x->element == ELEMENT_FLOAT) {
        to->origin = node->out[0];
        to->initializer = true;
    } else if (expands || (value_volume(to) >= 0 && value_volume(to) == value_volume(x))) {
        to->origin = x->origin;
    }
}

void onnx_shapes(struct net *n)
{
    for (int i = 0; i < n->nnodes; i++) {
        struct node *node = &n->nodes[i];
        for (int k = 0; k < node->nout; k++) {
            struct value *to = node->out[k] < 0 ? NULL : &n->values[node->out[k]];
            if (!to || to->of)
                continue;
            if (!strncmp(node->op, "aten.", 5))
                ; /* the file has the shape of each of these */
            else if (to->rank < 0)
                infer_one(n, node, k);
            infer_element(n, node, to);
            if (!k)
                infer_ints(n, node);
            infer_origin(n, node, to, k);
        }
    }
}
