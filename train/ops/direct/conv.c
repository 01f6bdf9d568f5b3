/* conv.c - rows of struct ops_backend by direct.h, for backends that also have loops of their own. */
#include "train/ops/gemm/ops.h"

/* oneDNN works in vectors of 16 channels. With few channels its reorders cost more than these loops waste between rows.
 * Bounds measured on AVX-512 against version 2.6, with images of 8 x 8 to 224 x 224. */
static bool beats_onednn(const struct direct *d, enum direct_way way)
{
    bool odd = d->outputs % 16 || (d->channels > 4 && d->channels % 16);
    bool wide = way != DIRECT_WEIGHTS && direct_share(d) > 0.95;

    return odd || d->channels <= (wide ? 32 : 16);
}

static bool takes(const struct ops *o, const struct conv_shape *s, enum direct_way way, struct direct *d)
{
    const struct products *p = o->products;

    return o->mode == FMA_FP32 && conv_groups(s) == 1 && p->direct && direct_takes(s, way, d) &&
           (!p->beside_onednn || beats_onednn(d, way));
}

size_t direct_conv_size(const struct ops *o, const struct conv_shape *s, enum direct_way way)
{
    struct direct d;

    if (!takes(o, s, way, &d))
        return 0;
    return way == DIRECT_WEIGHTS ? direct_gradient_size(&d) : direct_slide_size(&d);
}

static int slide(struct ops *o, const struct conv_shape *s, enum direct_way way, const float *x, const float *w,
                 const float *bias, float *y, void *workspace, size_t nworkspace)
{
    struct direct d;
    void *scratch;

    if (cpu_check_conv(o, s))
        return -1;
    if (!takes(o, s, way, &d))
        return 0;
    scratch = product_scratch(o, workspace, nworkspace, direct_slide_size(&d));
    if (!scratch)
        return cpu_no_memory(o, direct_slide_size(&d));
    direct_slide(o->products->direct, &d, way == DIRECT_DATA, x, w, bias, y, scratch);
    cpu_count_conv(o, way == DIRECT_DATA ? OPS_BACKWARD_DATA : OPS_FORWARD, s);
    return 1;
}

int direct_conv_forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w, const float *bias,
                        float *y, void *workspace, size_t nworkspace)
{
    return slide(o, s, DIRECT_FORWARD, x, w, bias, y, workspace, nworkspace);
}

int direct_conv_backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                              void *workspace, size_t nworkspace)
{
    return slide(o, s, DIRECT_DATA, dy, w, NULL, dx, workspace, nworkspace);
}

int direct_conv_backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dw,
                                 float *dbias, void *workspace, size_t nworkspace)
{
    struct direct d;
    void *scratch;

    if (cpu_check_conv(o, s))
        return -1;
    if (!takes(o, s, DIRECT_WEIGHTS, &d))
        return 0;
    scratch = product_scratch(o, workspace, nworkspace, direct_gradient_size(&d));
    if (!scratch)
        return cpu_no_memory(o, direct_gradient_size(&d));
    direct_gradient(o->products->direct, &d, x, dy, dw, scratch);
    if (dbias)
        cpu_add_bias_gradient(s->batch, s->out_channels, s->out_height * s->out_width, dy, dbias);
    cpu_count_conv(o, OPS_BACKWARD_WEIGHTS, s);
    return 1;
}
