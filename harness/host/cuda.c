#include "harness/host/cuda.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

bool cuda_built(void)
{
    return true;
}

const char *cuda_runtime_version(void)
{
    static char text[16];
    int version = 0;

    cudaRuntimeGetVersion(&version);
    snprintf(text, sizeof(text), "%d.%d", version / 1000, version % 1000 / 10);
    return text;
}

size_t cuda_devices(struct cuda_device *devices, size_t max, const char **why)
{
    int count = 0;
    cudaError_t failed = cudaGetDeviceCount(&count);

    *why = failed ? cudaGetErrorString(failed) : "the driver lists no device";
    if (failed)
        return 0;
    for (int i = 0; i < count && (size_t)i < max; i++) {
        struct cudaDeviceProp p = { 0 };

        cudaGetDeviceProperties(&p, i);
        snprintf(devices[i].name, sizeof(devices[i].name), "%.*s", (int)sizeof(devices[i].name) - 1, p.name);
        devices[i].major = p.major;
        devices[i].minor = p.minor;
        devices[i].memory_bytes = (int64_t)p.totalGlobalMem;
    }
    return (size_t)count;
}
