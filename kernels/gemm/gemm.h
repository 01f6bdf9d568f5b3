/* gemm.h - matrix products in the precisions of "A Dynamic Approach to Accelerate Deep Learning Training"
 * (Figure 1 and sections 4 and 5.3): FP32, MP (bf16 in, fp32 accumulators), BF16 (bf16 accumulators too), and BF16DOT,
 * the arithmetic of the processors' own bf16 instruction.
 * Order      each element of C is one chain of fused multiply-adds over ascending k, as fma_lane.h writes it down.
 *            Tiles, vectors and threads only decide which chain is computed next. Where k is cut into blocks, the
 *            unfinished chain is stored in C without loss (fp32 holds a bf16 accumulator exactly) and continues from
 *            there. So every row gives the same bits as "scalar", with any number of threads. With k = 0 the result is
 *            the chain's start.
 * Values     A, B and C are floats in every mode; in BF16, C is rounded to bf16 first, and the lower 16 bits of the
 *            result are zero. Infinities, NaN and denormals are defined by fma_lane.h: a NaN is 0x7fc00000.
 * Work       the caller lends gemm_work_size() bytes at a multiple of 64; it is scratch.
 * Threads    a parallel row uses omp_get_max_threads() OpenMP threads; the others run on the caller's thread.
 * Errors     none: every problem with valid pointers is valid. Call a row only with a mode that it has: gemm_has(). A
 *            device row returns before its work is done and leaves a failed launch in cudaGetLastError(). */
#ifndef NARROWS_KERNELS_GEMM_GEMM_H
#define NARROWS_KERNELS_GEMM_GEMM_H

#include <stdint.h>

#include "kernels/gemm/problem.h"
#include "kernels/shared/impl.h"

/* 'im' is the row's (kernels/shared/impl.h). */
typedef void gemm_fn(const struct impl *im, const struct gemm_problem *p, void *work);
typedef size_t gemm_work_fn(const struct impl *im, const struct gemm_problem *p);

struct gemm_impl {
    struct impl impl;
    unsigned modes;          /* bit 1 << mode */
    gemm_work_fn *work_size; /* bytes; never more than gemm_work_size() */
    gemm_fn *run;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct gemm_impl gemm_impls[];

static inline bool gemm_has(const struct gemm_impl *im, enum fma_mode mode)
{
    return im->modes >> mode & 1;
}

/* Bytes of work that are enough for every row of the table. SIZE_MAX if no memory can hold them. */
size_t gemm_work_size(const struct gemm_problem *p);

/* "fp32", "mp", "bf16", "bf16dot" */
const char *fma_mode_name(enum fma_mode mode);

#endif
