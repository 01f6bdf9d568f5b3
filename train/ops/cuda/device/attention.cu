/* attention.cu - the core of attention (train/ops/attention.h): a warp per query for its shares and their errors; then
 * a thread per value, which adds up over keys or queries in rising order. */
#include "train/ops/cuda/launch.h"

#include "train/ops/cuda/device/reduce.cuh"
#include "train/ops/dot_lane.h"
#include "train/ops/exp_lane.h"

struct heads {
    int64_t count, queries, keys, dim; /* count: of all samples */
    int heads, size;
    bool causal;
    float scale;
};

static heads heads_of(const struct attention_shape *s)
{
    int size = (int)(s->dim / s->heads);
    heads h = { s->batch * s->heads, s->queries, s->keys,         s->dim,
                (int)s->heads,       size,       (bool)s->causal, (float)(1 / sqrt((double)size)) };

    return h;
}

/* Where head n begins in a tensor of 'each' vectors to a sample. */
static __device__ int64_t place(const heads &h, int64_t n, int64_t each)
{
    return n / h.heads * each * h.dim + n % h.heads * h.size;
}

static __device__ int64_t keys_seen(const heads &h, int64_t query)
{
    return h.causal ? query + 1 : h.keys;
}

/* Warp: query r % queries of head r / queries. Keys that it does not see have no share. */
__global__ static void __launch_bounds__(GRID_THREADS)
    find_shares(float *shares, heads h, const float *q, const float *k)
{
    int64_t r = warp_row(), n = r / h.queries, i = r % h.queries, count = keys_seen(h, i);
    const float *mine = q + place(h, n, h.queries) + i * h.dim, *keys = k + place(h, n, h.keys);
    float *row = shares + r * h.keys, highest = -INFINITY, inverse;
    double sum = 0;

    if (n >= h.count)
        return;
    for (int64_t j = warp_lane(); j < count; j += WARP_THREADS) {
        row[j] = dot_lane(mine, keys + j * h.dim, h.size);
        highest = reduce_most::of(highest, row[j]);
    }
    highest = reduce_warp<reduce_most>(highest);
    for (int64_t j = warp_lane(); j < count; j += WARP_THREADS) {
        row[j] = exp_lane((row[j] - highest) * h.scale);
        sum += (double)row[j];
    }
    inverse = (float)(1 / reduce_warp<reduce_sum>(sum));
    for (int64_t j = warp_lane(); j < h.keys; j += WARP_THREADS)
        row[j] = j < count ? row[j] * inverse : 0.0f;
}

/* With g = dc v^T: p (g - sum of (p g)) scale. */
__global__ static void __launch_bounds__(GRID_THREADS)
    find_errors(float *errors, const float *shares, heads h, const float *dc, const float *v)
{
    int64_t r = warp_row(), n = r / h.queries, i = r % h.queries, count = keys_seen(h, i);
    const float *mine = dc + place(h, n, h.queries) + i * h.dim, *values = v + place(h, n, h.keys);
    const float *share = shares + r * h.keys;
    float *row = errors + r * h.keys;
    double sum = 0;

    if (n >= h.count)
        return;
    for (int64_t j = warp_lane(); j < count; j += WARP_THREADS) {
        row[j] = dot_lane(mine, values + j * h.dim, h.size);
        sum += (double)share[j] * (double)row[j];
    }
    sum = reduce_warp<reduce_sum>(sum);
    for (int64_t j = warp_lane(); j < h.keys; j += WARP_THREADS)
        row[j] = j < count ? share[j] * (row[j] - (float)sum) * h.scale : 0.0f;
}

/* What each query gets of x, a vector for each key: y[query] = sum of w[query][key] x[key]. y over the heads. */
__global__ static void __launch_bounds__(GRID_THREADS) sum_of_keys(float *y, heads h, const float *w, const float *x)
{
    for (int64_t n = blockIdx.y; n < h.count; n += gridDim.y)
        for (int64_t at = (int64_t)blockIdx.x * GRID_THREADS + threadIdx.x; at < h.queries * h.size;
             at += (int64_t)gridDim.x * GRID_THREADS) {
            int64_t i = at / h.size, d = at % h.size, count = keys_seen(h, i);
            const float *row = w + (n * h.queries + i) * h.keys, *from = x + place(h, n, h.keys) + d;
            float sum = 0;

            for (int64_t j = 0; j < count; j++)
                sum += row[j] * from[j * h.dim];
            y[place(h, n, h.queries) + i * h.dim + d] = sum;
        }
}

/* The same the other way: y[key] = sum of w[query][key] x[query], over the queries that see the key. */
__global__ static void __launch_bounds__(GRID_THREADS) sum_of_queries(float *y, heads h, const float *w, const float *x)
{
    for (int64_t n = blockIdx.y; n < h.count; n += gridDim.y)
        for (int64_t at = (int64_t)blockIdx.x * GRID_THREADS + threadIdx.x; at < h.keys * h.size;
             at += (int64_t)gridDim.x * GRID_THREADS) {
            int64_t j = at / h.size, d = at % h.size;
            const float *column = w + n * h.queries * h.keys + j, *from = x + place(h, n, h.queries) + d;
            float sum = 0;

            for (int64_t i = h.causal ? j : 0; i < h.queries; i++)
                sum += column[i * h.keys] * from[i * h.dim];
            y[place(h, n, h.keys) + j * h.dim + d] = sum;
        }
}

static dim3 grid_of_vectors(const heads &h, int64_t vectors)
{
    return dim3(grid_part(vectors * h.size, GRID_THREADS, GRID_BLOCKS), grid_part(h.count, 1, GRID_BLOCKS));
}

void launch_attention(float *c, float *shares, const struct attention_shape *s, const float *q, const float *k,
                      const float *v, void *stream)
{
    heads h = heads_of(s);

    NW_LAUNCH(find_shares, warp_blocks(h.count * h.queries), GRID_THREADS, 0, grid_stream(stream), shares, h, q, k);
    NW_LAUNCH(sum_of_keys, grid_of_vectors(h, h.queries), GRID_THREADS, 0, grid_stream(stream), c, h, shares, v);
}

/* dc is needed until dv is there. */
void launch_attention_backward(float *dc, float *dk, float *dv, const float *shares, float *errors,
                               const struct attention_shape *s, const float *q, const float *k, const float *v,
                               void *stream)
{
    heads h = heads_of(s);

    NW_LAUNCH(find_errors, warp_blocks(h.count * h.queries), GRID_THREADS, 0, grid_stream(stream), errors, shares, h,
              dc, v);
    NW_LAUNCH(sum_of_queries, grid_of_vectors(h, h.keys), GRID_THREADS, 0, grid_stream(stream), dv, h, shares, dc);
    NW_LAUNCH(sum_of_queries, grid_of_vectors(h, h.keys), GRID_THREADS, 0, grid_stream(stream), dk, h, errors, q);
    NW_LAUNCH(sum_of_keys, grid_of_vectors(h, h.queries), GRID_THREADS, 0, grid_stream(stream), dc, h, errors, k);
}
