/* pool.c - buffers become items: sizes in a common unit, lifetimes in sections. */
#include <stdbool.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/placement/private.h"
#include "model/status.h"

static const int64_t most = (int64_t)1 << 62;

/* The beginning or end of a buffer's lifetime. */
struct edge {
    int64_t at;
    size_t buffer;
};

static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return x->at != y->at ? compare64(x->at, y->at) : compare64((int64_t)x->buffer, (int64_t)y->buffer);
}

static int64_t gcd(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* Counts the buffers that occupy memory, and sets the unit to the largest common divisor of all rounded sizes. */
static int check(struct pool *pool, const struct buffer *buffers, size_t n, size_t *taking)
{
    int64_t common = 0, sum = 0;

    *taking = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t units;
        if (buffers[i].upper < buffers[i].lower || buffers[i].bytes < 0)
            return E_INVAL;
        units = buffers[i].bytes / pool->unit + (buffers[i].bytes % pool->unit > 0);
        if (units > (most - sum) / pool->unit)
            return E_RANGE;
        sum += units * pool->unit;
        pool->biggest = max64(pool->biggest, units);
        common = gcd(units, common);
        *taking += units && buffers[i].upper > buffers[i].lower;
    }
    if (common) {
        pool->unit *= common;
        pool->biggest /= common;
    }
    return *taking > INT32_MAX / 4 ? E_RANGE : E_OK;
}

/* Sections from the sorted beginnings and ends: one begins with the first beginning after an end. */
static void count_sections(struct pool *pool, const struct edge begin[], const struct edge end[], int32_t item_of[])
{
    int32_t section = -1, n = pool->n;
    bool ended = true;

    for (int32_t b = 0, e = 0; e < n;) {
        if (b < n && begin[b].at < end[e].at) {
            section += ended;
            ended = false;
            pool->items[b].from = section;
            pool->buffer[b] = begin[b].buffer;
            item_of[begin[b].buffer] = b;
            b++;
        } else {
            pool->items[item_of[end[e++].buffer]].to = section + 1;
            ended = true;
        }
    }
    pool->nsections = section + 1;
}

static int fill(struct pool *pool, const struct buffer *buffers, size_t n)
{
    struct edge *begin = malloc(((size_t)pool->n + 1) * sizeof(*begin));
    struct edge *end = malloc(((size_t)pool->n + 1) * sizeof(*end));
    int32_t *item_of = malloc((n + 1) * sizeof(*item_of));
    size_t taking = 0;
    int rc = begin && end && item_of ? E_OK : E_NOMEM;

    for (size_t i = 0; !rc && i < n; i++)
        if (buffers[i].bytes && buffers[i].upper > buffers[i].lower) {
            begin[taking] = (struct edge){ buffers[i].lower, i };
            end[taking++] = (struct edge){ buffers[i].upper, i };
        }
    if (!rc) {
        qsort(begin, taking, sizeof(*begin), by_time);
        qsort(end, taking, sizeof(*end), by_time);
        count_sections(pool, begin, end, item_of);
        for (int32_t i = 0; i < pool->n; i++) {
            int64_t bytes = buffers[pool->buffer[i]].bytes;
            pool->items[i].size = bytes / pool->unit + (bytes % pool->unit > 0);
        }
    }
    free(begin);
    free(end);
    free(item_of);
    return rc;
}

int pool_read(struct pool *pool, const struct buffer *buffers, size_t n, int64_t alignment)
{
    size_t taking;
    int64_t *load;
    int rc;

    *pool = (struct pool){ .unit = alignment ? alignment : 1 };
    if (alignment < 0)
        return E_INVAL;
    rc = check(pool, buffers, n, &taking);
    if (rc)
        return rc;
    pool->n = (int32_t)taking;
    pool->items = calloc(taking + 1, sizeof(*pool->items));
    pool->buffer = calloc(taking + 1, sizeof(*pool->buffer));
    rc = pool->items && pool->buffer ? fill(pool, buffers, n) : E_NOMEM;
    load = rc ? NULL : malloc(((size_t)pool->nsections + 1) * sizeof(*load));
    if (!rc && !load)
        rc = E_NOMEM;
    if (!rc)
        pool->bound = items_load(pool->items, pool->n, pool->nsections, load);
    free(load);
    if (rc)
        pool_free(pool);
    return rc;
}

void pool_free(struct pool *pool)
{
    free(pool->items);
    free(pool->buffer);
    *pool = (struct pool){ 0 };
}

int64_t items_load(const struct item *items, int32_t n, int32_t nsections, int64_t load[])
{
    int64_t now = 0, highest = 0;

    for (int32_t s = 0; s <= nsections; s++)
        load[s] = 0;
    for (int32_t i = 0; i < n; i++) {
        load[items[i].from] += items[i].size;
        load[items[i].to] -= items[i].size;
    }
    for (int32_t s = 0; s < nsections; s++) {
        load[s] = now += load[s];
        highest = max64(highest, now);
    }
    return highest;
}

int64_t items_height(const struct item *items, int32_t n)
{
    int64_t height = 0;

    for (int32_t i = 0; i < n; i++)
        height = max64(height, items[i].offset + items[i].size);
    return height;
}
