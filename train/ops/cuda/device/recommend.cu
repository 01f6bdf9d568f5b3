/* recommend.cu - bags of embeddings, the rows that they change, and interactions. No sum is shared between threads. */
#include "train/ops/cuda/launch.h"

#include "train/ops/cuda/device/grid.cuh"
#include "train/ops/dot_lane.h"

struct bags {
    int tables, lookups, dim;
    int64_t batch, leading, width;
};

static bags bags_of(const struct bag_shape *s)
{
    bags b = { (int)s->tables, (int)s->lookups, (int)s->dim, s->batch, s->leading, s->leading + s->tables * s->dim };

    return b;
}

/* A thread per value, y over the samples. */
__global__ static void bag_forward(float *y, bags s, const int32_t *ids, const float *table)
{
    for (int64_t b = blockIdx.y; b < s.batch; b += gridDim.y)
        for (int i = (int)(blockIdx.x * GRID_THREADS + threadIdx.x); i < s.tables * s.dim;
             i += (int)(gridDim.x * GRID_THREADS)) {
            const int32_t *at = ids + (b * s.tables + i / s.dim) * s.lookups;
            float sum = table[(int64_t)at[0] * s.dim + i % s.dim];

            for (int l = 1; l < s.lookups; l++)
                sum += table[(int64_t)at[l] * s.dim + i % s.dim];
            y[b * s.width + s.leading + i] = sum;
        }
}

/* Blocks that fill a device, and threads that share a row: as many as it has values, to a power of two. */
enum { SCATTER_BLOCKS = 128, SCATTER_LEAST = 32 };

static int threads_of_row(int64_t dim)
{
    int threads = SCATTER_LEAST;

    while (threads < dim && threads < GRID_THREADS)
        threads *= 2;
    return threads;
}

/* Each row of the table belongs to one group of 'each' threads, by its number: all groups look at all ids, in their
 * order, and change what is theirs. A thread has the same values of every row. */
__global__ static void __launch_bounds__(GRID_THREADS)
    scatter(float *table, bags s, float factor, const int32_t *ids, const float *dy, int each)
{
    __shared__ int32_t row[GRID_THREADS];
    __shared__ uint32_t owner[GRID_THREADS];
    uint32_t groups = GRID_THREADS / each, me = blockIdx.x * groups + threadIdx.x / each;
    int64_t per_sample = (int64_t)s.tables * s.lookups, n = s.batch * per_sample;

    for (int64_t first = 0; first < n; first += GRID_THREADS) {
        int count = n - first < GRID_THREADS ? (int)(n - first) : GRID_THREADS;

        if ((int)threadIdx.x < count) {
            row[threadIdx.x] = ids[first + threadIdx.x];
            owner[threadIdx.x] = (uint32_t)row[threadIdx.x] % (gridDim.x * groups);
        }
        __syncthreads();
        for (int i = 0; i < count; i++) {
            int64_t at = first + i, table_of = at % per_sample / s.lookups;
            const float *error = dy + at / per_sample * s.width + s.leading + table_of * s.dim;

            for (int d = (int)threadIdx.x % each; d < s.dim && owner[i] == me; d += each)
                table[(int64_t)row[i] * s.dim + d] += factor * error[d];
        }
        __syncthreads();
    }
}

/* --- interactions: a block per sample ----------------------------------------------------------------------------- */

/* Of pair p = i (i - 1) / 2 + j with j < i, i. */
static __device__ int first_of_pair(int p)
{
    int i = (int)((1 + sqrt(1 + 8 * (double)p)) / 2);

    while ((int64_t)i * (i - 1) / 2 > p)
        i--;
    while ((int64_t)i * (i + 1) / 2 <= p)
        i++;
    return i;
}

static __device__ int pair_of(int i, int j)
{
    return i > j ? i * (i - 1) / 2 + j : j * (j - 1) / 2 + i;
}

__global__ static void __launch_bounds__(GRID_THREADS) interact(float *y, int n, int dim, const float *x)
{
    int pairs = n * (n - 1) / 2;
    const float *vectors = x + (int64_t)blockIdx.x * n * dim;

    for (int p = (int)threadIdx.x; p < pairs; p += GRID_THREADS) {
        int i = first_of_pair(p), j = p - i * (i - 1) / 2;

        y[(int64_t)blockIdx.x * (dim + pairs) + dim + p] =
            dot_lane(vectors + (int64_t)i * dim, vectors + (int64_t)j * dim, dim);
    }
}

__global__ static void __launch_bounds__(GRID_THREADS)
    interact_backward(float *dx, int n, int dim, const float *x, const float *dy)
{
    const float *vectors = x + (int64_t)blockIdx.x * n * dim;
    const float *errors = dy + (int64_t)blockIdx.x * (dim + n * (n - 1) / 2);

    for (int at = (int)threadIdx.x; at < n * dim; at += GRID_THREADS) {
        int i = at / dim, d = at % dim;
        float sum = i == 0 ? errors[d] : 0.0f;

        for (int j = 0; j < n; j++)
            if (j != i)
                sum += errors[dim + pair_of(i, j)] * vectors[(int64_t)j * dim + d];
        dx[(int64_t)blockIdx.x * n * dim + at] = sum;
    }
}

/* --- launchers ---------------------------------------------------------------------------------------------------- */

void launch_bag_forward(float *y, const struct bag_shape *s, const int32_t *ids, const float *table, void *stream)
{
    NW_LAUNCH(bag_forward,
              dim3(grid_part(s->tables * s->dim, GRID_THREADS, GRID_BLOCKS), grid_part(s->batch, 1, GRID_BLOCKS)),
              GRID_THREADS, 0, grid_stream(stream), y, bags_of(s), ids, table);
}

void launch_scatter(float *table, const struct bag_shape *s, float factor, const int32_t *ids, const float *dy,
                    void *stream)
{
    NW_LAUNCH(scatter, grid_part(s->batch * s->tables * s->lookups, GRID_THREADS, SCATTER_BLOCKS), GRID_THREADS, 0,
              grid_stream(stream), table, bags_of(s), factor, ids, dy, threads_of_row(s->dim));
}

void launch_interact(float *y, int64_t batch, int64_t n, int64_t dim, const float *x, void *stream)
{
    NW_LAUNCH(interact, (unsigned)batch, GRID_THREADS, 0, grid_stream(stream), y, (int)n, (int)dim, x);
}

void launch_interact_backward(float *dx, int64_t batch, int64_t n, int64_t dim, const float *x, const float *dy,
                              void *stream)
{
    NW_LAUNCH(interact_backward, (unsigned)batch, GRID_THREADS, 0, grid_stream(stream), dx, (int)n, (int)dim, x, dy);
}
