/* anchor.h - loops that do nothing but move bytes: what a kernel with the same mix of reads and writes is measured
 * against. Each is the fastest form that we know for the processor, so that "at the wall" means the wall.
 * Shapes     x, y: n fp32 values on a float's boundary, not overlapping; *result is one value in the same memory.
 * Bytes      a value: copy reads 4 and writes 4, past the caches when large; update reads 8 and writes 4; scale reads 4
 *            and writes 4 in place; read reads 4.
 * Bits       copy, update and scale give the same bits in every row. read gives the greatest magnitude; NaN unspecified.
 * Errors     none; a device row returns before its work is done. */
#ifndef NARROWS_KERNELS_ANCHOR_H
#define NARROWS_KERNELS_ANCHOR_H

#include <stddef.h>

#include "kernels/shared/impl.h"

struct anchor_impl {
    struct impl impl;
    void (*copy)(float *y, const float *x, size_t n);
    void (*update)(float *y, const float *x, size_t n); /* y += x */
    void (*scale)(float *y, size_t n);                  /* y *= -1, so that values last */
    void (*read)(float *result, const float *x, size_t n);
};

extern const struct anchor_impl anchor_impls[];

#endif
