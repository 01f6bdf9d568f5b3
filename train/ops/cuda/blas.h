/* blas.h - matrix products on the device: cuBLAS, looked for while the program runs (blas.c), or another one in tests.
 * Sums       fp32 throughout, no TF32; the same bits for the same call, addresses' alignment included.
 * Memory     the workspace given at opening is in use until the products called for are done.
 * Errors     0, or -1 with the reason in why[]. */
#ifndef NARROWS_TRAIN_OPS_CUDA_BLAS_H
#define NARROWS_TRAIN_OPS_CUDA_BLAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct blas;

bool blas_usable(void);
/* NULL with the reason. */
struct blas *blas_open(void *workspace, size_t nworkspace, char *why, size_t nwhy);
void blas_close(struct blas *b); /* accepts NULL */

/* Row-major, dense: of m rows and n columns, c = beta c + the sum over k of a times b. A transposed a is [k][m] in
 * memory, a transposed b is [n][k]. */
struct blas_product {
    bool transpose_a, transpose_b;
    int64_t m, n, k;
    const float *a, *b;
    float beta;
    float *c;
};

int blas_multiply(struct blas *b, const struct blas_product *p, void *stream, char *why, size_t nwhy);

#endif
