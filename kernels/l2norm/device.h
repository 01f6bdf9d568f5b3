/* device.h - the CUDA row of l2norm_impls. C linkage, so that nvcc's C++ and the C of impls.c agree. */
#ifndef NARROWS_KERNELS_L2NORM_DEVICE_H
#define NARROWS_KERNELS_L2NORM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool l2norm_cuda_usable(void);
void l2norm_cuda(double *norm, const float *weights, size_t n, double *work);

#ifdef __cplusplus
}
#endif

#endif
