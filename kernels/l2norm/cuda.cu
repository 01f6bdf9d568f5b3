/* cuda.cu - a warp sums a block of values, its threads being the 32 lanes; one warp adds up the sums. A leaf: kernels
 * and their launchers. */
#include "kernels/l2norm/device.h"

#include "kernels/shared/launch.cuh"

#include "kernels/l2norm/l2norm_lane.h"

/* 8192 warps fill any device; with more blocks of values each warp takes several turns. */
static const size_t WARPS = L2NORM_TEAM, MAX_GRID = 1024;

/* Step 3. In thread j of the lower half the sum is the one of the definition; what the others add is not looked at. */
static __device__ double fold_warp(double sum)
{
    for (int half = L2NORM_LANES / 2; half; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, half);
    return sum;
}

/* Steps 2 and 3 by one warp, for block b of n weights. */
static __device__ void sum_block(double *work, const float *weights, size_t n, size_t b)
{
    size_t lane = threadIdx.x % L2NORM_LANES;
    size_t from = b * L2NORM_BLOCK, to = n - from < L2NORM_BLOCK ? n : from + L2NORM_BLOCK;
    double sum = 0;

#pragma unroll 8
    for (size_t i = from + lane; i < to; i += L2NORM_LANES)
        sum = __dadd_rn(sum, __dmul_rn((double)weights[i], (double)weights[i]));
    sum = fold_warp(sum);
    if (lane == 0)
        work[b] = sum;
}

/* Steps 4 and 5 by one warp. Other multiprocessors may have written the sums in this launch: past the first-level
 * cache, which does not see that. */
static __device__ void sum_sums(double *norm, const double *work, size_t blocks)
{
    const volatile double *sums = work;
    double sum = 0;

    for (size_t b = threadIdx.x; b < blocks; b += L2NORM_LANES)
        sum = __dadd_rn(sum, sums[b]);
    sum = fold_warp(sum);
    if (threadIdx.x == 0)
        *norm = sum != sum ? l2norm_canonical(sum) : __dsqrt_rn(sum);
}

__global__ static void sum_blocks(double *work, const float *weights, size_t n, size_t blocks)
{
    size_t first = (size_t)blockIdx.x * WARPS + threadIdx.x / L2NORM_LANES, step = (size_t)gridDim.x * WARPS;

    for (size_t b = first; b < blocks; b += step)
        sum_block(work, weights, n, b);
}

__global__ static void finish_one(double *norm, const double *work, size_t blocks)
{
    sum_sums(norm, work, blocks);
}

/* The last layer that starts at this block of threads or before it. */
static __device__ size_t layer_of(const uint32_t *first, size_t nlayers, uint32_t block)
{
    size_t low = 0, high = nlayers;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (first[middle] <= block)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ static void all_layers(const l2norm_layer *layers, const uint32_t *first, size_t nlayers, unsigned *finished)
{
    __shared__ bool last;
    size_t i = layer_of(first, nlayers, blockIdx.x);
    l2norm_layer l = layers[i];
    size_t blocks = (l.n + L2NORM_BLOCK - 1) / L2NORM_BLOCK;
    size_t b = (size_t)(blockIdx.x - first[i]) * WARPS + threadIdx.x / L2NORM_LANES;

    if (b < blocks) /* the same for all of a warp */
        sum_block(l.work, l.weights, l.n, b);
    __threadfence(); /* the sums are there before they are counted */
    __syncthreads();
    if (threadIdx.x == 0)
        last = atomicAdd(&finished[i], 1u) == first[i + 1] - first[i] - 1;
    __syncthreads();
    if (!last || threadIdx.x >= L2NORM_LANES)
        return;
    __threadfence();
    sum_sums(l.norm, l.work, blocks);
    if (threadIdx.x == 0)
        finished[i] = 0;
}

void l2norm_cuda_on(double *norm, const float *weights, size_t n, double *work, void *stream)
{
    size_t blocks = (n + L2NORM_BLOCK - 1) / L2NORM_BLOCK, grid = (blocks + WARPS - 1) / WARPS;
    cudaStream_t on = static_cast<cudaStream_t>(stream);

    if (blocks)
        NW_LAUNCH(sum_blocks, (unsigned)(grid < MAX_GRID ? grid : MAX_GRID), (unsigned)(WARPS * L2NORM_LANES), 0, on,
                  work, weights, n, blocks);
    NW_LAUNCH(finish_one, 1, L2NORM_LANES, 0, on, norm, work, blocks);
}

void l2norm_cuda(const struct impl *im, double *norm, const float *weights, size_t n, double *work)
{
    l2norm_cuda_on(norm, weights, n, work, stream_of(im));
}

void l2norm_layers_cuda(const l2norm_layer *layers, const uint32_t *first, size_t nlayers, uint32_t nblocks,
                        unsigned *finished, void *stream)
{
    if (nblocks)
        NW_LAUNCH(all_layers, nblocks, (unsigned)(WARPS * L2NORM_LANES), 0, static_cast<cudaStream_t>(stream), layers,
                  first, nlayers, finished);
}
