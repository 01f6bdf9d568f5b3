/* usable.cu - is there a device for the code of this build? A device may be there and too old or too new: ask the
 * driver whether it has code for a kernel. All kernels are compiled for the same architectures, so one of them will
 * do. */
#include "kernels/shared/impl.h"

#include "kernels/shared/launch.cuh"

__global__ static void probe()
{
}

bool usable_cuda(void)
{
    int count = 0;
    cudaFuncAttributes attributes;
    bool usable = cudaGetDeviceCount(&count) == cudaSuccess && count > 0 &&
                  cudaFuncGetAttributes(&attributes, probe) == cudaSuccess;

    if (!usable)
        cudaGetLastError(); /* a question is no error */
    return usable;
}
