/* stream.h - a non-temporal copy as a peeled head, groups of 256 bytes and a tail. The group is a constant where this
 * is inlined: 256 bytes from anywhere to a 64-byte boundary, past the cache. */
#ifndef NARROWS_KERNELS_COPY_STREAM_H
#define NARROWS_KERNELS_COPY_STREAM_H

#include <immintrin.h>
#include <stdint.h>
#include <string.h>

#include "kernels/copy/copy.h"
#include "kernels/copy/order.h"
#include "kernels/shared/inline.h"

typedef void copy_group_fn(uint8_t *dst, const uint8_t *src);

INLINE void stream_copy(void *dst, const void *src, size_t nbytes, copy_group_fn *group)
{
    uint8_t *to = dst;
    const uint8_t *from = src;
    size_t head = -(uintptr_t)to % 64, groups, done;

    if (nbytes < 512) {
        copy_memcpy(dst, src, nbytes);
        return;
    }
    memcpy(to, from, head);
    groups = (nbytes - head) / 256;
    for (size_t g = 0; g < groups; g++) {
        size_t at = head + 256 * stream_order(g, groups);

        group(to + at, from + at);
    }
    done = head + 256 * groups;
    memcpy(to + done, from + done, nbytes - done);
    _mm_sfence();
}

#endif
