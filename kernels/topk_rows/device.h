/* device.h - the CUDA rows of topk_impls and of the codec "dct-mp". C linkage, so that nvcc's C++ and the C of impls.c
 * agree. The parameters are host memory and read before a call returns; all else that is given by address is device
 * memory. No work is needed. */
#ifndef NARROWS_KERNELS_TOPK_ROWS_DEVICE_H
#define NARROWS_KERNELS_TOPK_ROWS_DEVICE_H

#include <stdbool.h>

#include "kernels/codec/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool topk_cuda_usable(void);
void topk_select_cuda(uint64_t *mask, float *values, const float *x, size_t rows, size_t columns, size_t kept,
                      void *work);
void topk_gather_cuda(float *values, const uint64_t *mask, const float *x, size_t rows, size_t columns, size_t kept);
void topk_scatter_cuda(float *x, enum codec_into into, const uint64_t *mask, const float *values, size_t rows,
                       size_t columns, size_t kept);
void topk_compress_cuda(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n, const struct codec_params *p,
                        void *state, void *work);
void topk_expand_cuda(float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes,
                      const struct codec_params *p, void *work, int *fault);

#ifdef __cplusplus
}
#endif

#endif
