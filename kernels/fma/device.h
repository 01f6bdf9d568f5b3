/* device.h - the CUDA row of fma_impls. C linkage, so that nvcc's C++ and the C of impls.c agree. */
#ifndef NARROWS_KERNELS_FMA_DEVICE_H
#define NARROWS_KERNELS_FMA_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/gemm/fma_mode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool fma_cuda_usable(void);
void fma_cuda(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n);

#ifdef __cplusplus
}
#endif

#endif
