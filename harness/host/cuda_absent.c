/* cuda_absent.c - a build without CUDA. */
#include "harness/host/cuda.h"

bool cuda_built(void)
{
    return false;
}

const char *cuda_runtime_version(void)
{
    return "";
}

size_t cuda_devices(struct cuda_device *devices, size_t max, const char **why)
{
    (void)devices;
    (void)max;
    *why = "this program was built without CUDA";
    return 0;
}
