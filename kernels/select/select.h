/* select.h - the k-th largest magnitude of n values, exactly (DCT, arXiv 2010.08899, Algorithm 1, lines 4 and 5), and
 * the k largest values.
 * Order      as the 31 bits below the sign (sparse_magnitude): NaNs above infinity, infinity above every number. Among
 *            equals the lower index comes first, so that exactly k are chosen, and the same k everywhere.
 * Result     keep: sparse_keeps() names the k values chosen; tie_end is 1 + the index of the last value chosen that
 *            equals the threshold. k = 0: SPARSE_NOTHING and 0. 'above': how many are greater than the threshold.
 * Top        also: a bitmap of the values chosen, in whole words, and their values in the order of their indices.
 * Shapes     k <= n <= CODEC_MAX_VALUES; x and values on a float's boundary, bitmap on 8 bytes, work on 64.
 * Work       select_work(n) bytes for the threshold, select_top_work(n, k) for both.
 * Cost       one pass over x if the sample brackets the threshold (and, for both, a second over the values kept). If
 *            the sample fails, up to three more passes, with the same result. If only some of the values equal to the
 *            threshold are chosen, one more pass, up to the last of them.
 * Threads    a parallel row uses as many OpenMP threads as omp_get_max_threads() says, at most SPARSE_THREADS.
 * Errors     none: every input is valid. */
#ifndef NARROWS_KERNELS_SELECT_H
#define NARROWS_KERNELS_SELECT_H

#include "kernels/sparse/sparse.h"

struct select_result {
    struct sparse_keep keep;
    uint64_t above;
};

/* 'im' is the row's (kernels/shared/impl.h). */
typedef void select_kth_fn(const struct impl *im, struct select_result *r, const float *x, size_t n, size_t k,
                           void *work);
typedef void select_top_fn(const struct impl *im, struct select_result *r, uint64_t *bitmap, float *values,
                           const float *x, size_t n, size_t k, void *work);

struct select_impl {
    struct impl impl;
    select_kth_fn *kth;
    select_top_fn *top;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct select_impl select_impls[];

size_t select_work(size_t n);
size_t select_top_work(size_t n, size_t k);

#endif
