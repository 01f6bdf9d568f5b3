/* fma.h - the fused multiply-add under the GEMM, value by value: d[i] = a[i] * b[i] + c[i] in FP32, MP or BF16 (Figure
 * 1 of the paper that kernels/gemm/gemm.h names), as kernels/gemm/fma_lane.h defines it; BF16DOT has no such form.
 * Shapes     n floats each, in every mode; in BF16 d has its lower 16 bits zero.
 * Alignment  of a float.
 * Overlap    d may be a, b or c itself; otherwise they do not overlap. a, b and c may be one another.
 * Threads    a parallel row uses as many OpenMP threads as omp_get_max_threads() says; the others use the caller.
 * Errors     none. A device row returns before its work is done and leaves a failed launch in cudaGetLastError(). */
#ifndef NARROWS_KERNELS_FMA_FMA_H
#define NARROWS_KERNELS_FMA_FMA_H

#include <stddef.h>

#include "kernels/gemm/fma_mode.h"
#include "kernels/shared/impl.h"

/* 'im' is the row's (kernels/shared/impl.h). */
typedef void fma_fn(const struct impl *im, enum fma_mode mode, float *d, const float *a, const float *b, const float *c,
                    size_t n);

struct fma_impl {
    struct impl impl;
    fma_fn *run;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct fma_impl fma_impls[];

IMPL_C fma_fn fma_cuda;

/* a * b + c with a, b and c rounded to bf16, and the exact sum rounded to bf16 once: what a bf16 unit computes. NaN are
 * 0x7fc00000. FMA_BF16 rounds to fp32 in between, and so it may take a sum that lies close to the middle of two bf16
 * for that middle. */
float fma_bf16_once(float a, float b, float c);

/* In how many of the n triples the bits of FMA_BF16 are not those of fma_bf16_once(). */
size_t fma_rounded_twice(const float *a, const float *b, const float *c, size_t n);

#endif
