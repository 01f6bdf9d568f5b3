/* vec.h - grow an array for one more element. */
#ifndef NARROWS_MODEL_VEC_H
#define NARROWS_MODEL_VEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* False if memory ran out; the array is then unchanged. */
static inline bool vec_reserve(void **items, size_t size, size_t *capacity, size_t count)
{
    if (count < *capacity)
        return true;
    size_t bigger = *capacity ? *capacity * 2 : 16;
    void *moved = realloc(*items, bigger * size);
    if (!moved)
        return false;
    *items = moved;
    *capacity = bigger;
    return true;
}

#define VEC_RESERVE(items, capacity, count) vec_reserve((void **)&(items), sizeof(*(items)), &(capacity), (count))

#endif
