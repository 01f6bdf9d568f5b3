/* rows.cu - rows of a [batch, n] matrix: softmax and its loss, and the bias of a fully-connected layer. */
#include "train/ops/cuda/launch.h"

#include <float.h>

#include "train/ops/cuda/device/reduce.cuh"

/* A block per row. */
__global__ static void __launch_bounds__(GRID_THREADS) softmax(float *y, const float *x, int64_t n)
{
    int64_t first = blockIdx.x * n;
    float most = x[first];
    double sum = 0;

    for (int64_t i = threadIdx.x; i < n; i += GRID_THREADS)
        most = reduce_most::of(most, x[first + i]);
    most = reduce_block<reduce_most>(most);
    for (int64_t i = threadIdx.x; i < n; i += GRID_THREADS)
        sum += (double)expf(x[first + i] - most);
    sum = reduce_block<reduce_sum>(sum);
    for (int64_t i = threadIdx.x; i < n; i += GRID_THREADS)
        y[first + i] = (float)((double)expf(x[first + i] - most) / sum);
}

/* A block per row; 'labelled' rows have a label. */
__global__ static void __launch_bounds__(GRID_THREADS)
    softmax_backward(float *dx, const float *y, const int32_t *labels, const double *labelled, int64_t n)
{
    int64_t b = blockIdx.x;

    for (int64_t i = threadIdx.x; i < n; i += GRID_THREADS)
        dx[b * n + i] = labels[b] < 0 ? 0.0f : (y[b * n + i] - (i == labels[b] ? 1.0f : 0.0f)) / (float)*labelled;
}

/* A NaN stays one. */
static __device__ double log_loss(double probability)
{
    return -log(probability < (double)FLT_MIN ? (double)FLT_MIN : probability);
}

/* One block. A probability of zero counts as the least that a float tells from it; a label that is no class makes the
 * loss a NaN, since no caller waits here for an error. */
__global__ static void __launch_bounds__(GRID_THREADS)
    cross_entropy(float *loss, double *labelled, const float *y, const int32_t *labels, int64_t batch, int64_t n)
{
    pair sum = { 0, 0 };

    for (int64_t b = threadIdx.x; b < batch; b += GRID_THREADS)
        if (labels[b] >= 0) {
            float hit = labels[b] < n ? y[b * n + labels[b]] : __int_as_float(0x7fc00000);

            sum.a += log_loss((double)hit);
            sum.b += 1;
        }
    sum = reduce_block<reduce_sum>(sum);
    if (threadIdx.x == 0)
        *labelled = sum.b;
    if (threadIdx.x == 0 && sum.b > 0)
        *loss += (float)(sum.a / sum.b);
}

/* One block as well. */
__global__ static void __launch_bounds__(GRID_THREADS)
    bce_backward(float *dx, float *loss, const float *y, const int32_t *labels, int64_t batch)
{
    double sum = 0;

    for (int64_t b = threadIdx.x; b < batch; b += GRID_THREADS) {
        int32_t label = labels[b];

        sum += label == 1   ? log_loss((double)y[b])
               : label == 0 ? log_loss(1 - (double)y[b])
                            : (double)__int_as_float(0x7fc00000);
        dx[b] = (y[b] - (float)label) / (float)batch;
    }
    sum = reduce_block<reduce_sum>(sum);
    if (threadIdx.x == 0)
        *loss += (float)(sum / (double)batch);
}

__global__ static void bias_rows(float *y, const float *bias, int64_t batch, int64_t n)
{
    for (int64_t b = blockIdx.y; b < batch; b += gridDim.y)
        for (int64_t i = (int64_t)blockIdx.x * GRID_THREADS + threadIdx.x; i < n;
             i += (int64_t)gridDim.x * GRID_THREADS)
            y[b * n + i] += bias[i];
}

__global__ static void bias_rows_backward(float *dbias, const float *dy, int64_t batch, int64_t n)
{
    for (int64_t i = (int64_t)blockIdx.x * GRID_THREADS + threadIdx.x; i < n; i += (int64_t)gridDim.x * GRID_THREADS) {
        double sum = 0;

        for (int64_t b = 0; b < batch; b++)
            sum += (double)dy[b * n + i];
        dbias[i] += (float)sum;
    }
}

void launch_softmax(float *y, const float *x, int64_t batch, int64_t n, void *stream)
{
    NW_LAUNCH(softmax, (unsigned)batch, GRID_THREADS, 0, grid_stream(stream), y, x, n);
}

void launch_softmax_backward(float *dx, float *loss, const float *y, const int32_t *labels, int64_t batch, int64_t n,
                             void *scratch, void *stream)
{
    double *labelled = static_cast<double *>(scratch);

    NW_LAUNCH(cross_entropy, 1, GRID_THREADS, 0, grid_stream(stream), loss, labelled, y, labels, batch, n);
    NW_LAUNCH(softmax_backward, (unsigned)batch, GRID_THREADS, 0, grid_stream(stream), dx, y, labels, labelled, n);
}

void launch_bce_backward(float *dx, float *loss, const float *y, const int32_t *labels, int64_t batch, void *stream)
{
    NW_LAUNCH(bce_backward, 1, GRID_THREADS, 0, grid_stream(stream), dx, loss, y, labels, batch);
}

void launch_bias_rows(float *y, const float *bias, int64_t batch, int64_t n, void *stream)
{
    NW_LAUNCH(bias_rows, dim3(grid_part(n, GRID_THREADS, GRID_BLOCKS), grid_part(batch, 1, GRID_BLOCKS)), GRID_THREADS,
              0, grid_stream(stream), y, bias, batch, n);
}

void launch_bias_rows_backward(float *dbias, const float *dy, int64_t batch, int64_t n, void *stream)
{
    NW_LAUNCH(bias_rows_backward, grid_part(n, GRID_THREADS, GRID_BLOCKS), GRID_THREADS, 0, grid_stream(stream), dbias,
              dy, batch, n);
}
