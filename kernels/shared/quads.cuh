/* quads.cuh - passes over a tensor on the device, four values at a time, for the cuda.cu of the codecs. A pass is a
 * struct of what it needs, copied to the device with the launch:
 *      Taken            what is read for four values
 *      idle()           is there nothing to do after all? Then no value is touched.
 *      take(q)          read quad q, the values 4 q .. 4 q + 3
 *      give(q, taken)   write it; the uint32_t that it returns is looked at by quads_most() alone
 *      one(i)           value i, of those that are left over behind the last quad; returns like give()
 *      last()           once a pass, by any thread, idle or not
 * Reads      A thread reads several quads before it writes one, so that enough reads are under way; neighbouring
 *            threads have neighbouring quads. Four floats are one access where the tensor starts on 16 bytes ('wide',
 *            the same for every thread), else four.
 * Shape      One tile of 4096 values for each block. */
#ifndef NARROWS_KERNELS_SHARED_QUADS_CUH
#define NARROWS_KERNELS_SHARED_QUADS_CUH

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/launch.cuh"

enum { QUADS_THREADS = 256, QUADS_TURNS = 4, QUADS_TILE = QUADS_THREADS * QUADS_TURNS };

static inline bool quads_wide(const void *address)
{
    return reinterpret_cast<uintptr_t>(address) % 16 == 0;
}

__device__ static inline float4 quads_load(const float *values, size_t q, bool wide)
{
    const float *from = values + 4 * q;

    return wide ? *reinterpret_cast<const float4 *>(from) : make_float4(from[0], from[1], from[2], from[3]);
}

__device__ static inline void quads_store(float *values, size_t q, float4 v, bool wide)
{
    float *to = values + 4 * q;

    if (wide)
        *reinterpret_cast<float4 *>(to) = v;
    else
        to[0] = v.x, to[1] = v.y, to[2] = v.z, to[3] = v.w;
}

/* A whole tile has no conditions between its reads. */
template <class Pass> __device__ static inline uint32_t quads_tile(Pass &pass, size_t tile, size_t quads)
{
    size_t first = tile * QUADS_TILE + threadIdx.x;
    uint32_t most = 0;

    if ((tile + 1) * QUADS_TILE <= quads) {
        typename Pass::Taken taken[QUADS_TURNS];

#pragma unroll
        for (int turn = 0; turn < QUADS_TURNS; turn++)
            taken[turn] = pass.take(first + turn * QUADS_THREADS);
#pragma unroll
        for (int turn = 0; turn < QUADS_TURNS; turn++)
            most = max(most, pass.give(first + turn * QUADS_THREADS, taken[turn]));
    } else {
        for (size_t q = first; q < quads; q += QUADS_THREADS)
            most = max(most, pass.give(q, pass.take(q)));
    }
    return most;
}

template <class Pass> __global__ static void __launch_bounds__(QUADS_THREADS) quads_kernel(Pass pass, size_t n)
{
    bool idle = pass.idle();

    if (!idle)
        quads_tile(pass, blockIdx.x, n / 4);
    if (blockIdx.x)
        return;
    if (!idle && threadIdx.x < n % 4)
        pass.one(n - n % 4 + threadIdx.x);
    if (threadIdx.x == 0)
        pass.last();
}

/* The largest word of a block, in thread 0. */
__device__ static inline uint32_t quads_block_most(uint32_t most)
{
    __shared__ uint32_t of_warp[QUADS_THREADS / 32];

    for (int half = 16; half; half /= 2)
        most = max(most, __shfl_xor_sync(0xffffffffu, most, half));
    if (threadIdx.x % 32 == 0)
        of_warp[threadIdx.x / 32] = most;
    __syncthreads();
    for (int warp = 1; threadIdx.x == 0 && warp < QUADS_THREADS / 32; warp++)
        most = max(most, of_warp[warp]);
    return most;
}

/* 'most' becomes the largest of itself and the words of the pass. */
template <class Pass>
__global__ static void __launch_bounds__(QUADS_THREADS) quads_most_kernel(Pass pass, size_t n, uint32_t *most)
{
    size_t quads = n / 4;
    uint32_t mine = 0;

    for (size_t tile = blockIdx.x; tile * QUADS_TILE < quads; tile += gridDim.x)
        mine = max(mine, quads_tile(pass, tile, quads));
    if (blockIdx.x == 0 && threadIdx.x < n % 4)
        mine = max(mine, pass.one(n - n % 4 + threadIdx.x));
    mine = quads_block_most(mine);
    if (threadIdx.x == 0 && mine)
        atomicMax(most, mine);
}

static inline unsigned quads_blocks(size_t n)
{
    size_t blocks = (n / 4 + QUADS_TILE - 1) / QUADS_TILE;

    return blocks ? static_cast<unsigned>(blocks) : 1;
}

template <class Pass> static inline void quads_run(cudaStream_t on, const Pass &pass, size_t n)
{
    NW_LAUNCH(quads_kernel<Pass>, quads_blocks(n), QUADS_THREADS, 0, on, pass, n);
}

/* As many blocks as a large device holds at once: the atomic operations at their ends are few. */
template <class Pass> static inline void quads_most(cudaStream_t on, const Pass &pass, size_t n, uint32_t *most)
{
    unsigned blocks = quads_blocks(n);

    NW_LAUNCH(quads_most_kernel<Pass>, blocks < 1056 ? blocks : 1056, QUADS_THREADS, 0, on, pass, n, most);
}

/* Bytes of a word at an address on no boundary. */
__device__ static inline void quads_put_word(uint8_t *to, uint32_t word)
{
    for (int j = 0; j < 4; j++)
        to[j] = static_cast<uint8_t>(word >> (8 * j));
}

__device__ static inline uint32_t quads_get_word(const uint8_t *from)
{
    return from[0] | static_cast<uint32_t>(from[1]) << 8 | static_cast<uint32_t>(from[2]) << 16 |
           static_cast<uint32_t>(from[3]) << 24;
}

#endif
