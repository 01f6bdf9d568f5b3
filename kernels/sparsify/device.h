/* device.h - the CUDA row of the codec "sparsify". C linkage, so that nvcc's C++ and the C of impls.c agree. The parameters are
 * host memory and read before a call returns; all else that is given by address is device memory. */
#ifndef NARROWS_KERNELS_SPARSIFY_DEVICE_H
#define NARROWS_KERNELS_SPARSIFY_DEVICE_H

#include <stdbool.h>

#include "kernels/codec/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool sparsify_cuda_usable(void);
void sparsify_compress_cuda(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                            const struct codec_params *p, void *state, void *work);
void sparsify_expand_cuda(float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes,
                          const struct codec_params *p, void *work, int *fault);

#ifdef __cplusplus
}
#endif

#endif
