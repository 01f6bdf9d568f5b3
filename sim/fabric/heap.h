/* heap.h - an indexed priority queue: things known by a number, taken in the order of a key that may change.
 * Keys       64-bit unsigned. Picoseconds from 0 are such keys as they are, and so are the bits of doubles from 0:
 *            the bits of non-negative doubles stand in the order of their values.
 * Order      least key first; of equal keys the lower number.
 * Ownership  place[id] says where a thing stands (from 1; 0: not in the heap); the caller provides it, all zero, and
 *            memory for as many items as it will put. So nothing here can fail. */
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

/* Let an item find its place from the hole at i: upwards, else downwards. */
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

/* Put something in, or change its key. */
static inline void heap_put(struct heap *h, uint32_t *place, uint32_t id, uint64_t key)
{
    if (place[id] && h->items[place[id] - 1].key == key)
        return;
    size_t i = place[id] ? place[id] - 1 : h->count++;

    heap_sift(h, place, i, (struct heap_item){ key, id });
}

/* Bring all items into their places after their keys have changed. */
static inline void heap_order(struct heap *h, uint32_t *place)
{
    size_t n = h->count;

    for (h->count = 0; h->count < n;) {
        struct heap_item item = h->items[h->count++];
        heap_sift(h, place, h->count - 1, item);
    }
}

/* Take something out, wherever it stands; nothing happens if it is not in. */
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
