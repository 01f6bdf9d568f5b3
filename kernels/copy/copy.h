/* copy.h - the anchor: how fast this machine can read as many bytes as it writes. A codec can at best move its bytes at
 * this rate. Non-temporal stores leave out the read of each written line that ordinary stores cause.
 * Shapes     'nbytes' bytes; no alignment is needed; the two sides must not overlap. Nothing is written outside dst.
 * Threads    a parallel row uses as many OpenMP threads as omp_get_max_threads() says. */
#ifndef NARROWS_KERNELS_COPY_H
#define NARROWS_KERNELS_COPY_H

#include <stddef.h>

#include "kernels/shared/impl.h"

typedef void copy_fn(void *dst, const void *src, size_t nbytes);

struct copy_impl {
    struct impl impl;
    copy_fn *run;
};

/* Best first, memcpy last, then a row with a null name. */
extern const struct copy_impl copy_impls[];

/* The copies of one thread; _sse2, _avx2 and _avx512 exist in x86-64 builds. */
copy_fn copy_memcpy, copy_nt_sse2, copy_nt_avx2, copy_nt_avx512;

/* Run 'copy' on one piece per OpenMP thread. */
void copy_split(copy_fn *copy, void *dst, const void *src, size_t nbytes);

#endif
