/* loss.c - softmax and the mean cross-entropies: of classes, and of yes or no. */
#include <float.h>
#include <math.h>

#include "train/ops/cpu/cpu.h"
#include "train/ops/softmax_row.h"

int cpu_softmax_forward(struct ops *o, int64_t batch, int64_t n, const float *x, float *y, void *stream)
{
    (void)stream;
    if (batch < 1 || n < 1)
        return cpu_fail(o, "softmax: batch %lld, %lld classes", (long long)batch, (long long)n);
    CPU_PARALLEL_FOR(batch * n)
    for (int64_t b = 0; b < batch; b++)
        softmax_row(n, x + b * n, 1, y + b * n);
    return 0;
}

/* A NaN stays one. */
static double log_loss(double probability)
{
    return -log(probability < (double)FLT_MIN ? (double)FLT_MIN : probability);
}

/* Rows whose label is below 0 are left out. */
CPU_CLONES static void softmax_error(int64_t n, const float *y, int32_t label, int64_t count, float *dx)
{
    for (int64_t i = 0; i < n; i++)
        dx[i] = label < 0 ? 0 : (y[i] - (float)(i == label)) / (float)count;
}

int cpu_softmax_backward(struct ops *o, int64_t batch, int64_t n, const float *y, const int32_t *labels, float *dx,
                         float *loss, void *stream)
{
    int64_t count = 0;
    double sum = 0;

    (void)stream;
    for (int64_t b = 0; b < batch; b++) {
        if (labels[b] >= n)
            return cpu_fail(o, "softmax: label %d of %lld classes", (int)labels[b], (long long)n);
        count += labels[b] >= 0;
    }
    for (int64_t b = 0; b < batch; b++)
        if (labels[b] >= 0)
            sum += log_loss((double)y[b * n + labels[b]]);
    CPU_PARALLEL_FOR(batch * n)
    for (int64_t b = 0; b < batch; b++)
        softmax_error(n, y + b * n, labels[b], count, dx + b * n);
    if (count)
        *loss += (float)(sum / (double)count);
    return 0;
}

int cpu_bce_backward(struct ops *o, int64_t batch, const float *y, const int32_t *labels, float *dx, float *loss,
                     void *stream)
{
    double sum = 0;

    (void)stream;
    if (batch < 1)
        return cpu_fail(o, "binary cross-entropy: batch %lld", (long long)batch);
    for (int64_t b = 0; b < batch; b++)
        if (labels[b] != 0 && labels[b] != 1)
            return cpu_fail(o, "binary cross-entropy: label %d, not 0 or 1", (int)labels[b]);
    for (int64_t b = 0; b < batch; b++) {
        sum += log_loss(labels[b] ? (double)y[b] : 1 - (double)y[b]);
        dx[b] = (y[b] - (float)labels[b]) / (float)batch;
    }
    *loss += (float)(sum / (double)batch);
    return 0;
}
