/* device.h - the CUDA row of gemm_impls. C linkage, so that nvcc's C++ and the C of impls.c agree. The problem itself is
 * host memory and read before the call returns; its matrices are device memory. */
#ifndef NARROWS_KERNELS_GEMM_DEVICE_H
#define NARROWS_KERNELS_GEMM_DEVICE_H

#include "kernels/gemm/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device that can run the code of this build? Asks the driver, without leaving an error behind. */
bool gemm_cuda_usable(void);
/* All modes; no work is needed. */
size_t gemm_cuda_work(const struct gemm_problem *p);
void gemm_cuda(const struct gemm_problem *p, void *work);
/* The same on a stream of the caller's (a cudaStream_t). */
void gemm_cuda_on(const struct gemm_problem *p, void *stream);

#ifdef __cplusplus
}
#endif

#endif
