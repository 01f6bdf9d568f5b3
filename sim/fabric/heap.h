/* heap.h - an indexed priority queue: items with an id, taken in the order of a key that may change.
 * Keys       64-bit unsigned. Times in picoseconds are used as they are, non-negative doubles by their bits
 *            (heap_key()), which have the order of their values.
 * Order      least key first; of equal keys the lower number.
 * Ownership  the caller provides place[], all zero: place[id] is the position of an item, from 1 (0: not in the heap).
 *            It also provides memory for all items that it will put. So nothing here can fail. */
#ifndef NARROWS_SIM_FABRIC_HEAP_H
#define NARROWS_SIM_FABRIC_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct heap_item {
    uint64_t key;
    uint32_t id;
};

struct heap {
    struct heap_item *items;
    size_t count, capacity;
};

static inline uint64_t heap_key(double not_negative)
{
    uint64_t bits;

    memcpy(&bits, &not_negative, sizeof(bits));
    return bits;
}

static inline double heap_value(uint64_t key)
{
    double value;

    memcpy(&value, &key, sizeof(value));
    return value;
}

static inline bool heap_before(const struct heap_item *a, const struct heap_item *b)
{
    return a->key != b->key ? a->key < b->key : a->id < b->id;
}

static inline void heap_set(struct heap *h, uint32_t *place, size_t i, struct heap_item item)
{
    h->items[i] = item;
    place[item.id] = (uint32_t)i + 1;
}

/* Put an item into the hole at i and sift it up, or else down. */
static inline void heap_sift(struct heap *h, uint32_t *place, size_t i, struct heap_item item)
{
    for (size_t up; i && heap_before(&item, &h->items[up = (i - 1) / 2]); i = up)
        heap_set(h, place, i, h->items[up]);
    for (size_t down; (down = 2 * i + 1) < h->count; i = down) {
        if (down + 1 < h->count && heap_before(&h->items[down + 1], &h->items[down]))
            down++;
        if (!heap_before(&h->items[down], &item))
            break;
        heap_set(h, place, i, h->items[down]);
    }
    heap_set(h, place, i, item);
}

/* Insert an item, or change its key. */
static inline void heap_put(struct heap *h, uint32_t *place, uint32_t id, uint64_t key)
{
    if (place[id] && h->items[place[id] - 1].key == key)
        return;
    size_t i = place[id] ? place[id] - 1 : h->count++;

    heap_sift(h, place, i, (struct heap_item){ key, id });
}

/* Restore the heap order after the keys of items have changed. */
static inline void heap_order(struct heap *h, uint32_t *place)
{
    size_t n = h->count;

    for (h->count = 0; h->count < n;) {
        struct heap_item item = h->items[h->count++];
        heap_sift(h, place, h->count - 1, item);
    }
}

/* Remove an item, wherever it is; no effect if it is not in the heap. */
static inline void heap_drop(struct heap *h, uint32_t *place, uint32_t id)
{
    if (!place[id])
        return;
    size_t i = place[id] - 1;
    struct heap_item last = h->items[--h->count];
    place[id] = 0;
    if (i < h->count)
        heap_sift(h, place, i, last);
}

#endif
