/* span16.h - a span as whole groups of 16 weights, 64 bytes, and a tail, for instruction sets with 16-byte registers
 * and unaligned access. A file brings the group, a constant where this is inlined, and so is 'bytes_per_weight'. */
#ifndef NARROWS_KERNELS_ADT_SPAN16_H
#define NARROWS_KERNELS_ADT_SPAN16_H

#include "kernels/adt/host.h"
#include "kernels/copy/copy.h"
#include "kernels/shared/inline.h"

/* 16 weights to or from 16 * bytes_per_weight bytes; bytes_per_weight is 1, 2 or 3. */
typedef void adt_group16_fn(uint8_t *dst, const uint8_t *src, int bytes_per_weight);

INLINE void pack_groups16(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight, adt_group16_fn *group)
{
    size_t i = 0;

    for (; i + 16 <= n; i += 16)
        group(dst + (size_t)bytes_per_weight * i, src + 4 * i, bytes_per_weight);
    adt_pack_span_scalar(dst + (size_t)bytes_per_weight * i, src + 4 * i, n - i, bytes_per_weight, 0);
}

INLINE void unpack_groups16(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight, adt_group16_fn *group)
{
    size_t i = 0;

    for (; i + 16 <= n; i += 16)
        group(dst + 4 * i, src + (size_t)bytes_per_weight * i, bytes_per_weight);
    adt_unpack_span_scalar(dst + 4 * i, src + (size_t)bytes_per_weight * i, n - i, bytes_per_weight, 0);
}

INLINE void pack_span16(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, adt_group16_fn *group)
{
    if (bytes_per_weight == 4)
        copy_memcpy(dst, src, 4 * n);
    else if (bytes_per_weight == 3)
        pack_groups16(dst, src, n, 3, group);
    else if (bytes_per_weight == 2)
        pack_groups16(dst, src, n, 2, group);
    else
        pack_groups16(dst, src, n, 1, group);
}

INLINE void unpack_span16(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, adt_group16_fn *group)
{
    if (bytes_per_weight == 4)
        copy_memcpy(dst, src, 4 * n);
    else if (bytes_per_weight == 3)
        unpack_groups16(dst, src, n, 3, group);
    else if (bytes_per_weight == 2)
        unpack_groups16(dst, src, n, 2, group);
    else
        unpack_groups16(dst, src, n, 1, group);
}

#endif
