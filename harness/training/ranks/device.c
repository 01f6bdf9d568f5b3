#include "harness/training/ranks/device.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <string.h>

bool device_current(struct device *out)
{
    struct cudaDeviceProp p;
    char place[32];
    int device;

    if (cudaGetDevice(&device) || cudaGetDeviceProperties(&p, device) ||
        cudaDeviceGetPCIBusId(place, sizeof(place), device))
        return false;
    _Static_assert(sizeof(p.uuid) == sizeof(out->uuid), "one is copied to the other");
    memcpy(out->uuid, &p.uuid, sizeof(out->uuid));
    snprintf(out->name, sizeof(out->name), "%.60s at %s", p.name, place);
    return true;
}

bool device_done(void *stream)
{
    cudaError_t state = cudaStreamQuery(stream);

    if (state == cudaErrorNotReady)
        cudaGetLastError(); /* a question is no error */
    return state != cudaErrorNotReady;
}
