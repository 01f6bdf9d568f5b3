/* cuda_calls.c - the linker sends this program's calls here first (--wrap). */
#include "tests/offload/cuda_calls.h"

#include <cuda_runtime_api.h>

#include "harness/offload/cuda_backend.h"
#include "tests/offload/jobs.h"

long cuda_forbidden_calls;

void cuda_copy_on(void *arg, void *stream)
{
    const struct device_copy *c = arg;

    cuda_copy_within(c->dst, c->src, c->nbytes, stream);
}

#define COUNTED(name, parameters, arguments) \
    cudaError_t __real_##name parameters;    \
    cudaError_t __wrap_##name parameters;    \
    cudaError_t __wrap_##name parameters     \
    {                                        \
        cuda_forbidden_calls++;              \
        return __real_##name arguments;      \
    }

COUNTED(cudaMalloc, (void **p, size_t n), (p, n))
COUNTED(cudaMallocHost, (void **p, size_t n), (p, n))
COUNTED(cudaHostAlloc, (void **p, size_t n, unsigned flags), (p, n, flags))
COUNTED(cudaMallocAsync, (void **p, size_t n, cudaStream_t stream), (p, n, stream))
COUNTED(cudaHostRegister, (void *p, size_t n, unsigned flags), (p, n, flags))
COUNTED(cudaFree, (void *p), (p))
COUNTED(cudaFreeHost, (void *p), (p))
COUNTED(cudaDeviceSynchronize, (void), ())
COUNTED(cudaStreamSynchronize, (cudaStream_t stream), (stream))
COUNTED(cudaMemcpy, (void *dst, const void *src, size_t n, enum cudaMemcpyKind kind), (dst, src, n, kind))
