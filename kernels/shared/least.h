/* least.h - the smaller of two sizes. */
#ifndef NARROWS_KERNELS_SHARED_LEAST_H
#define NARROWS_KERNELS_SHARED_LEAST_H

#include <stddef.h>

static inline size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

#endif
