/* check.cuh - is there a byte in a payload that must not be? Sixteen bytes at a time, those before the first
 * boundary and behind the last one by one. */
#ifndef NARROWS_KERNELS_SHARED_CHECK_CUH
#define NARROWS_KERNELS_SHARED_CHECK_CUH

#include <stdbool.h>

#include "kernels/codec/codec.h"
#include "kernels/shared/quads.cuh"

/* Has a word a byte of 128? */
struct byte_is_128 {
    static __device__ bool in(uint32_t word)
    {
        uint32_t zero = word ^ 0x80808080u;

        return ((zero - 0x01010101u) & ~zero & 0x80808080u) != 0;
    }
};

/* Has a word a byte above 242? Such a one has its highest bit, and at least 115 below it. */
struct byte_above_242 {
    static __device__ bool in(uint32_t word)
    {
        return (word & ((word & 0x7f7f7f7fu) + 0x0d0d0d0du) & 0x80808080u) != 0;
    }
};

template <class Bad>
__global__ static void __launch_bounds__(QUADS_THREADS) check_kernel(const uint8_t *bytes, size_t n, int *error)
{
    size_t step = static_cast<size_t>(gridDim.x) * QUADS_THREADS;
    size_t first = static_cast<size_t>(blockIdx.x) * QUADS_THREADS + threadIdx.x;
    size_t head = min(n, static_cast<size_t>(16 - reinterpret_cast<uintptr_t>(bytes) % 16) % 16),
           tail = (n - head) % 16;
    bool bad = false;

#pragma unroll 4
    for (size_t i = first; i < (n - head) / 16; i += step) {
        uint4 v = reinterpret_cast<const uint4 *>(bytes + head)[i];

        bad |= Bad::in(v.x) | Bad::in(v.y) | Bad::in(v.z) | Bad::in(v.w);
    }
    if (first < head)
        bad |= Bad::in(bytes[first]);
    if (first < tail)
        bad |= Bad::in(bytes[n - tail + first]);
    if (bad)
        *error = CODEC_CONTENT;
}

/* *error becomes CODEC_CONTENT if there is one among n bytes, and is left alone otherwise. */
template <class Bad> static inline void check_bytes(cudaStream_t on, const uint8_t *bytes, size_t n, int *error)
{
    size_t blocks = n / 16 / QUADS_THREADS + 1;

    NW_LAUNCH(check_kernel<Bad>, static_cast<unsigned>(blocks < 2112 ? blocks : 2112), QUADS_THREADS, 0, on, bytes, n,
              error);
}

#endif
