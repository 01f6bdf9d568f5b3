/* problem.h - one matrix product, for both compilers: C = op(A) op(B), or C += op(A) op(B).
 * Shapes     op(A) has m rows and k columns, op(B) k rows and n columns, C m rows and n columns; all are row-major,
 *            with lda, ldb or ldc floats from one row to the next. op() is the matrix itself or, with the flag, its
 *            transpose: then the matrix in memory has k rows of m (A), or n rows of k (B). A trainer's backward pass
 *            needs A^T B and A B^T. Each row is at least as long as the matrix is wide.
 * Alignment  of a float. Nothing is read or written outside of the rows' own columns.
 * Overlap    C overlaps neither A nor B. */
#ifndef NARROWS_KERNELS_GEMM_PROBLEM_H
#define NARROWS_KERNELS_GEMM_PROBLEM_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/gemm/fma_mode.h"

struct gemm_problem {
    enum fma_mode mode;
    size_t m, n, k;
    const float *a;
    size_t lda;
    bool a_transposed;
    const float *b;
    size_t ldb;
    bool b_transposed;
    float *c;
    size_t ldc;
    bool accumulate; /* the chains start from C; else from +0, and C is not read */
};

#endif
