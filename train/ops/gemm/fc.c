/* fc.c - fully-connected layers as products of kernels/gemm: an output is one chain of fused multiply-adds from its
 * bias. The gradient of a weight is one chain over the batch, in FP32 from what is there, which other modes would
 * round. */
#include "train/ops/gemm/ops.h"

/* A layer of fully connected values is one product. */
static int product(struct ops *o, struct gemm_problem *p)
{
    char *scratch = product_scratch(o, NULL, 0, product_work(o, p));

    if (!scratch)
        return cpu_no_memory(o, product_work(o, p));
    product_run(o, p, scratch);
    return 0;
}

int product_fc_forward(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                       const float *bias, float *y, void *stream)
{
    struct gemm_problem p = { .mode = o->mode,
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
    rc = product(o, &p);
    if (!rc)
        cpu_count_fc(o, OPS_FORWARD, batch, in, out);
    return rc;
}

int product_fc_backward_data(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                             float *dx, void *stream)
{
    struct gemm_problem p = { .mode = o->mode,
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
    if (rc)
        return rc;
    rc = product(o, &p);
    if (!rc)
        cpu_count_fc(o, OPS_BACKWARD_DATA, batch, in, out);
    return rc;
}

/* Rows of weights whose gradients are made aside before they are added, about: they stay in a second-level cache. */
enum { ASIDE_VALUES = 1 << 18, ASIDE_ROWS = 64 };

static int64_t aside_rows(int64_t in, int64_t out)
{
    int64_t rows = ASIDE_VALUES / in < ASIDE_ROWS ? ASIDE_ROWS : ASIDE_VALUES / in;

    return rows < out ? rows : out;
}

static int add_chains(struct ops *o, struct gemm_problem *p)
{
    size_t out = p->m, rows = (size_t)aside_rows((int64_t)p->n, (int64_t)out);
    size_t aside = product_aligned(rows * p->n * sizeof(*p->c)), need;
    float *dw = p->c;
    char *scratch;

    p->m = rows;
    p->accumulate = false;
    need = aside + product_work(o, p);
    scratch = product_scratch(o, NULL, 0, need);
    if (!scratch)
        return cpu_no_memory(o, need);
    p->c = (float *)scratch;
    for (size_t j = 0; j < out; j += rows, p->a += rows, dw += rows * p->n) {
        p->m = out - j < rows ? out - j : rows;
        product_run(o, p, scratch + aside);
        cpu_accumulate(o, (int64_t)(p->m * p->n), dw, p->c, dw, NULL);
    }
    return 0;
}

int product_fc_backward_weights(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *dy,
                                float *dw, float *dbias, void *stream)
{
    struct gemm_problem p = { .mode = o->mode,
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
        rc = o->mode == FMA_FP32 ? product(o, &p) : add_chains(o, &p);
    if (rc)
        return rc;
    cpu_count_fc(o, OPS_BACKWARD_WEIGHTS, batch, in, out);
    for (int64_t n = 0; n < batch && dbias; n++)
        cpu_accumulate(o, out, dbias, dy + n * out, dbias, NULL);
    return 0;
}
