/* device.h - the CUDA row of select_impls. C linkage, so that nvcc's C++ and the C of impls.c agree. All that is given by
 * address is device memory, *r too. */
#ifndef NARROWS_KERNELS_SELECT_DEVICE_H
#define NARROWS_KERNELS_SELECT_DEVICE_H

#include <stdbool.h>

#include "kernels/select/select.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool select_cuda_usable(void);
void select_kth_cuda(struct select_result *r, const float *x, size_t n, size_t k, void *work);
/* Does nothing where *wanted is 0. */
void select_kth_if_cuda(const uint32_t *wanted, struct select_result *r, const float *x, size_t n, size_t k,
                        void *work);
void select_top_cuda(struct select_result *r, uint64_t *bitmap, float *values, const float *x, size_t n, size_t k,
                     void *work);

#ifdef __cplusplus
}
#endif

#endif
