#include "harness/bench/device.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdio.h>

static cudaEvent_t started, stopped;

bool device_present(const char **why)
{
    int count = 0;
    cudaError_t failed = cudaGetDeviceCount(&count);

    *why = failed ? cudaGetErrorString(failed) : count ? "" : "the driver lists no device";
    if (failed)
        cudaGetLastError(); /* a question is no error */
    return !failed && count > 0;
}

const char *device_name(void)
{
    static char name[128];
    struct cudaDeviceProp p = { 0 };
    int device = 0;

    cudaGetDevice(&device);
    cudaGetDeviceProperties(&p, device);
    snprintf(name, sizeof(name), "%.*s", (int)sizeof(name) - 1, p.name);
    return name;
}

void *device_alloc(size_t nbytes)
{
    void *p = NULL;

    return cudaMalloc(&p, nbytes) ? NULL : p;
}

void device_free(void *p)
{
    cudaFree(p);
}

void device_fill(void *dst, int byte, size_t nbytes)
{
    cudaMemset(dst, byte, nbytes);
}

void device_write(void *dst, const void *src, size_t nbytes)
{
    cudaMemcpy(dst, src, nbytes, cudaMemcpyHostToDevice);
}

void device_read(void *dst, const void *src, size_t nbytes)
{
    cudaMemcpy(dst, src, nbytes, cudaMemcpyDeviceToHost);
}

void device_copy(void *dst, const void *src, size_t nbytes)
{
    cudaMemcpyAsync(dst, src, nbytes, cudaMemcpyDeviceToDevice, 0);
}

void device_start(void)
{
    if (!started) {
        cudaEventCreate(&started);
        cudaEventCreate(&stopped);
    }
    cudaEventRecord(started, 0);
}

double device_stop_s(void)
{
    float ms = 0;

    cudaEventRecord(stopped, 0);
    cudaEventSynchronize(stopped);
    cudaEventElapsedTime(&ms, started, stopped);
    return 1e-3 * (double)ms;
}

const char *device_error(void)
{
    cudaError_t late = cudaDeviceSynchronize(), failed = cudaGetLastError();

    failed = failed ? failed : late;
    return failed ? cudaGetErrorString(failed) : NULL;
}
