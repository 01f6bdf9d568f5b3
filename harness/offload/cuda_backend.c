#include "harness/offload/cuda_backend.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/status.h"
#include "kernels/adt/device.h"

struct cuda_backend {
    struct backend base;
    cudaStream_t streams[BACKEND_NQUEUES];
    cudaEvent_t *events;
    int nevents;
};

static int check(cudaError_t failed, const char *call)
{
    if (!failed)
        return NW_OK;
    fprintf(stderr, "offload: %s: %s\n", call, cudaGetErrorString(failed));
    cudaGetLastError(); /* so that it is reported once */
    return failed == cudaErrorMemoryAllocation ? NW_ENOMEM : NW_EENV;
}

static void *cuda_alloc(struct backend *base, enum backend_memory kind, size_t nbytes)
{
    void *p = NULL;

    (void)base;
    if (kind == BACKEND_PINNED)
        return check(cudaHostAlloc(&p, nbytes, cudaHostAllocDefault), "cudaHostAlloc") ? NULL : p;
    return check(cudaMalloc(&p, nbytes), "cudaMalloc") ? NULL : p;
}

static void cuda_release(struct backend *base, enum backend_memory kind, void *p)
{
    (void)base;
    if (kind == BACKEND_PINNED)
        cudaFreeHost(p);
    else
        cudaFree(p);
}

static int cuda_prepare(struct backend *base, int nevents)
{
    struct cuda_backend *b = (struct cuda_backend *)base;
    int rc = NW_OK;

    b->events = calloc((size_t)nevents, sizeof(*b->events));
    if (!b->events)
        return status_error(NW_ENOMEM, "offload: no memory for %d events\n", nevents);
    while (b->nevents < nevents && !rc) {
        rc = check(cudaEventCreateWithFlags(&b->events[b->nevents], cudaEventDisableTiming), "cudaEventCreate");
        b->nevents += !rc;
    }
    return rc;
}

static int cuda_copy(struct backend *base, enum backend_queue q, void *dst, const void *src, size_t nbytes)
{
    struct cuda_backend *b = (struct cuda_backend *)base;
    enum cudaMemcpyKind kind = q == QUEUE_TO_HOST ? cudaMemcpyDeviceToHost : cudaMemcpyHostToDevice;

    return check(cudaMemcpyAsync(dst, src, nbytes, kind, b->streams[q]), "cudaMemcpyAsync");
}

static int cuda_unpack(struct backend *base, void *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    struct cuda_backend *b = (struct cuda_backend *)base;

    adt_unpack_cuda_on(dst, src, n, bytes_per_weight, b->streams[QUEUE_UNPACK]);
    return check(cudaGetLastError(), "launching the unpack kernel");
}

static int cuda_launch(struct backend *base, backend_work_fn *work, void *arg)
{
    struct cuda_backend *b = (struct cuda_backend *)base;

    work(arg, b->streams[QUEUE_COMPUTE]);
    return check(cudaGetLastError(), "launching work");
}

static int cuda_record(struct backend *base, enum backend_queue q, int event)
{
    struct cuda_backend *b = (struct cuda_backend *)base;

    return check(cudaEventRecord(b->events[event], b->streams[q]), "cudaEventRecord");
}

static int cuda_follow(struct backend *base, enum backend_queue q, int event)
{
    struct cuda_backend *b = (struct cuda_backend *)base;

    return check(cudaStreamWaitEvent(b->streams[q], b->events[event], 0), "cudaStreamWaitEvent");
}

static int cuda_done(struct backend *base, int event)
{
    struct cuda_backend *b = (struct cuda_backend *)base;
    cudaError_t state = cudaEventQuery(b->events[event]);

    if (state == cudaErrorNotReady)
        return 0;
    return state ? check(state, "cudaEventQuery") : 1;
}

static int cuda_wait(struct backend *base, int event)
{
    struct cuda_backend *b = (struct cuda_backend *)base;

    return check(cudaEventSynchronize(b->events[event]), "cudaEventSynchronize");
}

static int cuda_drain(struct backend *base)
{
    struct cuda_backend *b = (struct cuda_backend *)base;
    int rc = NW_OK;

    for (int q = 0; q < BACKEND_NQUEUES && !rc; q++)
        rc = check(cudaStreamSynchronize(b->streams[q]), "cudaStreamSynchronize");
    return rc;
}

static void cuda_close(struct backend *base)
{
    struct cuda_backend *b = (struct cuda_backend *)base;

    for (int i = 0; i < b->nevents; i++)
        cudaEventDestroy(b->events[i]);
    for (int q = 0; q < BACKEND_NQUEUES; q++)
        if (b->streams[q])
            cudaStreamDestroy(b->streams[q]);
    free(b->events);
    free(b);
}

static const struct backend_ops cuda_ops = {
    .name = "cuda",
    .alloc = cuda_alloc,
    .release = cuda_release,
    .prepare = cuda_prepare,
    .copy = cuda_copy,
    .unpack = cuda_unpack,
    .launch = cuda_launch,
    .record = cuda_record,
    .follow = cuda_follow,
    .done = cuda_done,
    .wait = cuda_wait,
    .drain = cuda_drain,
    .close = cuda_close,
};

int cuda_backend_open(struct backend **out)
{
    struct cuda_backend *b;
    int rc = NW_OK;

    *out = NULL;
    if (!usable_cuda())
        return status_error(NW_EENV, "offload: no CUDA device that this build has code for\n");
    b = calloc(1, sizeof(*b));
    if (!b)
        return status_error(NW_ENOMEM, "offload: out of memory\n");
    b->base.ops = &cuda_ops;
    for (int q = 0; q < BACKEND_NQUEUES && !rc; q++)
        rc = check(cudaStreamCreateWithFlags(&b->streams[q], cudaStreamNonBlocking), "cudaStreamCreate");
    if (rc)
        cuda_close(&b->base);
    else
        *out = &b->base;
    return rc;
}

/* Whoever launched the work checks for errors. */
void cuda_copy_within(void *dst, const void *src, size_t nbytes, void *stream)
{
    cudaMemcpyAsync(dst, src, nbytes, cudaMemcpyDeviceToDevice, stream);
}
