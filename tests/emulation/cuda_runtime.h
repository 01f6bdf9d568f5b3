/* cuda_runtime.h - CUDA's words for a C++ compiler that knows none of them; see emulation.h. */
#ifndef NARROWS_TESTS_EMULATION_CUDA_RUNTIME_H
#define NARROWS_TESTS_EMULATION_CUDA_RUNTIME_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/emulation/emulation.h"

/* Shared memory is a variable of the program, since one block runs at a time; see shared.ld. */
#define __shared__ static
#define __global__
#define __device__
#define __host__
#define __constant__
#define __forceinline__ inline
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)

#include "tests/emulation/cuda_types.h"

#define threadIdx emulation_thread
#define blockIdx emulation_block
#define blockDim emulation_block_size
#define gridDim emulation_grid_size
static const int warpSize = 32;

/* --- launches and the runtime ------------------------------------------------------------------------------------ */

typedef struct emulated_stream *cudaStream_t;
typedef enum { cudaSuccess, cudaErrorInvalidValue, cudaErrorInvalidConfiguration = 9 } cudaError_t;
struct cudaFuncAttributes {
    size_t sharedSizeBytes;
    int maxThreadsPerBlock, numRegs;
};

template <class T> struct emulated_same {
    typedef T type;
};

/* Arguments are converted and copied once, as a launch does. */
template <class... P>
void emulation_launch(void (*kernel)(P...), dim3 blocks, dim3 threads, size_t shared_bytes, cudaStream_t stream,
                      typename emulated_same<P>::type... arguments)
{
    auto body = [=]() { kernel(arguments...); };
    struct call {
        static void run(void *it)
        {
            (*static_cast<decltype(body) *>(it))();
        }
    };

    emulation_on_stream(stream);
    emulation_run({ blocks.x, blocks.y, blocks.z }, { threads.x, threads.y, threads.z }, shared_bytes, call::run,
                  &body);
}

static inline cudaError_t cudaGetLastError()
{
    return emulation_error() ? cudaErrorInvalidConfiguration : cudaSuccess;
}

static inline cudaError_t cudaGetDeviceCount(int *count)
{
    *count = 1;
    return cudaSuccess;
}

template <class F> cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, F *)
{
    *attributes = cudaFuncAttributes();
    return cudaSuccess;
}

static inline cudaError_t cudaMemsetAsync(void *to, int value, size_t size, cudaStream_t stream = 0)
{
    emulation_on_stream(stream);
    memset(to, value, size);
    return cudaSuccess;
}

enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};

static inline cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t size, cudaMemcpyKind,
                                          cudaStream_t stream = 0)
{
    emulation_on_stream(stream);
    memcpy(to, from, size);
    return cudaSuccess;
}

#include "tests/emulation/cuda_arithmetic.h"
#include "tests/emulation/cuda_threads.h"

#endif
