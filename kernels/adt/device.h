/* device.h - the CUDA row of adt_impls. C linkage, so that nvcc's C++ and the C of impls.c agree. */
#ifndef NARROWS_KERNELS_ADT_DEVICE_H
#define NARROWS_KERNELS_ADT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool adt_cuda_usable(void);
void adt_pack_cuda(uint8_t *dst, const void *src, size_t n, int keep);
void adt_unpack_cuda(void *dst, const uint8_t *src, size_t n, int keep);

#ifdef __cplusplus
}
#endif

#endif
