/* span.h - what the x86 files share: a span as a peeled head, groups of 64 values in the order of kernels/copy/order.h,
 * and a tail. A file brings the group, a constant where this is inlined. */
#ifndef NARROWS_KERNELS_CAST_SPAN_H
#define NARROWS_KERNELS_CAST_SPAN_H

#include "kernels/cast/host.h"
#include "kernels/shared/x86.h"

/* 64 values; 'nt': dst is on a 64-byte boundary and goes past the cache. */
typedef void cast_narrow_group(uint16_t *dst, const float *src, _Bool nt);
typedef void cast_widen_group(float *dst, const uint16_t *src, _Bool nt);

INLINE size_t narrow_groups(uint16_t *dst, const float *src, size_t n, _Bool nt, cast_narrow_group *group)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        if (nt)
            ask_ahead(src + at, AHEAD, 256);
        group(dst + at, src + at, nt);
    }
    return 64 * groups;
}

INLINE void narrow_span(uint16_t *dst, const float *src, size_t n, _Bool stream, cast_narrow_group *group,
                        cast_narrow_span *scalar)
{
    size_t head = stream ? peel(dst, sizeof(*dst), n) : 0, done;

    scalar(dst, src, head, 0);
    dst += head;
    src += head;
    n -= head;
    done = stream ? narrow_groups(dst, src, n, 1, group) : narrow_groups(dst, src, n, 0, group);
    scalar(dst + done, src + done, n - done, 0);
    if (stream)
        _mm_sfence();
}

INLINE size_t widen_groups(float *dst, const uint16_t *src, size_t n, _Bool nt, cast_widen_group *group)
{
    size_t groups = n / 64;

    for (size_t g = 0; g < groups; g++) {
        size_t at = 64 * (nt ? stream_order(g, groups) : g);

        group(dst + at, src + at, nt);
    }
    return 64 * groups;
}

INLINE void widen_span(float *dst, const uint16_t *src, size_t n, _Bool stream, cast_widen_group *group,
                       cast_widen_span *scalar)
{
    size_t head = stream ? peel(dst, sizeof(*dst), n) : 0, done;

    scalar(dst, src, head, 0);
    dst += head;
    src += head;
    n -= head;
    done = stream ? widen_groups(dst, src, n, 1, group) : widen_groups(dst, src, n, 0, group);
    scalar(dst + done, src + done, n - done, 0);
    if (stream)
        _mm_sfence();
}

#endif
