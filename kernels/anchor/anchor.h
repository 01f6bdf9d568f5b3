/* anchor.h - loops that do nothing but move bytes: what a kernel with the same mix of reads and writes is measured
 * against. Each is the fastest form that we know for the processor, so that "at the wall" means the wall.
 * Shapes     x, y: n fp32 values on a float's boundary, not overlapping; *result is one value in the same memory.
 * Bytes      a value: copy reads 4 and writes 4, past the caches when large; update reads 8 and writes 4; scale reads 4
 *            and writes 4 in place; read reads 4.
 * Bits       copy, update and scale give the same bits in every row. read gives the largest magnitude; NaN unspecified.
 * Errors     none; a device row returns before its work is done. */
#ifndef NARROWS_KERNELS_ANCHOR_H
#define NARROWS_KERNELS_ANCHOR_H

#include <stddef.h>

#include "kernels/shared/impl.h"

/* 'im' is the row's (kernels/shared/impl.h). */
typedef void anchor_copy_fn(const struct impl *im, float *y, const float *x, size_t n);
typedef void anchor_update_fn(const struct impl *im, float *y, const float *x, size_t n);
typedef void anchor_scale_fn(const struct impl *im, float *y, size_t n);
typedef void anchor_read_fn(const struct impl *im, float *result, const float *x, size_t n);

struct anchor_impl {
    struct impl impl;
    anchor_copy_fn *copy;
    anchor_update_fn *update; /* y += x */
    anchor_scale_fn *scale;   /* y *= -1, so that values last */
    anchor_read_fn *read;
};

extern const struct anchor_impl anchor_impls[];

IMPL_C anchor_copy_fn anchor_copy_cuda;
IMPL_C anchor_update_fn anchor_update_cuda;
IMPL_C anchor_scale_fn anchor_scale_cuda;
IMPL_C anchor_read_fn anchor_read_cuda;

#endif
