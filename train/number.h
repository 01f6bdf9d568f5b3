/* number.h - helpers on whole numbers, which several files of train/ need. */
#ifndef NARROWS_TRAIN_NUMBER_H
#define NARROWS_TRAIN_NUMBER_H

#include <stdint.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static inline int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* low <= high */
static inline int64_t clamp(int64_t x, int64_t low, int64_t high)
{
    return x < low ? low : x > high ? high : x;
}

/* For n >= 0 and by > 0. */
static inline int64_t divide_up(int64_t n, int64_t by)
{
    return (n + by - 1) / by;
}

static inline int64_t round_up(int64_t n, int64_t to)
{
    return divide_up(n, to) * to;
}

#endif
