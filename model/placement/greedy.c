/* greedy.c - places items in a given order, each at the lowest address that is free over its lifetime. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/private.h"
#include "model/status.h"
#include "model/vec.h"

/* Addresses in use: sorted intervals that do not touch. Adjacent items merge, so that the list stays short. */
struct run {
    int64_t from, to;
};

struct runs {
    struct run *list;
    size_t n, capacity;
    int64_t covered; /* addresses in use */
};

/* A list that a part of an item must avoid: what is left of it above the addresses that were tried. */
struct cursor {
    const struct run *next, *end;
    int64_t covered, low, size; /* of the list; of the part */
};

/* A segment tree over the sections. A node's 'all' holds the addresses of every item that is alive in one of its
 * sections, its 'whole' those of items that cover all of them but not all of its parent's. The addresses in use over a
 * lifetime are the 'all' of the few nodes that make it up and the 'whole' of their ancestors. */
struct occupancy {
    int32_t leaves;
    struct runs *all, *whole; /* [2 * leaves] */
    struct cursor *cursors;   /* those that cover most come first: they leave the fewest addresses to try */
    size_t n, capacity;
};

struct occupancy *occupancy_make(int32_t nsections)
{
    struct occupancy *s = calloc(1, sizeof(*s));

    if (!s)
        return NULL;
    for (s->leaves = 1; s->leaves < nsections;)
        s->leaves *= 2;
    s->all = calloc(2 * (size_t)s->leaves, sizeof(*s->all));
    s->whole = calloc(2 * (size_t)s->leaves, sizeof(*s->whole));
    if (!s->all || !s->whole) {
        occupancy_free(s);
        return NULL;
    }
    return s;
}

void occupancy_free(struct occupancy *s)
{
    if (!s)
        return;
    for (size_t i = 0; s->all && s->whole && i < 2 * (size_t)s->leaves; i++) {
        free(s->all[i].list);
        free(s->whole[i].list);
    }
    free(s->all);
    free(s->whole);
    free(s->cursors);
    free(s);
}

/* The first run that ends above 'at'. */
static const struct run *above(const struct run *list, const struct run *end, int64_t at)
{
    while (list < end) {
        const struct run *middle = list + (end - list) / 2;
        if (middle->to <= at)
            list = middle + 1;
        else
            end = middle;
    }
    return list;
}

/* The same for one that is probably near. */
static const struct run *soon_above(const struct run *list, const struct run *end, int64_t at)
{
    enum { NEAR = 8 };
    ptrdiff_t step = NEAR;

    for (int i = 0; i < NEAR; i++, list++)
        if (list == end || list->to > at)
            return list;
    for (; step < end - list && list[step].to <= at; step *= 2)
        list += step;
    return above(list, step < end - list ? list + step : end, at);
}

/* The union with [from, to). */
static bool add(struct runs *r, int64_t from, int64_t to)
{
    const struct run *last;
    size_t at, gone;

    if (!VEC_RESERVE(r->list, r->capacity, r->n))
        return false;
    at = (size_t)(above(r->list, r->list + r->n, from - 1) - r->list); /* touches or lies above */
    for (last = r->list + at; last < r->list + r->n && last->from <= to; last++) {
        r->covered -= last->to - last->from;
        from = min64(last->from, from);
        to = max64(last->to, to);
    }
    gone = (size_t)(last - r->list) - at;
    memmove(r->list + at + 1, r->list + at + gone, (r->n - at - gone) * sizeof(*r->list));
    r->list[at] = (struct run){ from, to };
    r->n += 1 - gone;
    r->covered += to - from;
    return true;
}

static bool avoid(struct occupancy *s, const struct runs *r, const struct part *part)
{
    size_t i = s->n;

    if (!r->n)
        return true;
    if (!VEC_RESERVE(s->cursors, s->capacity, s->n))
        return false;
    for (s->n++; i && s->cursors[i - 1].covered < r->covered; i--)
        s->cursors[i] = s->cursors[i - 1];
    s->cursors[i] = (struct cursor){ r->list, r->list + r->n, r->covered, part->low, part->high - part->low };
    return true;
}

/* Node 'at' stands for sections [low, high). */
static bool gather(struct occupancy *s, const struct part *part, int32_t at, int32_t low, int32_t high)
{
    int32_t middle = low + (high - low) / 2;

    if (part->from <= low && high <= part->to)
        return avoid(s, &s->all[at], part);
    return avoid(s, &s->whole[at], part) && (part->from >= middle || gather(s, part, 2 * at, low, middle)) &&
           (part->to <= middle || gather(s, part, 2 * at + 1, middle, high));
}

/* The lowest offset from 'at' on that a list leaves free. */
static int64_t past(struct cursor *c, int64_t at)
{
    const struct run *r = soon_above(c->next, c->end, at + c->low);

    for (; r < c->end && r->from < at + c->low + c->size; r++)
        at = r->to - c->low;
    c->next = r;
    return at;
}

static int64_t lowest(struct occupancy *s, int64_t alignment, uint64_t *work)
{
    int64_t at = 0;

    for (size_t i = 0; i < s->n;) {
        int64_t next = align_up(past(&s->cursors[i], at), alignment);
        bool first = !i && alignment == 1; /* which is never asked twice in a row */
        i = next > at && !first ? 0 : i + 1;
        at = next;
        ++*work;
    }
    return at;
}

static bool mark(struct occupancy *s, const struct part *part, int64_t offset, int32_t at, int32_t low, int32_t high)
{
    int32_t middle = low + (high - low) / 2;

    if (!add(&s->all[at], offset + part->low, offset + part->high))
        return false;
    if (part->from <= low && high <= part->to)
        return add(&s->whole[at], offset + part->low, offset + part->high);
    return (part->from >= middle || mark(s, part, offset, 2 * at, low, middle)) &&
           (part->to <= middle || mark(s, part, offset, 2 * at + 1, middle, high));
}

/* One item. False: no memory. */
static bool put(struct occupancy *s, struct pool *pool, int32_t i, uint64_t *work)
{
    const struct part *parts;
    struct part whole;
    int32_t n = pool_parts(pool, i, &whole, &parts);
    bool there = true;

    s->n = 0;
    for (int32_t k = 0; there && k < n; k++)
        there = gather(s, &parts[k], 1, 0, s->leaves);
    if (there)
        pool->items[i].offset = lowest(s, pool_alignment(pool, i), work);
    for (int32_t k = 0; there && k < n; k++)
        there = mark(s, &parts[k], pool->items[i].offset, 1, 0, s->leaves);
    return there;
}

int occupancy_place(struct occupancy *s, struct pool *pool, const int32_t order[], struct search_budget *budget)
{
    int64_t top = 0;

    for (size_t i = 0; i < 2 * (size_t)s->leaves; i++)
        for (int k = 0; k < 2; k++) {
            struct runs *r = k ? &s->all[i] : &s->whole[i];
            r->n = 0;
            r->covered = 0;
        }
    for (int32_t i = 0; i < pool->n; i++) {
        struct item *item = &pool->items[order[i]];
        if (budget_is_stopped(budget))
            item->offset = align_up(top, pool_alignment(pool, order[i]));
        else if (!put(s, pool, order[i], &budget->other))
            return E_NOMEM;
        top = max64(top, item->offset + item->size);
        /* the longest list, which grows in the middle, is most of the rest */
        budget->other += 1 + s->all[1].n / 16;
    }
    return E_OK;
}
