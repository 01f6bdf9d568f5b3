/* fc.c - fully-connected layers as they are defined; sums in double. */
#include "train/ops/reference/chain.h"

#include "train/ops/cpu/cpu.h"

int reference_fc_forward(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                         const float *bias, float *y, void *stream)
{
    int rc = cpu_check_fc(o, batch, in, out);

    (void)stream;
    if (rc)
        return rc;
    cpu_count_fc(o, OPS_FORWARD, batch, in, out);
    if (o->mode != FMA_FP32) {
        chain_fc_forward(o->mode, batch, in, out, x, w, bias, y);
        return 0;
    }
    CPU_PARALLEL_FOR(batch * in * out)
    for (int64_t j = 0; j < out; j++)
        for (int64_t n = 0; n < batch; n++)
            y[n * out + j] = (float)((bias ? (double)bias[j] : 0.0) + cpu_dot(x + n * in, w + j * in, in));
    return 0;
}

/* Values of a row that are summed side by side. */
enum { ROW = 256 };

int reference_fc_backward_data(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                               float *dx, void *stream)
{
    int rc = cpu_check_fc(o, batch, in, out);

    (void)stream;
    if (rc)
        return rc;
    cpu_count_fc(o, OPS_BACKWARD_DATA, batch, in, out);
    if (o->mode != FMA_FP32) {
        chain_fc_backward_data(o->mode, batch, in, out, dy, w, dx);
        return 0;
    }
    CPU_PARALLEL_FOR(batch * in * out)
    for (int64_t block = 0; block < (in + ROW - 1) / ROW; block++)
        for (int64_t n = 0; n < batch; n++) {
            int64_t first = block * ROW, count = in - first < ROW ? in - first : ROW;
            double sum[ROW] = { 0 };

            for (int64_t j = 0; j < out; j++)
                for (int64_t i = 0; i < count; i++)
                    sum[i] += (double)dy[n * out + j] * (double)w[j * in + first + i];
            for (int64_t i = 0; i < count; i++)
                dx[n * in + first + i] = (float)sum[i];
        }
    return 0;
}

static void add_weight_gradients(int64_t batch, int64_t in, int64_t out, int64_t j, const float *x, const float *dy,
                                 float *dw)
{
    for (int64_t i = 0; i < in; i++) {
        double sum = 0;

        for (int64_t n = 0; n < batch; n++)
            sum += (double)dy[n * out + j] * (double)x[n * in + i];
        dw[j * in + i] += (float)sum;
    }
}

int reference_fc_backward_weights(struct ops *o, int64_t batch, int64_t in, int64_t out, const float *x,
                                  const float *dy, float *dw, float *dbias, void *stream)
{
    int rc = cpu_check_fc(o, batch, in, out);

    (void)stream;
    if (rc)
        return rc;
    cpu_count_fc(o, OPS_BACKWARD_WEIGHTS, batch, in, out);
    if (o->mode != FMA_FP32)
        chain_fc_backward_weights(o->mode, batch, in, out, x, dy, dw);
    CPU_PARALLEL_FOR(batch * in * out)
    for (int64_t j = 0; j < out; j++) {
        double sum = 0;

        if (o->mode == FMA_FP32)
            add_weight_gradients(batch, in, out, j, x, dy, dw);
        for (int64_t n = 0; n < batch; n++)
            sum += (double)dy[n * out + j];
        if (dbias)
            dbias[j] += (float)sum;
    }
    return 0;
}
