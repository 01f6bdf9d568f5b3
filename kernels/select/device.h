/* device.h - the CUDA row of select_impls. C linkage, so that nvcc's C++ and the C of impls.c agree. All pointers are
 * to device memory, r too. 'stream' is a cudaStream_t, NULL for the default stream. */
#ifndef NARROWS_KERNELS_SELECT_DEVICE_H
#define NARROWS_KERNELS_SELECT_DEVICE_H

#include <stdbool.h>

#include "kernels/select/select.h"

IMPL_C select_kth_fn select_kth_cuda;
IMPL_C select_top_fn select_top_cuda;
/* Does nothing where *wanted is 0. */
IMPL_C void select_kth_if_cuda(void *stream, const uint32_t *wanted, struct select_result *r, const float *x, size_t n,
                               size_t k, void *work);

#endif
