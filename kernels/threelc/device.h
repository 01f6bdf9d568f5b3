/* device.h - the CUDA rows of codec_3lc, codec_3lc_quartic and threelc_pull_impls. C linkage, so that nvcc's C++ and the C
 * of impls.c agree. */
#ifndef NARROWS_KERNELS_THREELC_DEVICE_H
#define NARROWS_KERNELS_THREELC_DEVICE_H

#include <stdbool.h>

#include "kernels/codec/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool threelc_cuda_usable(void);
void threelc_runs_compress_cuda(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                                const struct codec_params *p, void *state, void *work);
void threelc_runs_decompress_cuda(float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes,
                                  const struct codec_params *p, void *work, int *fault);
void threelc_quartic_compress_cuda(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                                   const struct codec_params *p, void *state, void *work);
void threelc_quartic_decompress_cuda(float *values, size_t n, enum codec_into into, const uint8_t *payload,
                                     size_t nbytes, const struct codec_params *p, void *work, int *fault);
/* A pull is decompressed like a push. */
void threelc_pull_compress_cuda(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                                const struct codec_params *p, void *state, void *work);

#ifdef __cplusplus
}
#endif

#endif
