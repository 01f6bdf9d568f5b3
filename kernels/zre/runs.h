/* runs.h - 64 bytes of input as one mask: where do the pieces of runs end. Shared by the x86 encoders, branch-free, so
 * that no density of literals is slower than another.
 * A byte is written where a piece ends, and every literal is a piece of its own; so a piece's length is the distance
 * from the last byte written. */
#ifndef NARROWS_KERNELS_ZRE_RUNS_H
#define NARROWS_KERNELS_ZRE_RUNS_H

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/inline.h"

struct runs {
    uint64_t before; /* where the 64 bytes before are 121 */
    unsigned open;   /* bytes at their end that no piece has been written for: 0..13 */
};

/* a << shift with the bits that come in taken from the block before. */
INLINE uint64_t shift_in(uint64_t a, uint64_t before, int shift)
{
    return a << shift | before >> (64 - shift);
}

/* 'zeros': where the block's bytes are 121; 'next': is the byte behind it? Returns where pieces end. A piece of 14 ends
 * 14 places behind another end or start of the same run, if all between is 121: five of them may end within 64
 * bytes. */
INLINE uint64_t runs_ends(struct runs *r, uint64_t zeros, uint64_t next)
{
    /* Where the last 2, 4, 8 and 14 bytes are 121, across the block's start. */
    uint64_t two = zeros & shift_in(zeros, r->before, 1), two0 = r->before & r->before << 1;
    uint64_t four = two & shift_in(two, two0, 2), four0 = two0 & two0 << 2;
    uint64_t eight = four & shift_in(four, four0, 4), eight0 = four0 & four0 << 4;
    uint64_t full = eight & shift_in(eight, eight0, 6);
    uint64_t starts = zeros & ~(zeros << 1) & ~(uint64_t)1;
    uint64_t cut = (starts << 13 | (uint64_t)1 << (13 - r->open)) & full, cuts = cut;
    uint64_t ends;

    for (int i = 0; i < 4; i++) {
        cut = cut << 14 & full;
        cuts |= cut;
    }
    ends = ~zeros | cuts | (zeros & ~(zeros >> 1 | next << 63));
    r->before = zeros;
    /* Never all clear: a run of 64 has been cut. */
    r->open = (unsigned)__builtin_clzll(ends);
    return ends;
}

#endif
