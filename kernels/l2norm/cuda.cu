/* cuda.cu - a warp sums a block, its threads being the 32 lanes; one warp adds up the block sums. A leaf: kernels and
 * their launcher, on the default stream. */
#include <cuda_runtime.h>

#include "kernels/l2norm/device.h"
#include "kernels/l2norm/l2norm_lane.h"

/* 8192 warps fill any device; with more blocks of values each warp takes several turns. */
static const size_t WARPS = 8, MAX_GRID = 1024;

/* Step 3. In thread j of the lower half the sum is the one of the definition; what the others add is not looked at. */
__device__ static double fold_warp(double sum)
{
    for (int half = L2NORM_LANES / 2; half; half /= 2)
        sum += __shfl_down_sync(0xffffffffu, sum, half);
    return sum;
}

__global__ static void sum_blocks(double *work, const float *weights, size_t n, size_t blocks)
{
    size_t lane = threadIdx.x % L2NORM_LANES;
    size_t first = (size_t)blockIdx.x * WARPS + threadIdx.x / L2NORM_LANES, step = (size_t)gridDim.x * WARPS;

    for (size_t b = first; b < blocks; b += step) {
        size_t from = b * L2NORM_BLOCK, to = n - from < L2NORM_BLOCK ? n : from + L2NORM_BLOCK;
        double sum = 0;

#pragma unroll 8
        for (size_t i = from + lane; i < to; i += L2NORM_LANES)
            sum = __dadd_rn(sum, __dmul_rn((double)weights[i], (double)weights[i]));
        sum = fold_warp(sum);
        if (lane == 0)
            work[b] = sum;
    }
}

__global__ static void sum_sums(double *norm, const double *work, size_t blocks)
{
    double sum = 0;

    for (size_t b = threadIdx.x; b < blocks; b += L2NORM_LANES)
        sum = __dadd_rn(sum, work[b]);
    sum = fold_warp(sum);
    if (threadIdx.x == 0)
        *norm = sum != sum ? l2norm_canonical(sum) : __dsqrt_rn(sum);
}

void l2norm_cuda(double *norm, const float *weights, size_t n, double *work)
{
    size_t blocks = (n + L2NORM_BLOCK - 1) / L2NORM_BLOCK, grid = (blocks + WARPS - 1) / WARPS;

    if (blocks)
        sum_blocks<<<(unsigned)(grid < MAX_GRID ? grid : MAX_GRID), (unsigned)(WARPS * L2NORM_LANES)>>>(work, weights,
                                                                                                        n, blocks);
    sum_sums<<<1, L2NORM_LANES>>>(norm, work, blocks);
}

/* A device may be there and too old or too new for this build: ask whether it has code for a kernel. */
bool l2norm_cuda_usable(void)
{
    int count = 0;
    cudaFuncAttributes attributes;
    bool usable = cudaGetDeviceCount(&count) == cudaSuccess && count > 0 &&
                  cudaFuncGetAttributes(&attributes, sum_blocks) == cudaSuccess;

    if (!usable)
        cudaGetLastError(); /* a question is no error */
    return usable;
}
