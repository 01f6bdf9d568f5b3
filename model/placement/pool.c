/* pool.c - buffers become items: sizes in a common unit, lifetimes in sections. */
#include <stdbool.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/placement/pieces.h"
#include "model/placement/private.h"
#include "model/status.h"

/* The beginning or end of a piece. */
struct edge {
    int64_t at;
    size_t piece;
};

static int by_time(const void *a, const void *b)
{
    const struct edge *x = a, *y = b;

    return x->at != y->at ? compare64(x->at, y->at) : compare64((int64_t)x->piece, (int64_t)y->piece);
}

/* Sections from the sorted beginnings and ends: one begins with the first beginning after an end. Items are numbered in
 * the order of their first beginnings. */
static void count_sections(struct pool *pool, struct piece *pieces, size_t n, const struct edge begin[],
                           const struct edge end[], int32_t item_of[])
{
    int32_t section = -1;
    bool ended = true;

    pool->n = 0;
    for (size_t b = 0, e = 0; e < n;) {
        if (b < n && begin[b].at < end[e].at) {
            struct piece *piece = &pieces[begin[b++].piece];
            section += ended;
            ended = false;
            piece->part.from = section;
            if (piece->first) {
                pool->items[pool->n].from = section;
                pool->buffer[pool->n] = piece->buffer;
                item_of[piece->buffer] = pool->n++;
            }
        } else {
            struct piece *piece = &pieces[end[e++].piece];
            piece->part.to = section + 1;
            pool->items[item_of[piece->buffer]].to = section + 1; /* the last one counts */
            ended = true;
        }
    }
    pool->nsections = section + 1;
}

/* Pieces stand in the order of the buffers; parts in that of the items. */
static int gather_parts(struct pool *pool, const struct buffer *buffers, const struct pieces *pieces,
                        const int32_t item_of[])
{
    size_t n = (size_t)pool->n;
    int32_t *next = calloc(n + 1, sizeof(*next));

    pool->parts = calloc(pieces->n + 1, sizeof(*pool->parts));
    pool->first = calloc(n + 1, sizeof(*pool->first));
    pool->alignments = calloc(n + 1, sizeof(*pool->alignments));
    if (!next || !pool->parts || !pool->first || !pool->alignments) {
        free(next);
        return E_NOMEM;
    }
    for (size_t k = 0; k < pieces->n; k++)
        pool->first[item_of[pieces->list[k].buffer] + 1]++;
    for (size_t i = 0; i < n; i++) {
        pool->alignments[i] = pieces_alignment(&buffers[pool->buffer[i]], pieces->alignment) / pool->unit;
        pool->alignments[i] += !pool->alignments[i];
        next[i] = pool->first[i];
        pool->first[i + 1] += pool->first[i];
    }
    for (size_t k = 0; k < pieces->n; k++)
        pool->parts[next[item_of[pieces->list[k].buffer]]++] = pieces->list[k].part;
    free(next);
    return E_OK;
}

static int fill(struct pool *pool, const struct buffer *buffers, size_t nbuffers, struct pieces *pieces)
{
    size_t n = pieces->n;
    struct edge *begin = malloc((n + 1) * sizeof(*begin)), *end = malloc((n + 1) * sizeof(*end));
    int32_t *item_of = malloc((nbuffers + 1) * sizeof(*item_of));
    int rc = begin && end && item_of ? E_OK : E_NOMEM;

    for (size_t k = 0; !rc && k < n; k++) {
        begin[k] = (struct edge){ pieces->list[k].lower, k };
        end[k] = (struct edge){ pieces->list[k].upper, k };
    }
    if (!rc) {
        qsort(begin, n, sizeof(*begin), by_time);
        qsort(end, n, sizeof(*end), by_time);
        count_sections(pool, pieces->list, n, begin, end, item_of);
        for (int32_t i = 0; i < pool->n; i++) {
            int64_t bytes = buffers[pool->buffer[i]].bytes;
            pool->items[i].size = bytes / pool->unit + (bytes % pool->unit > 0);
        }
        rc = pieces->plain ? E_OK : gather_parts(pool, buffers, pieces, item_of);
    }
    free(begin);
    free(end);
    free(item_of);
    return rc;
}

int pool_read(struct pool *pool, const struct buffer *buffers, size_t n, int64_t alignment)
{
    struct pieces pieces;
    int64_t *load;
    int rc = pieces_cut(&pieces, buffers, n, alignment);

    *pool = (struct pool){ .unit = pieces.unit, .biggest = pieces.biggest, .windows = pieces.windows };
    if (rc)
        return rc;
    pool->items = calloc(pieces.nbuffers + 1, sizeof(*pool->items));
    pool->buffer = calloc(pieces.nbuffers + 1, sizeof(*pool->buffer));
    rc = pool->items && pool->buffer ? fill(pool, buffers, n, &pieces) : E_NOMEM;
    load = rc ? NULL : malloc(((size_t)pool->nsections + 1) * sizeof(*load));
    if (!rc && !load)
        rc = E_NOMEM;
    if (!rc)
        pool->bound = pool_load(pool, load);
    free(load);
    free(pieces.list);
    if (rc)
        pool_free(pool);
    return rc;
}

void pool_free(struct pool *pool)
{
    free(pool->items);
    free(pool->buffer);
    free(pool->parts);
    free(pool->first);
    free(pool->alignments);
    *pool = (struct pool){ 0 };
}

/* Sums up what was added where it begins and taken where it ends. */
static int64_t sum_up(int32_t nsections, int64_t load[])
{
    int64_t now = 0, highest = 0;

    for (int32_t s = 0; s < nsections; s++) {
        load[s] = now += load[s];
        highest = max64(highest, now);
    }
    return highest;
}

int64_t items_load(const struct item *items, int32_t n, int32_t nsections, int64_t load[])
{
    for (int32_t s = 0; s <= nsections; s++)
        load[s] = 0;
    for (int32_t i = 0; i < n; i++) {
        load[items[i].from] += items[i].size;
        load[items[i].to] -= items[i].size;
    }
    return sum_up(nsections, load);
}

int64_t pool_load(const struct pool *pool, int64_t load[])
{
    if (!pool->parts)
        return items_load(pool->items, pool->n, pool->nsections, load);
    for (int32_t s = 0; s <= pool->nsections; s++)
        load[s] = 0;
    for (int32_t k = 0; k < pool->first[pool->n]; k++) {
        const struct part *part = &pool->parts[k];
        load[part->from] += part->high - part->low;
        load[part->to] -= part->high - part->low;
    }
    return sum_up(pool->nsections, load);
}

int64_t items_height(const struct item *items, int32_t n)
{
    int64_t height = 0;

    for (int32_t i = 0; i < n; i++)
        height = max64(height, items[i].offset + items[i].size);
    return height;
}
