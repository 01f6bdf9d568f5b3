/* gemm.c - the backend on the products of kernels/gemm, whose results are the same bits with any number of threads. Here the table and
 * the fully-connected layers; an output of these is one chain of fused multiply-adds from its bias on. */
#include "train/ops/gemm_ops.h"

#include <stdio.h>
#include <string.h>

/* The best row on this processor that is no plain loop: that one is much slower than the reference, which fuses nothing. */
static const struct gemm_impl *best_row(void)
{
    for (const struct gemm_impl *im = gemm_impls; im->impl.name; im++)
        if (gemm_has(im, FMA_FP32) && im->impl.where == IMPL_HOST && im->impl.usable())
            return strncmp(im->impl.name, "scalar", 6) ? im : NULL;
    return NULL;
}

static _Bool usable(void)
{
    return best_row() != NULL;
}

static struct ops *open_gemm(char *why, size_t nwhy)
{
    struct ops *o = cpu_open(why, nwhy);
    struct products *g = calloc(1, sizeof(*g));

    if (!o || !g || !best_row()) {
        snprintf(why, nwhy, "%s", best_row() ? "no memory" : "no vector instructions that kernels/gemm knows");
        free(o);
        free(g);
        return NULL;
    }
    g->row = best_row();
    o->own = g;
    return o;
}

static void close_gemm(struct ops *o)
{
    if (o)
        free(((struct products *)o->own)->scratch);
    if (o)
        free(o->own);
    cpu_close(o);
}

static size_t held(const struct ops *o)
{
    return ((const struct products *)o->own)->nscratch;
}

size_t product_aligned(size_t n)
{
    return (n + PRODUCT_ALIGN - 1) / PRODUCT_ALIGN * PRODUCT_ALIGN;
}

/* The caller's workspace if it is enough, else our own; both begin at a multiple of PRODUCT_ALIGN. */
char *product_scratch(struct ops *o, void *workspace, size_t nworkspace, size_t need)
{
    struct products *g = o->own;
    size_t skip = (PRODUCT_ALIGN - (uintptr_t)workspace % PRODUCT_ALIGN) % PRODUCT_ALIGN;

    if (workspace && nworkspace >= need + skip)
        return (char *)workspace + skip;
    if (g->nscratch < need) {
        free(g->scratch);
        g->scratch = aligned_alloc(PRODUCT_ALIGN, product_aligned(need));
        g->nscratch = g->scratch ? need : 0;
    }
    return g->scratch;
}

size_t product_work(const struct ops *o, const struct gemm_problem *p)
{
    return ((const struct products *)o->own)->row->work_size(p);
}

void product_run(const struct ops *o, const struct gemm_problem *p, void *work)
{
    ((const struct products *)o->own)->row->run(p, work);
}

/* A layer of fully connected values is one product. */
static int product(struct ops *o, struct gemm_problem *p)
{
    char *room = product_scratch(o, NULL, 0, product_work(o, p));

    if (!room)
        return cpu_no_memory(o, product_work(o, p));
    product_run(o, p, room);
    return 0;
}

static int fc_forward(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                      const float *bias, float *y, void *stream)
{
    struct gemm_problem p = { .mode = FMA_FP32,
                              .m = (size_t)batch,
                              .n = (size_t)out,
                              .k = (size_t)in,
                              .a = x,
                              .lda = (size_t)in,
                              .b = w,
                              .ldb = (size_t)in,
                              .b_transposed = true,
                              .c = y,
                              .ldc = (size_t)out,
                              .accumulate = true };
    int rc = cpu_check_fc(o, batch, in, out);

    (void)stream;
    if (rc)
        return rc;
    for (int64_t i = 0; i < batch * out; i++)
        y[i] = bias ? bias[i % out] : 0;
    return product(o, &p);
}

static int fc_backward_data(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                            float *dx, void *stream)
{
    struct gemm_problem p = { .mode = FMA_FP32,
                              .m = (size_t)batch,
                              .n = (size_t)in,
                              .k = (size_t)out,
                              .a = dy,
                              .lda = (size_t)out,
                              .b = w,
                              .ldb = (size_t)in,
                              .c = dx,
                              .ldc = (size_t)in };
    int rc = cpu_check_fc(o, batch, in, out);

    (void)stream;
    return rc ? rc : product(o, &p);
}

static int fc_backward_weights(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *dy,
                               float *dw, float *dbias, void *stream)
{
    struct gemm_problem p = { .mode = FMA_FP32,
                              .m = (size_t)out,
                              .n = (size_t)in,
                              .k = (size_t)batch,
                              .a = dy,
                              .lda = (size_t)out,
                              .a_transposed = true,
                              .b = x,
                              .ldb = (size_t)in,
                              .c = dw,
                              .ldc = (size_t)in,
                              .accumulate = true };
    int rc = cpu_check_fc(o, batch, in, out);

    (void)stream;
    if (!rc)
        rc = product(o, &p);
    if (!rc && dbias)
        for (int64_t n = 0; n < batch; n++)
            cpu_accumulate(o, out, dbias, dy + n * out, dbias, NULL);
    return rc;
}

const struct ops_backend ops_gemm = {
    .name = "gemm",
    .usable = usable,
    .open = open_gemm,
    .close = close_gemm,
    .held = held,
    .conv_workspace = product_conv_workspace,
    .conv_forward = product_conv_forward,
    .conv_backward_data = product_conv_backward_data,
    .conv_backward_weights = product_conv_backward_weights,
    .fc_forward = fc_forward,
    .fc_backward_data = fc_backward_data,
    .fc_backward_weights = fc_backward_weights,
    CPU_SHARED_ROWS,
};
