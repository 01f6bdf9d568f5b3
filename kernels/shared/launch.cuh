/* launch.cuh - how a cuda.cu starts its kernels, so that any C++ compiler can read the file. Include it after the
 * folder's own headers, instead of cuda_runtime.h.
 * Two ways   nvcc compiles a cuda.cu for the device. An ordinary C++ compiler compiles the same file for the tests of
 *            tests/emulation, whose cuda_runtime.h runs a kernel's threads one after another on the processor: real
 *            barriers, shuffles, votes and atomics, in an order that the test chooses. Nothing but these two macros
 *            has to be written in another way than CUDA has it.
 * Launch     NW_LAUNCH(kernel, blocks, threads, shared_bytes, stream, arguments...): kernel<<<...>>>(arguments...).
 *            'blocks' and 'threads' are numbers or dim3. A kernel whose template arguments contain a comma stands in
 *            parentheses: NW_LAUNCH((quantize<4, true>), ...).
 * Streams    whatever a row's function launches or fills goes to stream_of() its struct impl, in order.
 * Shared     __shared__ is used as ever, in functions that are static (functions of a template too). Shared memory
 *            whose size is given with the launch is declared with NW_SHARED(type, name): an array of 'type', aligned
 *            to 16 bytes, the same memory for every name in a kernel.
 * Emulated   C++14, dim3 indices, uint4 and its like, warp functions with _sync, __syncthreads(), __syncwarp(),
 *            atomics, fences, bit and rounding intrinsics, __ldg and the cache hints. Not emulated: bf16 and half
 *            types, inline PTX, wmma, cooperative groups, textures, managed memory, kernels that start kernels. A file
 *            that needs those is compiled by nvcc alone.
 * Order      Blocks run one after another in any order: a block may wait only for a block that has started before, so
 *            take the number of a block that waits from an atomic counter and not from blockIdx. */
#ifndef NARROWS_KERNELS_SHARED_LAUNCH_CUH
#define NARROWS_KERNELS_SHARED_LAUNCH_CUH

#include <cuda_runtime.h>

#include "kernels/shared/impl.h"

/* NULL: the default stream. */
static inline cudaStream_t stream_of(const struct impl *im)
{
    return im ? static_cast<cudaStream_t>(const_cast<void *>(im->with)) : 0;
}

#ifdef __CUDACC__
#define NW_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...) \
    kernel<<<(blocks), (threads), (shared_bytes), (stream)>>>(__VA_ARGS__)
#define NW_SHARED(type, name) extern __shared__ __align__(16) type name[]
#else
#define NW_LAUNCH(kernel, blocks, threads, shared_bytes, stream, ...) \
    emulation_launch(kernel, (blocks), (threads), (shared_bytes), (stream), ##__VA_ARGS__)
#define NW_SHARED(type, name) type *const name = static_cast<type *>(emulation_shared())
#endif

/* How many blocks of 1024 threads fit a multiprocessor, for __launch_bounds__. */
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ == 750 || __CUDA_ARCH__ == 860 || __CUDA_ARCH__ == 870 || \
                               __CUDA_ARCH__ == 890 || __CUDA_ARCH__ >= 1200)
#define NW_BLOCKS_OF_1024 1
#else
#define NW_BLOCKS_OF_1024 2
#endif

#endif
