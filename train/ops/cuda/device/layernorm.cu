/* layernorm.cu - normalization of each row by itself: a warp per row; and its gradients, some columns to a block. */
#include "train/ops/cuda/launch.h"

#include "train/ops/cuda/device/reduce.cuh"

static const double EPSILON = 1e-5;

__global__ static void __launch_bounds__(GRID_THREADS)
    forward(float *y, float *mean, float *inv_std, int64_t rows, int64_t dim, const float *x, const float *scale,
            const float *shift)
{
    int64_t r = warp_row(), first = r * dim;
    double sum = 0, squares = 0, m;
    float center, factor;

    if (r >= rows)
        return;
    for (int64_t i = warp_lane(); i < dim; i += WARP_THREADS)
        sum += (double)x[first + i];
    m = reduce_warp<reduce_sum>(sum) / (double)dim;
    for (int64_t i = warp_lane(); i < dim; i += WARP_THREADS)
        squares += ((double)x[first + i] - m) * ((double)x[first + i] - m);
    squares = reduce_warp<reduce_sum>(squares);
    center = (float)m;
    factor = (float)(1 / sqrt(squares / (double)dim + EPSILON));
    for (int64_t i = warp_lane(); i < dim; i += WARP_THREADS)
        y[first + i] = (x[first + i] - center) * factor * scale[i] + shift[i];
    if (warp_lane() == 0) {
        mean[r] = center;
        inv_std[r] = factor;
    }
}

/* With g = dy scale and h = (x - mean) inv_std: dx = inv_std (g - mean of g - h mean of (g h)). */
__global__ static void __launch_bounds__(GRID_THREADS)
    backward(float *dx, int64_t rows, int64_t dim, const float *x, const float *dy, const float *scale,
             const float *mean, const float *inv_std)
{
    int64_t r = warp_row(), first = r * dim;
    pair sum = { 0, 0 };
    float constant, slope;

    if (r >= rows)
        return;
    for (int64_t i = warp_lane(); i < dim; i += WARP_THREADS) {
        float g = dy[first + i] * scale[i];

        sum.a += (double)g;
        sum.b += (double)g * ((double)x[first + i] - (double)mean[r]);
    }
    sum = reduce_warp<reduce_sum>(sum);
    constant = (float)(sum.a / (double)dim);
    slope = (float)(sum.b * (double)inv_std[r] * (double)inv_std[r] / (double)dim);
    for (int64_t i = warp_lane(); i < dim; i += WARP_THREADS)
        dx[first + i] = inv_std[r] * (dy[first + i] * scale[i] - constant - (x[first + i] - mean[r]) * slope);
}

/* Columns of a block, and threads that share the rows of each. */
enum { COLUMNS = 32, SHARERS = GRID_THREADS / COLUMNS };

__global__ static void __launch_bounds__(GRID_THREADS)
    gradients(float *dscale, float *dshift, int64_t rows, int64_t dim, const float *x, const float *dy,
              const float *mean, const float *inv_std)
{
    __shared__ pair of_thread[GRID_THREADS];
    unsigned sharer = threadIdx.x / COLUMNS;
    int64_t i = (int64_t)blockIdx.x * COLUMNS + threadIdx.x % COLUMNS;
    pair sum = { 0, 0 };

    for (int64_t r = sharer; r < rows && i < dim; r += SHARERS) {
        double error = (double)dy[r * dim + i];

        sum.a += error;
        sum.b += error * (((double)x[r * dim + i] - (double)mean[r]) * (double)inv_std[r]);
    }
    of_thread[threadIdx.x] = sum;
    __syncthreads();
    if (sharer == 0 && i < dim) {
        for (int s = 1; s < SHARERS; s++)
            sum = reduce_sum::of(sum, of_thread[s * COLUMNS + threadIdx.x]);
        dshift[i] += (float)sum.a;
        dscale[i] += (float)sum.b;
    }
}

void launch_layernorm(float *y, float *mean, float *inv_std, int64_t rows, int64_t dim, const float *x,
                      const float *scale, const float *shift, void *stream)
{
    NW_LAUNCH(forward, warp_blocks(rows), GRID_THREADS, 0, grid_stream(stream), y, mean, inv_std, rows, dim, x, scale,
              shift);
}

void launch_layernorm_backward(float *dx, float *dscale, float *dshift, int64_t rows, int64_t dim, const float *x,
                               const float *dy, const float *scale, const float *mean, const float *inv_std,
                               void *stream)
{
    NW_LAUNCH(backward, warp_blocks(rows), GRID_THREADS, 0, grid_stream(stream), dx, rows, dim, x, dy, scale, mean,
              inv_std);
    NW_LAUNCH(gradients, (unsigned)((dim + COLUMNS - 1) / COLUMNS), GRID_THREADS, 0, grid_stream(stream), dscale,
              dshift, rows, dim, x, dy, mean, inv_std);
}
