/* rows.h - the backends that a build may have, for the table in backends.c only; each exists if its condition holds. */
#ifndef NARROWS_TRAIN_OPS_ROWS_H
#define NARROWS_TRAIN_OPS_ROWS_H

#include "train/ops/ops.h"

#ifdef __cplusplus
extern "C" {
#endif
extern const struct ops_backend ops_cuda; /* NW_OPS_CUDA: CUDA with cuDNN */
extern const struct ops_backend ops_dnnl; /* NW_OPS_DNNL: oneDNN on the CPU's cores */
extern const struct ops_backend ops_gemm; /* products of kernels/gemm, always */
#ifdef __cplusplus
}
#endif

#endif
