/* vec.h - make room for one more element of a growing array. */
#ifndef NARROWS_SIM_VEC_H
#define NARROWS_SIM_VEC_H

#include <stddef.h>
#include <stdlib.h>

/* False if memory ran out; the array is then as it was. */
static inline _Bool vec_reserve(void **items, size_t size, size_t *capacity, size_t count)
{
    if (count < *capacity)
        return 1;
    size_t bigger = *capacity ? *capacity * 2 : 16;
    void *moved = realloc(*items, bigger * size);
    if (!moved)
        return 0;
    *items = moved;
    *capacity = bigger;
    return 1;
}

#define VEC_RESERVE(items, capacity, count) vec_reserve((void **)&(items), sizeof(*(items)), &(capacity), (count))

#endif
