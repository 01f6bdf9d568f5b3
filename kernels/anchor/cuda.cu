/* cuda.cu - the anchors on the device: 16 bytes a thread and turn. The ends go value by value. */
#include "kernels/anchor/anchor.h"
#include "kernels/shared/launch.cuh"

enum { THREADS = 256, MAX_BLOCKS = 4096 };

static unsigned blocks_for(size_t items)
{
    size_t blocks = (items + THREADS - 1) / THREADS;

    return blocks < 1 ? 1u : blocks < MAX_BLOCKS ? (unsigned)blocks : (unsigned)MAX_BLOCKS;
}

/* Whole groups of four, if both addresses allow it. */
static size_t quads_of(const void *y, const void *x, size_t n)
{
    return (size_t)y % 16 || (size_t)x % 16 ? 0 : n / 4;
}

__device__ static size_t first(void)
{
    return (size_t)blockIdx.x * blockDim.x + threadIdx.x;
}

__device__ static size_t step(void)
{
    return (size_t)gridDim.x * blockDim.x;
}

__global__ static void copy_kernel(float *y, const float *x, size_t quads, size_t n)
{
    for (size_t i = first(); i < quads; i += step())
        reinterpret_cast<float4 *>(y)[i] = reinterpret_cast<const float4 *>(x)[i];
    for (size_t i = 4 * quads + first(); i < n; i += step())
        y[i] = x[i];
}

__global__ static void update_kernel(float *y, const float *x, size_t quads, size_t n)
{
    for (size_t i = first(); i < quads; i += step()) {
        float4 a = reinterpret_cast<float4 *>(y)[i], b = reinterpret_cast<const float4 *>(x)[i];

        a.x += b.x, a.y += b.y, a.z += b.z, a.w += b.w;
        reinterpret_cast<float4 *>(y)[i] = a;
    }
    for (size_t i = 4 * quads + first(); i < n; i += step())
        y[i] += x[i];
}

__global__ static void scale_kernel(float *y, size_t quads, size_t n)
{
    for (size_t i = first(); i < quads; i += step()) {
        float4 a = reinterpret_cast<float4 *>(y)[i];

        a.x *= -1.0f, a.y *= -1.0f, a.z *= -1.0f, a.w *= -1.0f;
        reinterpret_cast<float4 *>(y)[i] = a;
    }
    for (size_t i = 4 * quads + first(); i < n; i += step())
        y[i] *= -1.0f;
}

__global__ static void clear_kernel(float *result)
{
    *result = 0;
}

/* The magnitudes of floats are ordered as their bits are. */
__global__ static void read_kernel(float *result, const float *x, size_t quads, size_t n)
{
    float most = 0;

    for (size_t i = first(); i < quads; i += step()) {
        float4 a = reinterpret_cast<const float4 *>(x)[i];

        most = fmaxf(fmaxf(fmaxf(most, fabsf(a.x)), fmaxf(fabsf(a.y), fabsf(a.z))), fabsf(a.w));
    }
    for (size_t i = 4 * quads + first(); i < n; i += step())
        most = fmaxf(most, fabsf(x[i]));
    for (int lanes = 16; lanes; lanes /= 2)
        most = fmaxf(most, __shfl_xor_sync(0xffffffffu, most, lanes));
    if (threadIdx.x % 32 == 0)
        atomicMax(reinterpret_cast<int *>(result), __float_as_int(most));
}

void anchor_copy_cuda(const struct impl *im, float *y, const float *x, size_t n)
{
    cudaStream_t on = stream_of(im);
    size_t quads = quads_of(y, x, n);

    NW_LAUNCH(copy_kernel, blocks_for(n / 4), THREADS, 0, on, y, x, quads, n);
}

void anchor_update_cuda(const struct impl *im, float *y, const float *x, size_t n)
{
    cudaStream_t on = stream_of(im);
    size_t quads = quads_of(y, x, n);

    NW_LAUNCH(update_kernel, blocks_for(n / 4), THREADS, 0, on, y, x, quads, n);
}

void anchor_scale_cuda(const struct impl *im, float *y, size_t n)
{
    cudaStream_t on = stream_of(im);
    size_t quads = quads_of(y, y, n);

    NW_LAUNCH(scale_kernel, blocks_for(n / 4), THREADS, 0, on, y, quads, n);
}

void anchor_read_cuda(const struct impl *im, float *result, const float *x, size_t n)
{
    cudaStream_t on = stream_of(im);
    size_t quads = quads_of(x, x, n);

    NW_LAUNCH(clear_kernel, 1, 1, 0, on, result);
    NW_LAUNCH(read_kernel, blocks_for(n / 4), THREADS, 0, on, result, x, quads, n);
}
