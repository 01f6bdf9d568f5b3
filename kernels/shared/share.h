/* share.h - a pass over n values, on this thread or divided over OpenMP threads. The rows of a codec differ in this and
 * in the loops of an instruction set, and in nothing else. A pass is a function; its inputs and results are in a job
 * that the caller defines. */
#ifndef NARROWS_KERNELS_SHARED_SHARE_H
#define NARROWS_KERNELS_SHARED_SHARE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/impl.h"

/* The values from .. to-1. 'from' is a multiple of the pass's unit. */
typedef void share_pass(void *job, size_t from, size_t to);

/* All n values, in shares of whole units until the last. */
typedef void share_fn(share_pass *pass, void *job, size_t n, size_t unit);
share_fn share_serial, share_split;

/* The way of a row. */
static inline share_fn *share_of(const struct impl *im)
{
    return IMPL_WAY(im, share_serial, share_split);
}

/* Results of this many bytes and more bypass the caches: half of a present core's second-level cache. The whole decides
 * and not the share, so that more threads do not change the kind of store. */
enum { SHARE_STREAM_BYTES = 1 << 20 };

/* What several threads find together; the order does not matter to the result. */
static inline void share_most(uint32_t *most, uint32_t found)
{
    uint32_t seen = __atomic_load_n(most, __ATOMIC_RELAXED);

    while (found > seen && !__atomic_compare_exchange_n(most, &seen, found, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        ;
}

#endif
