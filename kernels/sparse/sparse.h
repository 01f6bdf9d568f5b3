/* sparse.h - send the values at or above a threshold, keep the others for later (DCT, arXiv 2010.08899, Algorithm 1,
 * lines 2 and 9 to 12; 3LC, arXiv 1802.07389, section 5.1, "sparsification").
 * Compress   error += change (change NULL: nothing is added), then every value of 'error' that sparse_keeps() names is
 *            sent and becomes +0; the others stay as they are. A sum that is NaN is 0x7fc00000. NaN counts as greater
 *            than any number and so is sent, as it would be without compression, and does not stay in 'error'.
 * Payload    little-endian, without gaps: the form (4 bytes), zero (4), the number of values sent (8), then
 *              form 0  a bitmap, bit i % 64 of word i / 64 (8 bytes) for value i, bits past n zero; then the values
 *              form 1  their indices (4 bytes each, ascending); then the values
 *            The values are their 32 bits in the order of their indices. With SPARSE_SMALLER form 1 is written exactly
 *            if it takes fewer bytes and n <= 2^32; with SPARSE_BITMAP never.
 * Expand     CODEC_STORE: values = what was sent, +0 elsewhere. CODEC_ADD: values += what was sent, with the NaN above;
 *            where nothing was sent, nothing is touched.
 * Sizes      payload: sparse_bound(n) bytes, work: sparse_work(n) bytes, both on 64-byte boundaries, as 'error' in the
 *            codecs is; 'error', 'change' and 'values' need the boundary of a float. n <= CODEC_MAX_VALUES.
 * Threads    a parallel row uses as many OpenMP threads as omp_get_max_threads() says, at most SPARSE_THREADS. The
 *            payload is the same bit for bit.
 * Errors     compressing has none. Expanding checks the whole payload first, returns an enum codec_error and then has
 *            not touched 'values'. */
#ifndef NARROWS_KERNELS_SPARSE_H
#define NARROWS_KERNELS_SPARSE_H

#include "kernels/codec/codec.h"
#include "kernels/sparse/sparse_lane.h"

enum sparse_form { SPARSE_SMALLER, SPARSE_BITMAP };
enum { SPARSE_THREADS = 64 };

/* 'im' is the row's (kernels/shared/impl.h). */
typedef void sparse_compress_fn(const struct impl *im, uint8_t *payload, uint64_t *nbytes, float *error,
                                const float *change, size_t n, const struct sparse_keep *keep, enum sparse_form form,
                                void *work);
typedef enum codec_error sparse_expand_fn(const struct impl *im, float *values, size_t n, enum codec_into into,
                                          const uint8_t *payload, size_t nbytes, enum sparse_form form, void *work);

struct sparse_impl {
    struct impl impl;
    sparse_compress_fn *compress;
    sparse_expand_fn *expand;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct sparse_impl sparse_impls[];

size_t sparse_bound(size_t n);
size_t sparse_work(size_t n);

#endif
