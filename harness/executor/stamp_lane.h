/* stamp_lane.h - the bits of a stamp, and the terms of a checksum: one definition for both compilers.
 * Stamp      bits 0..27 position (granule of its storage), 28..45 storage, 46..57 version, 58..63 step. Versions
 *            begin at 1 and the last is not used, so that neither cleared memory nor memory of ones is a stamp.
 * Checksum   the sum, modulo 2^64, of a hash of each 32-bit word with its index: it does not depend on the order of
 *            adding. */
#ifndef NARROWS_HARNESS_EXECUTOR_STAMP_LANE_H
#define NARROWS_HARNESS_EXECUTOR_STAMP_LANE_H

#include <stdint.h>

#include "kernels/shared/lane.h"

enum {
    STAMP_POSITION_BITS = 28,
    STAMP_STORAGE_BITS = 18,
    STAMP_VERSION_BITS = 12,
    STAMP_STEP_BITS = 6,
    STAMP_STORAGE_AT = STAMP_POSITION_BITS,
    STAMP_VERSION_AT = STAMP_STORAGE_AT + STAMP_STORAGE_BITS,
    STAMP_STEP_AT = STAMP_VERSION_AT + STAMP_VERSION_BITS
};

/* The stamp of a storage's first granule; that of granule i is this plus i. */
NW_LANE uint64_t stamp_first(int64_t step, int64_t version, int64_t storage)
{
    return ((uint64_t)step & ((1u << STAMP_STEP_BITS) - 1)) << STAMP_STEP_AT | (uint64_t)version << STAMP_VERSION_AT |
           (uint64_t)storage << STAMP_STORAGE_AT;
}

NW_LANE int64_t stamp_field(uint64_t stamp, int at, int bits)
{
    return (int64_t)(stamp >> at & ((1ull << bits) - 1));
}

NW_LANE uint64_t checksum_term(uint32_t word, uint64_t index)
{
    uint64_t x = (index << 32 | word) * 0x9e3779b97f4a7c15u;

    x ^= x >> 32;
    return (x + index) * 0xbf58476d1ce4e5b9u;
}

#endif
