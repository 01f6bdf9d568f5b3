/* fc.c - fully-connected layers as products of oneDNN, cut into blocks of outputs (or of inputs) by the shape alone. */
#include "train/ops/dnnl/ops.h"
#include "train/ops/gemm/ops.h"

/* Rows or columns of weights in a block: an eighth of them, but 128 at least, since the other operand is packed again
 * for each; and at most about a million weights, a few milliseconds of reading them from memory. */
enum { BLOCKS = 8, BLOCK_LEAST = 128, BLOCK_UNIT = 64, BLOCK_VALUES = 1 << 20 };

/* Of 'n' rows or columns with 'length' weights each. */
static int64_t block_of(int64_t n, int64_t length)
{
    int64_t block = (n + BLOCKS - 1) / BLOCKS, most = BLOCK_VALUES / length;

    block = block < most ? block : most;
    block = (block + BLOCK_UNIT - 1) / BLOCK_UNIT * BLOCK_UNIT;
    block = block < BLOCK_LEAST ? BLOCK_LEAST : block;
    return block < n ? block : n;
}

static int64_t count(int64_t n, int64_t from, int64_t block)
{
    return n - from < block ? n - from : block;
}

static int report(struct ops *o, enum ops_pass pass, int64_t batch, int64_t in, int64_t out, int failed)
{
    if (failed)
        return cpu_fail(o, "oneDNN: product failed with status %d", failed);
    cpu_count_fc(o, pass, batch, in, out);
    return 0;
}

int onednn_fc_forward(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                      const float *bias, float *y, void *stream)
{
    int64_t block = block_of(out, in);
    int failed = 0, rc = cpu_check_fc(o, batch, in, out);

    if (o->mode != FMA_FP32)
        return product_fc_forward(o, batch, in, out, x, w, bias, y, stream);
    if (rc)
        return rc;
#pragma omp parallel reduction(max : failed) if (block < out)
    {
        onednn_one_thread();
#pragma omp for schedule(dynamic)
        for (int64_t j = 0; j < out; j += block) {
            dnnl_status_t status =
                dnnl_sgemm('N', 'T', batch, count(out, j, block), in, 1, x, in, w + j * in, in, 0, y + j, out);

            for (int64_t n = 0; n < batch && bias; n++)
                for (int64_t i = j; i < j + count(out, j, block); i++)
                    y[n * out + i] += bias[i];
            if (status)
                failed = (int)status;
        }
    }
    return report(o, OPS_FORWARD, batch, in, out, failed);
}

int onednn_fc_backward_data(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                            float *dx, void *stream)
{
    int64_t block = block_of(in, out);
    int failed = 0, rc = cpu_check_fc(o, batch, in, out);

    if (o->mode != FMA_FP32)
        return product_fc_backward_data(o, batch, in, out, dy, w, dx, stream);
    if (rc)
        return rc;
#pragma omp parallel reduction(max : failed) if (block < in)
    {
        onednn_one_thread();
#pragma omp for schedule(dynamic)
        for (int64_t i = 0; i < in; i += block) {
            dnnl_status_t status =
                dnnl_sgemm('N', 'N', batch, count(in, i, block), out, 1, dy, out, w + i, in, 0, dx + i, in);

            if (status)
                failed = (int)status;
        }
    }
    return report(o, OPS_BACKWARD_DATA, batch, in, out, failed);
}

int onednn_fc_backward_weights(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *dy,
                               float *dw, float *dbias, void *stream)
{
    int64_t block = block_of(out, in);
    int failed = 0, rc = cpu_check_fc(o, batch, in, out);

    if (o->mode != FMA_FP32)
        return product_fc_backward_weights(o, batch, in, out, x, dy, dw, dbias, stream);
    if (rc)
        return rc;
#pragma omp parallel reduction(max : failed) if (block < out)
    {
        onednn_one_thread();
#pragma omp for schedule(dynamic)
        for (int64_t j = 0; j < out; j += block) {
            dnnl_status_t status =
                dnnl_sgemm('T', 'N', count(out, j, block), in, batch, 1, dy + j, out, x, in, 1, dw + j * in, in);

            if (status)
                failed = (int)status;
        }
    }
    for (int64_t n = 0; n < batch && dbias && !failed; n++)
        for (int64_t j = 0; j < out; j++)
            dbias[j] += dy[n * out + j];
    return report(o, OPS_BACKWARD_WEIGHTS, batch, in, out, failed);
}
