#include "train/ops/cuda/runtime.h"

#include <cuda_runtime_api.h>

void *runtime_alloc(size_t nbytes)
{
    void *p = NULL;

    return cudaMalloc(&p, nbytes) ? NULL : p;
}

void runtime_free(void *p)
{
    cudaFree(p);
}

void runtime_zero(void *p, size_t nbytes, void *stream)
{
    cudaMemsetAsync(p, 0, nbytes, stream);
}

void runtime_upload(void *to, const void *from_host, size_t nbytes, void *stream)
{
    cudaMemcpyAsync(to, from_host, nbytes, cudaMemcpyHostToDevice, stream);
}

void runtime_download(void *to_host, const void *from, size_t nbytes, void *stream)
{
    cudaMemcpyAsync(to_host, from, nbytes, cudaMemcpyDeviceToHost, stream);
}

void runtime_finish(void *stream)
{
    cudaStreamSynchronize(stream);
}

/* struct runtime_mark is the runtime's own event. */
struct runtime_mark *runtime_mark_new(void)
{
    cudaEvent_t event = NULL;

    return cudaEventCreateWithFlags(&event, cudaEventDisableTiming) ? NULL : (struct runtime_mark *)event;
}

void runtime_mark_free(struct runtime_mark *m)
{
    if (m)
        cudaEventDestroy((cudaEvent_t)m);
}

void runtime_mark_set(struct runtime_mark *m, void *stream)
{
    cudaEventRecord((cudaEvent_t)m, stream);
}

void runtime_mark_wait(struct runtime_mark *m, void *stream)
{
    cudaStreamWaitEvent(stream, (cudaEvent_t)m, 0);
}

const char *runtime_error(void)
{
    cudaError_t failed = cudaGetLastError();

    return failed ? cudaGetErrorString(failed) : NULL;
}
