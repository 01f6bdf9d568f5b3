/* cpu_loss.c - softmax and the mean cross-entropy. */
#include <float.h>
#include <math.h>

#include "train/ops/cpu.h"

static void softmax_row(int64_t n, const float *x, float *y)
{
    float most = x[0];
    double sum = 0;

    for (int64_t i = 1; i < n; i++)
        most = x[i] > most ? x[i] : most;
    for (int64_t i = 0; i < n; i++)
        sum += exp((double)x[i] - (double)most);
    for (int64_t i = 0; i < n; i++)
        y[i] = (float)(exp((double)x[i] - (double)most) / sum);
}

int cpu_softmax_forward(struct ops *o, int64_t batch, int64_t n, const float *x, float *y, void *stream)
{
    (void)stream;
    if (batch < 1 || n < 1)
        return cpu_fail(o, "softmax: batch %lld, %lld classes", (long long)batch, (long long)n);
    CPU_PARALLEL_FOR(batch * n)
    for (int64_t b = 0; b < batch; b++)
        softmax_row(n, x + b * n, y + b * n);
    return 0;
}

int cpu_softmax_backward(struct ops *o, int64_t batch, int64_t n, const float *y, const int32_t *labels, float *dx,
                         float *loss, void *stream)
{
    double sum = 0;

    (void)stream;
    for (int64_t b = 0; b < batch; b++)
        if (labels[b] < 0 || labels[b] >= n)
            return cpu_fail(o, "softmax: label %d of %lld classes", (int)labels[b], (long long)n);
    for (int64_t b = 0; b < batch; b++) {
        float hit = y[b * n + labels[b]];

        sum -= log((double)(hit < FLT_MIN ? FLT_MIN : hit)); /* a NaN stays one */
        for (int64_t i = 0; i < n; i++)
            dx[b * n + i] = (y[b * n + i] - (float)(i == labels[b])) / (float)batch;
    }
    *loss += (float)(sum / (double)batch);
    return 0;
}
