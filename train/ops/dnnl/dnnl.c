/* dnnl.c - the backend on oneDNN: the table, and the plans that it remembers. What oneDNN has no primitive for (a
 * window in the padding alone) the reference does; products in lower precision are those of the backend "gemm", and
 * what direct.h does faster is left to it. */
#include <stdio.h>
#include <string.h>

#include "train/ops/dnnl/ops.h"
#include "train/ops/gemm/ops.h"
#include "train/ops/rows.h"

enum { PLANS_MOST = 4096 };

static void close_dnnl(struct ops *o)
{
    struct onednn_ops *d = o ? o->own : NULL;

    if (d) {
        onednn_plans_free(d);
        free(d->plans);
        free(d->scratch);
        dnnl_primitive_attr_destroy(d->attr);
        dnnl_primitive_attr_destroy(d->attr_sum);
        if (d->engine)
            dnnl_engine_destroy(d->engine);
        free(d);
    }
    if (o)
        products_close(o->products);
    cpu_close(o);
}

static size_t held(const struct ops *o)
{
    return ((const struct onednn_ops *)o->own)->nscratch + o->products->nscratch;
}

static dnnl_status_t set_up(struct onednn_ops *d)
{
    dnnl_post_ops_t add = NULL;
    dnnl_status_t rc = dnnl_engine_create(&d->engine, dnnl_cpu, 0);

    if (!rc)
        rc = dnnl_primitive_attr_create(&d->attr);
    if (!rc)
        rc = dnnl_primitive_attr_create(&d->attr_sum);
    if (!rc)
        rc = dnnl_primitive_attr_set_scratchpad_mode(d->attr, dnnl_scratchpad_mode_user);
    if (!rc)
        rc = dnnl_primitive_attr_set_scratchpad_mode(d->attr_sum, dnnl_scratchpad_mode_user);
    if (!rc)
        rc = dnnl_post_ops_create(&add);
    if (!rc)
        rc = dnnl_post_ops_append_sum(add, 1);
    if (!rc)
        rc = dnnl_primitive_attr_set_post_ops(d->attr_sum, add);
    if (add)
        dnnl_post_ops_destroy(add);
    return rc;
}

static struct ops *open_dnnl(char *why, size_t nwhy)
{
    struct ops *o = cpu_open(why, nwhy);
    struct onednn_ops *d = calloc(1, sizeof(*d));
    dnnl_status_t rc = dnnl_out_of_memory;

    if (o && d) {
        o->backend = &ops_dnnl;
        o->own = d;
        o->products = products_open();
        if (o->products)
            o->products->beside_onednn = true;
        d->plans = calloc(PLANS_MOST, sizeof(struct onednn_plan *));
        rc = d->plans && o->products ? set_up(d) : dnnl_out_of_memory;
        if (!rc)
            return o;
        close_dnnl(o);
    } else {
        free(o);
        free(d);
    }
    snprintf(why, nwhy, "oneDNN: no engine (status %d)", (int)rc);
    return NULL;
}

static void plan_free(struct onednn_plan *p)
{
    onednn_slide_free(p->slide);
    onednn_blocks_free(p->blocks);
    free(p);
}

void onednn_plans_free(struct onednn_ops *d)
{
    for (size_t i = 0; i < d->nplans; i++)
        plan_free(d->plans[i]);
    d->nplans = 0;
}

char *onednn_scratch(struct onednn_ops *d, void *workspace, size_t nworkspace, size_t need)
{
    size_t skip = (ONEDNN_ALIGN - (uintptr_t)workspace % ONEDNN_ALIGN) % ONEDNN_ALIGN;

    if (workspace && nworkspace >= need + skip)
        return (char *)workspace + skip;
    if (d->nscratch < need) {
        free(d->scratch);
        d->scratch = aligned_alloc(ONEDNN_ALIGN, onednn_aligned(need));
        d->nscratch = d->scratch ? need : 0;
    }
    return d->scratch;
}

/* Calls come in the same order step after step: the search begins behind the plan that was found last. */
static struct onednn_plan *remembered(struct onednn_ops *d, enum onednn_direction direction, const struct conv_shape *s,
                                      bool bias)
{
    for (size_t i = 1; i <= d->nplans; i++) {
        struct onednn_plan *p = d->plans[(d->recent + i) % d->nplans];

        if (p->direction == direction && p->bias == bias && memcmp(&p->shape, s, sizeof(*s)) == 0) {
            d->recent = (d->recent + i) % d->nplans;
            return p;
        }
    }
    return NULL;
}

/* That oneDNN cannot do it is remembered too, as a plan with nothing in it. */
struct onednn_plan *onednn_plan_find(struct ops *o, enum onednn_direction direction, const struct conv_shape *s,
                                     bool bias, int *rc)
{
    struct onednn_ops *d = o->own;
    struct onednn_plan *p = remembered(d, direction, s, bias);
    dnnl_status_t status;

    *rc = cpu_check_conv(o, s);
    if (*rc)
        return NULL;
    if (!p) {
        if (d->nplans == PLANS_MOST)
            onednn_plans_free(d);
        p = calloc(1, sizeof(*p));
        if (!p) {
            *rc = cpu_no_memory(o, sizeof(*p));
            return NULL;
        }
        *p = (struct onednn_plan){ direction, *s, bias, NULL, NULL };
        status = direction == ONEDNN_BACKWARD_WEIGHTS ? onednn_blocks_make(d, s, &p->blocks)
                                                      : onednn_slide_make(d, direction, s, bias, &p->slide);
        if (status && status != dnnl_unimplemented) {
            free(p);
            *rc = cpu_fail(o, "oneDNN: convolution not made, status %d", (int)status);
            return NULL;
        }
        d->plans[d->nplans++] = p;
    }
    return p->slide || p->blocks ? p : NULL;
}

static size_t plan_size(const struct onednn_plan *p)
{
    return p->slide ? onednn_slide_size(p->slide) : onednn_blocks_size(p->blocks);
}

/* In lower precision; and groups, whose blocks of channels slide.h and blocks.h do not know. */
static bool by_products(const struct ops *o, const struct conv_shape *s)
{
    return o->mode != FMA_FP32 || conv_groups(s) > 1;
}

static size_t workspace_size(struct ops *o, const struct conv_shape *s)
{
    static const enum direct_way ways[] = { [ONEDNN_FORWARD] = DIRECT_FORWARD,
                                            [ONEDNN_BACKWARD_DATA] = DIRECT_DATA,
                                            [ONEDNN_BACKWARD_WEIGHTS] = DIRECT_WEIGHTS };
    size_t most = 0;
    int rc;

    if (by_products(o, s))
        return product_conv_workspace(o, s);
    for (enum onednn_direction i = 0; i < ONEDNN_NDIRECTIONS; i++)
        for (int bias = 0; bias <= (i == ONEDNN_FORWARD); bias++) {
            size_t size = direct_conv_size(o, s, ways[i]);
            const struct onednn_plan *p = size ? NULL : onednn_plan_find(o, i, s, bias, &rc);

            size = p ? plan_size(p) : size;
            most = size > most ? size : most;
        }
    return most ? most + ONEDNN_ALIGN : 0;
}

/* Scratch for the plan; and the result of a call. */
static char *scratch_for(struct ops *o, const struct onednn_plan *p, void *workspace, size_t nworkspace)
{
    char *scratch = onednn_scratch(o->own, workspace, nworkspace, plan_size(p));

    if (!scratch)
        cpu_no_memory(o, plan_size(p));
    return scratch;
}

static int report(struct ops *o, enum ops_pass pass, const struct conv_shape *s, dnnl_status_t status)
{
    if (status)
        return cpu_fail(o, "oneDNN: convolution failed with status %d", (int)status);
    cpu_count_conv(o, pass, s);
    return 0;
}

static int onednn_conv_forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w,
                               const float *bias, float *y, void *workspace, size_t nworkspace, void *stream)
{
    struct onednn_plan *p;
    char *scratch;
    int rc;

    if (by_products(o, s))
        return product_conv_forward(o, s, x, w, bias, y, workspace, nworkspace, stream);
    rc = direct_conv_forward(o, s, x, w, bias, y, workspace, nworkspace);
    if (rc)
        return rc < 0 ? rc : 0;
    p = onednn_plan_find(o, ONEDNN_FORWARD, s, bias != NULL, &rc);
    if (rc)
        return rc;
    if (!p)
        return reference_conv_forward(o, s, x, w, bias, y, workspace, nworkspace, stream);
    scratch = scratch_for(o, p, workspace, nworkspace);
    return scratch ? report(o, OPS_FORWARD, s, onednn_slide_run(o->own, p->slide, x, w, bias, y, scratch)) : -1;
}

static int onednn_conv_backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w,
                                     float *dx, void *workspace, size_t nworkspace, void *stream)
{
    struct onednn_plan *p;
    char *scratch;
    int rc;

    if (by_products(o, s))
        return product_conv_backward_data(o, s, dy, w, dx, workspace, nworkspace, stream);
    rc = direct_conv_backward_data(o, s, dy, w, dx, workspace, nworkspace);
    if (rc)
        return rc < 0 ? rc : 0;
    p = onednn_plan_find(o, ONEDNN_BACKWARD_DATA, s, false, &rc);
    if (rc)
        return rc;
    if (!p)
        return reference_conv_backward_data(o, s, dy, w, dx, workspace, nworkspace, stream);
    scratch = scratch_for(o, p, workspace, nworkspace);
    return scratch ? report(o, OPS_BACKWARD_DATA, s, onednn_slide_run(o->own, p->slide, dy, w, NULL, dx, scratch)) : -1;
}

static int onednn_conv_backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy,
                                        float *dw, float *dbias, void *workspace, size_t nworkspace, void *stream)
{
    struct onednn_plan *p;
    char *scratch;
    int rc;

    if (by_products(o, s))
        return product_conv_backward_weights(o, s, x, dy, dw, dbias, workspace, nworkspace, stream);
    rc = direct_conv_backward_weights(o, s, x, dy, dw, dbias, workspace, nworkspace);
    if (rc)
        return rc < 0 ? rc : 0;
    p = onednn_plan_find(o, ONEDNN_BACKWARD_WEIGHTS, s, false, &rc);
    if (rc)
        return rc;
    if (!p)
        return reference_conv_backward_weights(o, s, x, dy, dw, dbias, workspace, nworkspace, stream);
    scratch = scratch_for(o, p, workspace, nworkspace);
    rc = scratch ? report(o, OPS_BACKWARD_WEIGHTS, s, onednn_blocks_run(o->own, p->blocks, x, dy, dw, scratch)) : -1;
    if (!rc && dbias)
        cpu_add_bias_gradient(s->batch, s->out_channels, s->out_height * s->out_width, dy, dbias);
    return rc;
}

/* clang-format off */
const struct ops_backend ops_dnnl = {
    .name = "dnnl",
    .usable = cpu_usable,
    .open = open_dnnl,
    .close = close_dnnl,
    .held = held,
    .conv_workspace = workspace_size,
    OPS_CONV_ROWS(OPS_FILL, onednn) OPS_FC_ROWS(OPS_FILL, onednn) CPU_SHARED_ROWS
};
/* clang-format on */
