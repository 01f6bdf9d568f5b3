/* step.c - one primitive: made and run. */
#include <omp.h>

#include "train/ops/dnnl/ops.h"

int onednn_one_thread(void)
{
    int threads = omp_get_max_threads();

    omp_set_num_threads(1);
    return threads;
}

void onednn_threads_back(int threads)
{
    omp_set_num_threads(threads);
}

int onednn_thread_number(void)
{
    return omp_get_thread_num();
}

int onednn_threads(void)
{
    return omp_get_max_threads();
}

size_t onednn_aligned(size_t n)
{
    return (n + ONEDNN_ALIGN - 1) / ONEDNN_ALIGN * ONEDNN_ALIGN;
}

size_t onednn_bytes(const dnnl_memory_desc_t *md)
{
    return onednn_aligned(dnnl_memory_desc_get_size(md));
}

int onednn_view(dnnl_memory_desc_t *md, const dnnl_dims_t dims, int64_t channels, int64_t height, int64_t width)
{
    const dnnl_dims_t strides = { channels * height * width, height * width, width, 1 };

    return (int)dnnl_memory_desc_init_by_strides(md, 4, dims, dnnl_f32, strides);
}

void onednn_conv_any(struct onednn_conv *c)
{
    const struct conv_shape *s = &c->shape;
    const dnnl_dims_t x = { s->batch, s->in_channels, s->in_height, s->in_width };
    const dnnl_dims_t w = { s->out_channels, s->in_channels, s->kernel, s->kernel };
    const dnnl_dims_t y = { s->batch, s->out_channels, s->out_height, s->out_width };

    dnnl_memory_desc_init_by_tag(&c->x, 4, x, dnnl_f32, dnnl_format_tag_any);
    dnnl_memory_desc_init_by_tag(&c->w, 4, w, dnnl_f32, dnnl_format_tag_any);
    dnnl_memory_desc_init_by_tag(&c->y, 4, y, dnnl_f32, dnnl_format_tag_any);
}

static dnnl_status_t forward_desc(struct onednn_ops *d, const struct onednn_conv *c, dnnl_primitive_desc_t *pd)
{
    const struct conv_shape *s = &c->shape;
    const dnnl_dims_t strides = { s->stride, s->stride }, before = { s->pad_top, s->pad_left },
                      after = { s->pad_bottom, s->pad_right }, nbias = { s->out_channels };
    dnnl_convolution_desc_t desc;
    dnnl_memory_desc_t bias;
    dnnl_status_t rc;

    dnnl_memory_desc_init_by_tag(&bias, 1, nbias, dnnl_f32, dnnl_x);
    rc = dnnl_convolution_forward_desc_init(&desc, dnnl_forward_training, dnnl_convolution_direct, &c->x, &c->w,
                                            c->bias ? &bias : NULL, &c->y, strides, before, after);
    return rc ? rc : dnnl_primitive_desc_create(pd, &desc, d->attr, d->engine, NULL);
}

static dnnl_status_t backward_desc(struct onednn_ops *d, const struct onednn_conv *c, dnnl_primitive_desc_t *pd)
{
    const struct conv_shape *s = &c->shape;
    const dnnl_dims_t strides = { s->stride, s->stride }, before = { s->pad_top, s->pad_left },
                      after = { s->pad_bottom, s->pad_right };
    struct onednn_conv forward = *c;
    dnnl_primitive_desc_t hint = NULL;
    dnnl_convolution_desc_t desc;
    dnnl_status_t rc;

    forward.bias = false;
    onednn_conv_any(&forward);
    rc = forward_desc(d, &forward, &hint);
    if (!rc && c->direction == ONEDNN_BACKWARD_DATA)
        rc = dnnl_convolution_backward_data_desc_init(&desc, dnnl_convolution_direct, &c->x, &c->w, &c->y, strides,
                                                      before, after);
    else if (!rc)
        rc = dnnl_convolution_backward_weights_desc_init(&desc, dnnl_convolution_direct, &c->x, &c->w, NULL, &c->y,
                                                         strides, before, after);
    if (!rc)
        rc = dnnl_primitive_desc_create(pd, &desc, d->attr, d->engine, hint);
    if (hint)
        dnnl_primitive_desc_destroy(hint);
    return rc;
}

/* The primitive of 'pd', which is given away. */
static dnnl_status_t finish(dnnl_primitive_desc_t pd, struct onednn_step *step)
{
    dnnl_status_t rc;

    step->scratchpad = *dnnl_primitive_desc_query_md(pd, dnnl_query_scratchpad_md, 0);
    rc = dnnl_primitive_create(&step->primitive, pd);
    dnnl_primitive_desc_destroy(pd);
    return rc;
}

dnnl_status_t onednn_conv_step(struct onednn_ops *d, struct onednn_conv *c, struct onednn_step *step)
{
    /* What oneDNN calls the image, the weights and the outputs in each direction. */
    static const dnnl_query_t names[ONEDNN_NDIRECTIONS][3] = {
        [ONEDNN_FORWARD] = { dnnl_query_src_md, dnnl_query_weights_md, dnnl_query_dst_md },
        [ONEDNN_BACKWARD_DATA] = { dnnl_query_diff_src_md, dnnl_query_weights_md, dnnl_query_diff_dst_md },
        [ONEDNN_BACKWARD_WEIGHTS] = { dnnl_query_src_md, dnnl_query_diff_weights_md, dnnl_query_diff_dst_md },
    };
    int threads = onednn_one_thread();
    dnnl_primitive_desc_t pd = NULL;
    dnnl_status_t rc = c->direction == ONEDNN_FORWARD ? forward_desc(d, c, &pd) : backward_desc(d, c, &pd);

    if (!rc) {
        c->x = *dnnl_primitive_desc_query_md(pd, names[c->direction][0], 0);
        c->w = *dnnl_primitive_desc_query_md(pd, names[c->direction][1], 0);
        c->y = *dnnl_primitive_desc_query_md(pd, names[c->direction][2], 0);
        rc = finish(pd, step);
    }
    onednn_threads_back(threads);
    return rc;
}

dnnl_status_t onednn_reorder_step(struct onednn_ops *d, const dnnl_memory_desc_t *from, const dnnl_memory_desc_t *to,
                                  bool add, struct onednn_step *step)
{
    int threads = onednn_one_thread();
    dnnl_primitive_desc_t pd = NULL;
    dnnl_status_t rc =
        dnnl_reorder_primitive_desc_create(&pd, from, d->engine, to, d->engine, add ? d->attr_sum : d->attr);

    if (!rc)
        rc = finish(pd, step);
    onednn_threads_back(threads);
    return rc;
}

dnnl_status_t onednn_run(struct onednn_ops *d, const struct onednn_step *step, const struct onednn_tensor *tensors,
                         size_t n, void *scratchpad)
{
    const struct onednn_tensor pad = { DNNL_ARG_SCRATCHPAD, &step->scratchpad, scratchpad };
    dnnl_exec_arg_t args[ONEDNN_MOST_ARGS];
    dnnl_stream_t stream = NULL;
    dnnl_status_t rc = dnnl_stream_create(&stream, d->engine, dnnl_stream_default_flags);
    int count = 0;

    for (size_t i = 0; i <= n && !rc; i++) {
        const struct onednn_tensor *t = i < n ? &tensors[i] : &pad;

        args[count].arg = t->arg;
        /* What a primitive only reads it also takes as a pointer to what may be written. */
        rc = dnnl_memory_create(&args[count].memory, t->md, d->engine, (void *)(uintptr_t)t->data);
        count += !rc;
    }
    if (!rc)
        rc = dnnl_primitive_execute(step->primitive, stream, count, args);
    if (!rc)
        rc = dnnl_stream_wait(stream);
    while (count--)
        dnnl_memory_destroy(args[count].memory);
    if (stream)
        dnnl_stream_destroy(stream);
    return rc;
}

void onednn_step_free(struct onednn_step *step)
{
    if (step->primitive)
        dnnl_primitive_destroy(step->primitive);
    step->primitive = NULL;
}
