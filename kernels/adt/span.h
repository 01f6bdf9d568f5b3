/* span.h - what the x86 files share: a span of weights as a peeled head, whole groups of 64 weights, and a tail. A file
 * brings the group (64 weights to or from 64 * bytes_per_weight bytes) and its non-temporal copy; both are constants
 * where this is inlined, and so are 'bytes_per_weight' and 'nt', so that no call and no choice is left in the loop. */
#ifndef NARROWS_KERNELS_ADT_SPAN_H
#define NARROWS_KERNELS_ADT_SPAN_H

#include <immintrin.h>

#include "kernels/adt/host.h"
#include "kernels/copy/copy.h"
#include "kernels/copy/order.h"
#include "kernels/shared/inline.h"

/* 'nt': the result is aligned to 64 bytes and goes past the cache. */
typedef void adt_group_fn(uint8_t *dst, const uint8_t *src, int bytes_per_weight, bool nt);
typedef void adt_copy_fn(void *dst, const void *src, size_t nbytes);

/* Ask for the 256 bytes behind these in their walk. Where eight walks take turns that is early enough, and twice as far
 * is too much (Sapphire Rapids, one core, 1 byte per weight: 0.86 of a copy's bytes a second without, 0.92 with it).
 * Unpacking reads too little to gain from it. Behind the end nothing is asked for that could error. */
INLINE void fetch_next(const uint8_t *src)
{
    for (size_t i = 256; i < 512; i += 64)
        _mm_prefetch((const char *)src + i, _MM_HINT_T0);
}

/* Pack whole groups of 64 weights and return how many weights that was. */
INLINE size_t pack_groups(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool nt,
                          adt_group_fn *group)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t i = 64 * (nt ? stream_order(g, groups) : g);

        if (nt)
            fetch_next(src + 4 * i);
        group(dst + (size_t)bytes_per_weight * i, src + 4 * i, bytes_per_weight, nt);
    }
    return 64 * groups;
}

INLINE size_t pack_any(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool nt, adt_group_fn *group)
{
    return bytes_per_weight == 3   ? pack_groups(dst, src, n, 3, nt, group)
           : bytes_per_weight == 2 ? pack_groups(dst, src, n, 2, nt, group)
                                   : pack_groups(dst, src, n, 1, nt, group);
}

INLINE void pack_span(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, bool stream, adt_group_fn *group,
                      adt_copy_fn *copy_nt)
{
    const uint8_t *from = src;
    size_t head = adt_peel(dst, bytes_per_weight, 64), done;

    if (bytes_per_weight == 4) {
        (stream ? copy_nt : copy_memcpy)(dst, src, 4 * n);
        return;
    }
    if (head == 64) { /* 2 bytes and an odd address: no store would ever be aligned */
        stream = 0;
        head = 0;
    }
    if (head > n)
        head = n;
    adt_pack_span_scalar(dst, from, head, bytes_per_weight, 0);
    dst += (size_t)bytes_per_weight * head;
    from += 4 * head;
    n -= head;
    done = stream ? pack_any(dst, from, n, bytes_per_weight, 1, group)
                  : pack_any(dst, from, n, bytes_per_weight, 0, group);
    adt_pack_span_scalar(dst + (size_t)bytes_per_weight * done, from + 4 * done, n - done, bytes_per_weight, 0);
    if (stream)
        _mm_sfence();
}

INLINE size_t unpack_groups(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool nt,
                            adt_group_fn *group)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t i = 64 * (nt ? stream_order(g, groups) : g);

        group(dst + 4 * i, src + (size_t)bytes_per_weight * i, bytes_per_weight, nt);
    }
    return 64 * groups;
}

INLINE size_t unpack_any(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool nt, adt_group_fn *group)
{
    return bytes_per_weight == 3   ? unpack_groups(dst, src, n, 3, nt, group)
           : bytes_per_weight == 2 ? unpack_groups(dst, src, n, 2, nt, group)
                                   : unpack_groups(dst, src, n, 1, nt, group);
}

INLINE void unpack_span(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, bool stream, adt_group_fn *group,
                        adt_copy_fn *copy_nt)
{
    uint8_t *to = dst;
    size_t head = adt_peel(dst, 4, 64), done;

    if (bytes_per_weight == 4) {
        (stream ? copy_nt : copy_memcpy)(dst, src, 4 * n);
        return;
    }
    if (head == 64) { /* the address is no multiple of 4 */
        stream = 0;
        head = 0;
    }
    if (head > n)
        head = n;
    adt_unpack_span_scalar(to, src, head, bytes_per_weight, 0);
    to += 4 * head;
    src += (size_t)bytes_per_weight * head;
    n -= head;
    done = stream ? unpack_any(to, src, n, bytes_per_weight, 1, group)
                  : unpack_any(to, src, n, bytes_per_weight, 0, group);
    adt_unpack_span_scalar(to + 4 * done, src + (size_t)bytes_per_weight * done, n - done, bytes_per_weight, 0);
    if (stream)
        _mm_sfence();
}

#endif
