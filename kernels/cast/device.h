/* device.h - the CUDA rows of cast_impls and of the codecs. C linkage, so that nvcc's C++ and C agree. */
#ifndef NARROWS_KERNELS_CAST_DEVICE_H
#define NARROWS_KERNELS_CAST_DEVICE_H

#include <stdbool.h>

#include "kernels/codec/codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool cast_cuda_usable(void);
void bf16_narrow_cuda(uint16_t *dst, const float *src, size_t n);
void bf16_widen_cuda(float *dst, const uint16_t *src, size_t n);
void bf16_round_cuda(float *dst, const float *src, size_t n);
void fp16_narrow_cuda(uint16_t *dst, const float *src, size_t n);
void fp16_widen_cuda(float *dst, const uint16_t *src, size_t n);

void bf16_compress_cuda(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n, const struct codec_params *p,
                        void *state, void *work);
void bf16_decompress_cuda(float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes,
                          const struct codec_params *p, void *work, int *fault);
void fp16_compress_cuda(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n, const struct codec_params *p,
                        void *state, void *work);
void fp16_decompress_cuda(float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes,
                          const struct codec_params *p, void *work, int *fault);

#ifdef __cplusplus
}
#endif

#endif
