/* device.h - sends the values above a threshold, on the device. C linkage, so that nvcc's C++ and C agree. It is not a
 * row of sparse_impls: those return an error, which a device cannot without a wait. The codecs that use it have a row
 * each.
 * Memory     all pointers are to device memory, 'keep', 'nbytes' and 'error' too; 'payload' and 'work' start on a
 *            64-byte boundary and 'work' has sparse_work(n) bytes. Nothing is allocated, nothing is waited for: the
 *            calls work on 'stream' (a cudaStream_t; NULL: the default stream), in order.
 * Expand     goes on only if *error is CODEC_OK after the checks; else 'values' are untouched. */
#ifndef NARROWS_KERNELS_SPARSE_DEVICE_H
#define NARROWS_KERNELS_SPARSE_DEVICE_H

#include <stdbool.h>

#include "kernels/sparse/sparse.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Compressing leaves the bytes from here to 64 of its work alone: space for a caller's 'keep'. */
enum { SPARSE_DEVICE_KEEP = 32 };

void sparse_compress_cuda(void *stream, uint8_t *payload, uint64_t *nbytes, float *error, const float *change, size_t n,
                          const struct sparse_keep *keep, enum sparse_form form, void *work);
/* Adds 'change' only where *added is 0. */
void sparse_compress_if_cuda(void *stream, const uint32_t *added, uint8_t *payload, uint64_t *nbytes, float *error,
                             const float *change, size_t n, const struct sparse_keep *keep, enum sparse_form form,
                             void *work);
/* Bitmap, in whole words, and values of what sparse_keeps() names; x stays as it is. */
void sparse_mask_cuda(void *stream, uint64_t *bitmap, float *values, const float *x, size_t n,
                      const struct sparse_keep *keep, void *work);
void sparse_expand_cuda(void *stream, float *values, size_t n, enum codec_into into, const uint8_t *payload,
                        size_t nbytes, enum sparse_form form, void *work, int *error);

#ifdef __cplusplus
}
#endif

#endif
