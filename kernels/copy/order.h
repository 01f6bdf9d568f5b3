/* order.h - in which order to visit a large array. A hardware prefetcher follows each 4 KiB page on its own, so one
 * sequential walk leaves a core with too few reads under way to fill its share of the memory bandwidth; several walks
 * side by side, some pages apart, keep more of them going (Sapphire Rapids, one core: a copy takes 0.7 of the time
 * with 8 walks; the distance of 16 KiB serves unpacking, whose reads are narrow, and costs the others nothing). */
#ifndef NARROWS_KERNELS_COPY_ORDER_H
#define NARROWS_KERNELS_COPY_ORDER_H

#include <stddef.h>

enum {
    STREAM_WALKS = 8,
    STREAM_STEPS = 64, /* groups between two streams: 16 KiB of the wider side, a group being 256 bytes of it */
    STREAM_BLOCK = STREAM_WALKS * STREAM_STEPS,
};

/* The group to visit as number 'g' of 'groups': within a block the first group of each walk, then the second of each,
 * and so on. The groups behind the last whole block come in order. A permutation of 0 .. groups-1. */
static inline size_t stream_order(size_t g, size_t groups)
{
    size_t place = g % STREAM_BLOCK;

    if (g - place + STREAM_BLOCK > groups)
        return g;
    return g - place + place % STREAM_WALKS * STREAM_STEPS + place / STREAM_WALKS;
}

#endif
