/* device.h - the CUDA row of gemm_impls. C linkage, so that nvcc's C++ and the C of impls.c agree. struct gemm_problem
 * is in host memory and is read before the call returns; its matrices are in device memory. */
#ifndef NARROWS_KERNELS_GEMM_DEVICE_H
#define NARROWS_KERNELS_GEMM_DEVICE_H

#include "kernels/gemm/problem.h"
#include "kernels/shared/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

/* All modes; no work is needed. */
size_t gemm_cuda_work(const struct impl *im, const struct gemm_problem *p);
void gemm_cuda(const struct impl *im, const struct gemm_problem *p, void *work);
/* The same on the caller's stream (a cudaStream_t). */
void gemm_cuda_on(const struct gemm_problem *p, void *stream);

#ifdef __cplusplus
}
#endif

#endif
