/* device.h - the CUDA row of anchor_impls. C linkage, so that nvcc's C++ and the C of impls.c agree. */
#ifndef NARROWS_KERNELS_ANCHOR_DEVICE_H
#define NARROWS_KERNELS_ANCHOR_DEVICE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

bool anchor_cuda_usable(void);
void anchor_copy_cuda(float *y, const float *x, size_t n);
void anchor_update_cuda(float *y, const float *x, size_t n);
void anchor_scale_cuda(float *y, size_t n);
void anchor_read_cuda(float *result, const float *x, size_t n);

#ifdef __cplusplus
}
#endif

#endif
