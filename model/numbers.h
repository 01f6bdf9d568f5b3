/* numbers.h - lengths of arrays, the smaller and the larger of two numbers, and their order for qsort(). */
#ifndef NARROWS_MODEL_NUMBERS_H
#define NARROWS_MODEL_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static inline int64_t min64(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static inline int64_t max64(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* Below 0: a comes first; above 0: b does. */
static inline int compare64(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

static inline int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

#endif
