/* blocks.c - gradients of weights: a block of output channels by a block of input channels at a time, each over the
 * whole batch and all positions, so that no sum is cut. */
#include "train/ops/dnnl/ops.h"

/* Channels of a block: oneDNN computes 16 by 16 of them at a time. */
enum { LEAST_CHANNELS = 16 };

struct onednn_blocks {
    struct conv_shape shape;
    struct onednn_strip rows, columns;
    int64_t nout, nin, out_block, in_block; /* blocks of each, and channels of a block */
    struct onednn_conv conv;
    struct onednn_step compute, x_reorder, y_reorder, w_reorder;
    dnnl_memory_desc_t x_user, y_user, w_user;
    size_t nx, ny, nw, nscratchpad; /* bytes: of a block of each */
};

static void cut(struct onednn_blocks *p)
{
    int64_t pieces = onednn_pieces(&p->shape);

    p->nout = p->nin = 1;
    p->out_block = p->shape.out_channels;
    p->in_block = p->shape.in_channels;
    while (p->nout * p->nin < pieces) {
        bool out = p->out_block % (2 * LEAST_CHANNELS) == 0, in = p->in_block % (2 * LEAST_CHANNELS) == 0;

        if (out && (!in || p->out_block >= p->in_block)) {
            p->nout *= 2;
            p->out_block /= 2;
        } else if (in) {
            p->nin *= 2;
            p->in_block /= 2;
        } else {
            break;
        }
    }
}

static struct conv_shape piece_shape(const struct onednn_blocks *p)
{
    struct conv_shape s = p->shape;

    s.out_channels = p->out_block;
    s.in_channels = p->in_block;
    s.in_height = p->rows.image;
    s.in_width = p->columns.image;
    s.pad_top = p->rows.before;
    s.pad_bottom = p->rows.after;
    s.pad_left = p->columns.before;
    s.pad_right = p->columns.after;
    return s;
}

static dnnl_status_t compile(struct onednn_ops *d, struct onednn_blocks *p)
{
    const struct conv_shape *s = &p->conv.shape, *all = &p->shape;
    const dnnl_dims_t w = { p->out_block, p->in_block, all->kernel, all->kernel };
    dnnl_status_t rc;

    p->conv = (struct onednn_conv){ .direction = ONEDNN_BACKWARD_WEIGHTS, .shape = piece_shape(p) };
    onednn_conv_any(&p->conv);
    rc = onednn_conv_step(d, &p->conv, &p->compute);
    if (rc)
        return rc;
    const dnnl_dims_t x = { s->batch, s->in_channels, s->in_height, s->in_width };
    const dnnl_dims_t y = { s->batch, s->out_channels, s->out_height, s->out_width };

    onednn_view(&p->x_user, x, all->in_channels, all->in_height, all->in_width);
    onednn_view(&p->y_user, y, all->out_channels, all->out_height, all->out_width);
    onednn_view(&p->w_user, w, all->in_channels, all->kernel, all->kernel);
    p->nx = onednn_bytes(&p->conv.x);
    p->ny = onednn_bytes(&p->conv.y);
    p->nw = onednn_bytes(&p->conv.w);
    rc = onednn_reorder_step(d, &p->x_user, &p->conv.x, false, &p->x_reorder);
    if (!rc)
        rc = onednn_reorder_step(d, &p->y_user, &p->conv.y, false, &p->y_reorder);
    if (!rc)
        rc = onednn_reorder_step(d, &p->conv.w, &p->w_user, true, &p->w_reorder);
    const struct onednn_step *steps[] = { &p->compute, &p->x_reorder, &p->y_reorder, &p->w_reorder };

    for (size_t i = 0; i < 4 && !rc; i++)
        if (onednn_bytes(&steps[i]->scratchpad) > p->nscratchpad)
            p->nscratchpad = onednn_bytes(&steps[i]->scratchpad);
    return rc;
}

dnnl_status_t onednn_blocks_make(struct onednn_ops *d, const struct conv_shape *s, struct onednn_blocks **out)
{
    struct onednn_axis rows = onednn_rows(s), columns = onednn_columns(s);
    struct onednn_blocks *p = calloc(1, sizeof(*p));
    dnnl_status_t rc = dnnl_unimplemented;

    if (!p)
        return dnnl_out_of_memory;
    p->shape = *s;
    p->rows = onednn_window_strip(&rows, 0, rows.window);
    p->columns = onednn_window_strip(&columns, 0, columns.window);
    cut(p);
    if (onednn_strip_usable(&rows, &p->rows) && onednn_strip_usable(&columns, &p->columns))
        rc = compile(d, p);
    if (rc)
        onednn_blocks_free(p);
    else
        *out = p;
    return rc;
}

void onednn_blocks_free(struct onednn_blocks *p)
{
    if (!p)
        return;
    onednn_step_free(&p->compute);
    onednn_step_free(&p->x_reorder);
    onednn_step_free(&p->y_reorder);
    onednn_step_free(&p->w_reorder);
    free(p);
}

size_t onednn_blocks_size(const struct onednn_blocks *p)
{
    return (size_t)p->nin * p->nx + (size_t)p->nout * p->ny + (size_t)onednn_threads() * (p->nw + p->nscratchpad);
}

/* The blocks of x, then those of dy, into oneDNN's layout. */
static dnnl_status_t put(struct onednn_ops *d, const struct onednn_blocks *p, int64_t i, const float *x,
                         const float *dy, char *scratch, char *own)
{
    const struct conv_shape *s = &p->shape;
    bool image = i < p->nin;
    int64_t j = image ? i : i - p->nin;
    const float *from =
        image ? x + (j * p->in_block * s->in_height + p->rows.image_at) * s->in_width + p->columns.image_at
              : dy + j * p->out_block * s->out_height * s->out_width;
    char *to = image ? scratch + (size_t)j * p->nx : scratch + (size_t)p->nin * p->nx + (size_t)j * p->ny;
    const struct onednn_tensor t[] = { { DNNL_ARG_FROM, image ? &p->x_user : &p->y_user, from },
                                       { DNNL_ARG_TO, image ? &p->conv.x : &p->conv.y, to } };

    return onednn_run(d, image ? &p->x_reorder : &p->y_reorder, t, 2, own + p->nw);
}

static dnnl_status_t compute(struct onednn_ops *d, const struct onednn_blocks *p, int64_t out, int64_t in, float *dw,
                             char *scratch, char *own)
{
    const struct conv_shape *s = &p->shape;
    float *to = dw + (out * p->out_block * s->in_channels + in * p->in_block) * s->kernel * s->kernel;
    const struct onednn_tensor t[] = {
        { DNNL_ARG_SRC, &p->conv.x, scratch + (size_t)in * p->nx },
        { DNNL_ARG_DIFF_DST, &p->conv.y, scratch + (size_t)p->nin * p->nx + (size_t)out * p->ny },
        { DNNL_ARG_DIFF_WEIGHTS, &p->conv.w, own },
    };
    const struct onednn_tensor back[] = { { DNNL_ARG_FROM, &p->conv.w, own }, { DNNL_ARG_TO, &p->w_user, to } };
    dnnl_status_t rc = onednn_run(d, &p->compute, t, 3, own + p->nw);

    return rc ? rc : onednn_run(d, &p->w_reorder, back, 2, own + p->nw);
}

dnnl_status_t onednn_blocks_run(struct onednn_ops *d, const struct onednn_blocks *p, const float *x, const float *dy,
                                float *dw, char *scratch)
{
    char *owns = scratch + (size_t)p->nin * p->nx + (size_t)p->nout * p->ny;
    int failed = 0;

#pragma omp parallel reduction(max : failed)
    {
        char *own = owns + (size_t)onednn_thread_number() * (p->nw + p->nscratchpad);
        dnnl_status_t rc;

        onednn_one_thread();
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < p->nin + p->nout; i++)
            if ((rc = put(d, p, i, x, dy, scratch, own)))
                failed = (int)rc;
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < p->nin * p->nout; i++)
            if ((rc = compute(d, p, i / p->nin, i % p->nin, dw, scratch, own)))
                failed = (int)rc;
    }
    return (dnnl_status_t)failed;
}
