/* rows.cu - what is done to the rows of a [batch, n] matrix: softmax and its loss, and the bias of a fully-connected
 * layer. */
#include "train/ops/cuda/launch.h"

#include <float.h>

#include "train/ops/cuda/reduce.cuh"

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

/* A block per row. */
__global__ static void __launch_bounds__(GRID_THREADS)
    softmax_backward(float *dx, const float *y, const int32_t *labels, int64_t batch, int64_t n)
{
    int64_t b = blockIdx.x;

    for (int64_t i = threadIdx.x; i < n; i += GRID_THREADS)
        dx[b * n + i] = (y[b * n + i] - (i == labels[b] ? 1.0f : 0.0f)) / (float)batch;
}

/* One block. A probability of zero counts as the least that a float tells from it; a label that is no class makes the
 * loss a NaN, since nobody waits here who could be told. */
__global__ static void __launch_bounds__(GRID_THREADS)
    cross_entropy(float *loss, const float *y, const int32_t *labels, int64_t batch, int64_t n)
{
    double sum = 0;

    for (int64_t b = threadIdx.x; b < batch; b += GRID_THREADS) {
        float hit = labels[b] >= 0 && labels[b] < n ? y[b * n + labels[b]] : __int_as_float(0x7fc00000);

        sum -= log((double)(hit < FLT_MIN ? FLT_MIN : hit));
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
                             void *stream)
{
    NW_LAUNCH(cross_entropy, 1, GRID_THREADS, 0, grid_stream(stream), loss, y, labels, batch, n);
    NW_LAUNCH(softmax_backward, (unsigned)batch, GRID_THREADS, 0, grid_stream(stream), dx, y, labels, batch, n);
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
