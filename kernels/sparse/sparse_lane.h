/* sparse_lane.h - the definitions: which values are sent, which remain, and the size in bytes. */
#ifndef NARROWS_KERNELS_SPARSE_LANE_H
#define NARROWS_KERNELS_SPARSE_LANE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/shared/lane.h"

/* Above every magnitude. */
#define SPARSE_NOTHING 0x80000000u
#define SPARSE_NAN 0x7fc00000u

/* What is sent: values whose magnitude is above 'threshold', and those equal to it up to index tie_end. */
struct sparse_keep {
    uint64_t tie_end;
    uint32_t threshold;
};

/* Magnitudes are compared as the 31 bits below the sign: the order of the absolute values, infinity above every number,
 * NaNs above infinity. */
NW_LANE uint32_t sparse_magnitude(uint32_t word)
{
    return word & 0x7fffffffu;
}

NW_LANE uint32_t sparse_word(float value)
{
    uint32_t word;

    memcpy(&word, &value, sizeof(word));
    return word;
}

NW_LANE float sparse_float(uint32_t word)
{
    float value;

    memcpy(&value, &word, sizeof(value));
    return value;
}

/* A sum that is NaN is always the same NaN: which payload an addition keeps differs between processors. */
NW_LANE uint32_t sparse_sum(float a, float b)
{
    uint32_t word = sparse_word(a + b);

    return sparse_magnitude(word) > 0x7f800000u ? SPARSE_NAN : word;
}

NW_LANE int sparse_keeps(struct sparse_keep keep, uint32_t word, uint64_t i)
{
    uint32_t magnitude = sparse_magnitude(word);

    return magnitude > keep.threshold || (magnitude == keep.threshold && i < keep.tie_end);
}

/* The threshold of the values from 'from' on, if tie_end is not among them. */
NW_LANE uint32_t sparse_least(struct sparse_keep keep, uint64_t from)
{
    return keep.threshold + (from >= keep.tie_end && keep.threshold < SPARSE_NOTHING);
}

enum { SPARSE_HEADER = 16 }; /* form, 4 bytes; zero, 4 bytes; number of values sent, 8 bytes */

NW_LANE uint64_t sparse_bitmap_bytes(uint64_t n)
{
    return 8 * (n / 64 + (n % 64 != 0));
}

/* Are indices smaller than a bitmap? They have 32 bits. */
NW_LANE int sparse_takes_indices(uint64_t n, uint64_t count)
{
    return n <= (uint64_t)1 << 32 && 4 * count < sparse_bitmap_bytes(n);
}

#endif
