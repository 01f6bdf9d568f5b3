/* macros.h - small things that every part of harness/ uses. */
#ifndef NARROWS_HARNESS_MACROS_H
#define NARROWS_HARNESS_MACROS_H

#include <stddef.h>
#include <stdint.h>

/* Elements of an array (not of a pointer). */
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static inline int64_t min_i64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max_i64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

#endif
