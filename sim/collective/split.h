/* split.h - a vector of bytes in n parts, the first ones one byte longer. */
#ifndef NARROWS_SIM_COLLECTIVE_SPLIT_H
#define NARROWS_SIM_COLLECTIVE_SPLIT_H

#include <stdint.h>

static inline int64_t split_most(int64_t bytes, int64_t n)
{
    return bytes / n + (bytes % n != 0);
}

static inline int64_t split_bytes(int64_t bytes, int64_t n, int64_t part)
{
    return bytes / n + (part < bytes % n);
}

/* The bytes before a part: the sum of the first 'part' parts. */
static inline int64_t split_offset(int64_t bytes, int64_t n, int64_t part)
{
    return bytes / n * part + (part < bytes % n ? part : bytes % n);
}

#endif
