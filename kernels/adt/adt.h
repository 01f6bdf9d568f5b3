/* adt.h - Approximate Data Transfer: keep the leading bytes of each fp32 weight (A2DTWP, arXiv 2004.02297, section III,
 * Algorithms 2 to 5).
 * Shapes     'n' weights; packed, a weight is 'bytes_per_weight' bytes (1..4), the most significant ones of its word,
 *            weights in order and without gaps: bytes_per_weight * n bytes. The kept bytes of a weight stand in
 *            little-endian order, as Algorithm 5 reads them (bytes_per_weight bytes as one integer, shifted left by the
 *            missing bytes), so 4 is a copy. Unpacking fills the missing low bytes with zero. Bit patterns are moved,
 *            not rounded: NaN, infinities, denormals and -0 pass like any word (1 and 2 may turn a NaN whose payload
 *            sits in the dropped bytes into an infinity, and 1 an infinity or NaN into a finite number, as truncation
 *            does: the lowest bit of the exponent is in the second byte).
 * Alignment  none is needed, hence void * for the weights. Nothing is written outside dst[0 .. bytes_per_weight*n) or
 *            dst[0 .. 4*n) and nothing is read outside the source.
 * Overlap    source and destination must not overlap.
 * Threads    a parallel row uses as many OpenMP threads as omp_get_max_threads() says; the others use the caller.
 * Norm       pack_norm packs and takes the l2 norm of the weights in the same pass, as AWP wants both of every layer:
 *            the bits of kernels/l2norm/l2norm.h. Its weights start on a float's boundary; 'work' is l2norm_work(n)
 *            doubles of scratch. Rows of a device have none: there the two passes overlap.
 * Errors     none: every input is valid. A device row returns before its work is done and leaves a failed launch in
 *            cudaGetLastError(). */
#ifndef NARROWS_KERNELS_ADT_H
#define NARROWS_KERNELS_ADT_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/impl.h"

/* 'im' is the row's (kernels/shared/impl.h). */
typedef void adt_pack_fn(const struct impl *im, uint8_t *dst, const void *src, size_t n, int bytes_per_weight);
typedef void adt_unpack_fn(const struct impl *im, void *dst, const uint8_t *src, size_t n, int bytes_per_weight);
typedef void adt_pack_norm_fn(const struct impl *im, uint8_t *dst, double *norm, const float *weights, size_t n,
                              int bytes_per_weight, double *work);

/* One way to do it. A file per ISA or device; the definition is scalar.c over adt_lane.h. */
struct adt_impl {
    struct impl impl;
    adt_pack_fn *pack;
    adt_unpack_fn *unpack;
    adt_pack_norm_fn *pack_norm; /* NULL: none */
};

/* Best first, the reference last, then a row with a null name. */
extern const struct adt_impl adt_impls[];

#endif
