/* windows.c - convolutions and pools as layers. A window of the model has the same zeros on either side, and leaves out
 * what hangs over the edge; where the graph says otherwise, the zeros are those that give the same output. */
#include <string.h>

#include "harness/import/onnx/structure.h"

struct window {
    int64_t kernel[2], stride[2], pad[2];
};

/* Zeros that give 'out' positions, those of the graph if they do; -1: none. */
static int64_t pad_of(int64_t side, int64_t kernel, int64_t stride, int64_t out, int64_t given)
{
    for (int64_t p = -1; p < kernel && p < 4096; p++) {
        int64_t pad = p < 0 ? given : p;
        if (pad >= 0 && pad < kernel && side + 2 * pad >= kernel && (side + 2 * pad - kernel) / stride + 1 == out)
            return pad;
    }
    return -1;
}

static size_t either(const struct node *node, const char *onnx, const char *torch, const int64_t **list)
{
    size_t count = node_ints(node, onnx, list);

    return count ? count : node_ints(node, torch, list);
}

static int64_t side_of(const int64_t *list, size_t count, int i, int64_t otherwise)
{
    return !count ? otherwise : list[count == 1 ? 0 : i];
}

/* Kernel, stride and zeros by height and width; false, and said, if no window of the model is like it. */
static bool read_window(struct net *n, struct node *node, struct window *w)
{
    const struct value *x = &n->values[node->from], *out = &n->values[node->out[0]];
    const int64_t *kernel, *stride, *pad, *dilation;
    size_t nkernel = either(node, "kernel_shape", "kernel_size", &kernel);
    size_t nstride = either(node, "strides", "stride", &stride), npad = either(node, "pads", "padding", &pad);
    size_t ndilation = either(node, "dilations", "dilation", &dilation);
    const struct value *weight = node->weight >= 0 ? &n->values[node->weight] : NULL;

    if (x->rank != 4 || out->rank != 4 || (weight && weight->rank != 4)) {
        onnx_lack(n, node, "expected windows over height and width, got %d dimensions",
                  x->rank == 4 && out->rank == 4 && weight ? weight->rank
                  : x->rank == 4                           ? out->rank
                                                           : x->rank);
        return false;
    }
    for (int i = 0; i < 2; i++) {
        w->kernel[i] = weight ? weight->dim[2 + i] : side_of(kernel, nkernel, i, 1);
        w->stride[i] = side_of(stride, nstride, i, weight || strncmp(node->op, "aten.", 5) != 0 ? 1 : w->kernel[i]);
        if (w->kernel[i] < 1 || w->stride[i] < 1)
            w->pad[i] = -1;
        else
            w->pad[i] = pad_of(x->dim[2 + i], w->kernel[i], w->stride[i], out->dim[2 + i], side_of(pad, npad, i, 0));
        if (w->pad[i] < 0) {
            onnx_lack(n, node, "no window with the same zeros on both sides turns %lld positions into %lld",
                      (long long)x->dim[2 + i], (long long)out->dim[2 + i]);
            return false;
        }
        if (side_of(dilation, ndilation, i, 1) != 1 && !i)
            onnx_add_note(n, "windows with gaps (dilation) are windows without, of the same parameters and output");
        else if (side_of(pad, npad, i, 0) != w->pad[i])
            onnx_add_note(n,
                          "windows with other zeros, or that hang over the edge, have those that give the same output");
    }
    if (w->stride[0] == w->stride[1])
        return true;
    onnx_lack(n, node, "expected one stride for height and width, got %lld and %lld", (long long)w->stride[0],
              (long long)w->stride[1]);
    return false;
}

static void push_conv(struct net *n, struct node *node, struct layers *l)
{
    const struct value *weight = &n->values[node->weight];
    struct window w;

    if (!read_window(n, node, &w))
        return;
    struct layer_spec *s = layers_push(n, l, LAYER_CONV);
    s->channels = weight->dim[0];
    s->kernel = w.kernel[0];
    s->pad = w.pad[0];
    s->stride = w.stride[0];
    if (w.kernel[0] != w.kernel[1] || w.pad[0] != w.pad[1])
        s->kernel_width = w.kernel[1], s->pad_width = w.pad[1];
    s->groups = node_int(node, "group", node_int(node, "groups", 1));
    s->bias = structure_has(n, node->bias);
    structure_use(n, node->weight);
    structure_use(n, node->bias);
}

static void push_pool(struct net *n, struct node *node, enum layer_kind kind, struct layers *l)
{
    struct window w;

    if (!read_window(n, node, &w))
        return;
    if (w.kernel[0] != w.kernel[1] || w.pad[0] != w.pad[1]) {
        onnx_lack(n, node, "expected a square window, got %lldx%lld", (long long)w.kernel[0], (long long)w.kernel[1]);
        return;
    }
    if (w.kernel[0] == 1 && w.stride[0] == 1)
        return;
    struct layer_spec *s = layers_push(n, l, kind);
    s->kernel = w.kernel[0];
    s->stride = w.stride[0];
    s->pad = w.pad[0];
}

/* A mean of the whole plane, or of even parts of it. */
static void push_mean(struct net *n, struct node *node, struct layers *l)
{
    const struct value *x = &n->values[node->from], *out = &n->values[node->out[0]];
    int64_t height = out->rank == 4 ? out->dim[2] : 1, width = out->rank == 4 ? out->dim[3] : 1;
    struct layer_spec *s;

    if (x->rank != 4 || out->rank < 2 || out->dim[0] != x->dim[0] || out->dim[1] != x->dim[1]) {
        onnx_lack(n, node, "expected a mean over height and width");
        return;
    }
    if (height < 1 || width < 1 || x->dim[2] % height || x->dim[3] % width || x->dim[2] / height < 1 ||
        (x->dim[2] / height != x->dim[3] / width && height * width != 1)) {
        onnx_lack(n, node, "expected even parts of the plane of %lldx%lld, got %lldx%lld of them", (long long)x->dim[2],
                  (long long)x->dim[3], (long long)height, (long long)width);
        return;
    }
    if (height == x->dim[2] && width == x->dim[3])
        return;
    s = layers_push(n, l, LAYER_AVGPOOL);
    if (height * width != 1)
        s->kernel = s->stride = x->dim[2] / height;
}

void structure_window(struct net *n, struct node *node, struct layers *l)
{
    if (node->from < 0 || (node->role == ROLE_CONV && node->weight < 0)) {
        onnx_lack(n, node, "expected an input%s", node->from < 0 ? "" : " and weights");
        return;
    }
    switch (node->role) {
    case ROLE_CONV: push_conv(n, node, l); return;
    case ROLE_MAXPOOL: push_pool(n, node, LAYER_MAXPOOL, l); return;
    case ROLE_AVGPOOL: push_pool(n, node, LAYER_AVGPOOL, l); return;
    default: push_mean(n, node, l); return;
    }
}
