/* greedy.c - places items in a given order, each at the lowest address that is free over its lifetime. */
#include <stdbool.h>
#include <stdlib.h>

#include "model/numbers.h"
#include "model/placement/private.h"
#include "model/placement/runs.h"
#include "model/status.h"
#include "model/vec.h"

/* A list that a part of an item must avoid: what is left of it above the addresses that were tried. */
struct cursor {
    const struct run *next, *end;
    int64_t covered, low, size; /* of the list; of the part */
    bool core;                  /* all that the list holds is in use over the core of the part */
};

/* The core of an item is the sections of its largest part but for the ends: up to CORE_BLOCKS neighbouring nodes of one
 * level, as many as the part covers, of the lowest level at which they are not more. Items with the same core must
 * avoid much of the same. What the lists of the core have made one of them avoid is therefore known to the next, in one
 * list; it leaves no address free that they do not leave free, so that it changes no placement. Parts that cover few
 * sections meet few lists, and share their core with few others: they have none. */
enum { CORE_BLOCKS = 4, CORE_LEVEL = 6 };

struct core {
    struct runs *known; /* NULL: there is no core */
    const struct part *part;
    int32_t block, from, to; /* sections of one node; of all */
};

/* A segment tree over the sections. A node's 'all' holds the addresses of every item that is alive in one of its
 * sections, its 'whole' those of items that cover all of them but not all of its parent's. The addresses in use over a
 * lifetime are the 'all' of the few nodes that make it up and the 'whole' of their ancestors. */
struct occupancy {
    int32_t leaves;
    struct runs *all, *whole; /* [2 * leaves] */
    struct cursor *cursors;   /* what is known, then those that cover most: they leave the fewest addresses to try */
    size_t n, capacity;
    struct runs *known; /* [nknown] of each possible core: by its first node, then by the number of nodes */
    size_t nknown;
    int64_t least; /* no largest part is smaller: in 'known', free addresses that are fewer count as in use */
    struct core core;
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
    s->nknown = (2 * (size_t)s->leaves >> CORE_LEVEL) * CORE_BLOCKS;
    s->known = calloc(s->nknown + 1, sizeof(*s->known));
    if (!s->all || !s->whole || !s->known) {
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
    for (size_t i = 0; s->known && i < s->nknown; i++)
        free(s->known[i].list);
    free(s->all);
    free(s->whole);
    free(s->known);
    free(s->cursors);
    free(s);
}

static const struct part *largest_part(const struct part *parts, int32_t n)
{
    const struct part *largest = parts;

    for (int32_t k = 1; k < n; k++)
        if ((double)(parts[k].to - parts[k].from) * (double)(parts[k].high - parts[k].low) >
            (double)(largest->to - largest->from) * (double)(largest->high - largest->low))
            largest = &parts[k];
    return largest;
}

/* The first cursor is that of what is known of the core, if there is one. */
static bool choose_core(struct occupancy *s, const struct part *part)
{
    int32_t level = 0, from = part->from, to = part->to;

    for (; to - from > CORE_BLOCKS; level++) {
        from = (from + 1) / 2;
        to /= 2;
    }
    s->core.known = NULL;
    if (level < CORE_LEVEL)
        return true;
    if (!VEC_RESERVE(s->cursors, s->capacity, s->n))
        return false;
    struct runs *r = &s->known[((s->leaves >> level) + from) * CORE_BLOCKS + to - from - 1];
    s->core = (struct core){ r, part, 1 << level, from << level, to << level };
    s->cursors[s->n++] =
        (struct cursor){ r->list, r->list + r->n, INT64_MAX, part->low, part->high - part->low, false };
    return true;
}

static bool avoid(struct occupancy *s, const struct runs *r, const struct part *part, bool core)
{
    size_t i = s->n;

    if (!r->n)
        return true;
    if (!VEC_RESERVE(s->cursors, s->capacity, s->n))
        return false;
    for (s->n++; i && s->cursors[i - 1].covered < r->covered; i--)
        s->cursors[i] = s->cursors[i - 1];
    s->cursors[i] = (struct cursor){ r->list, r->list + r->n, r->covered, part->low, part->high - part->low, core };
    return true;
}

/* Node 'at' stands for sections [low, high). */
static bool gather(struct occupancy *s, const struct part *part, int32_t at, int32_t low, int32_t high)
{
    int32_t middle = low + (high - low) / 2;
    bool core = s->core.known && part == s->core.part;

    if (part->from <= low && high <= part->to)
        return avoid(s, &s->all[at], part, core && high - low >= s->core.block);
    return avoid(s, &s->whole[at], part, core && low < s->core.to && s->core.from < high) &&
           (part->from >= middle || gather(s, part, 2 * at, low, middle)) &&
           (part->to <= middle || gather(s, part, 2 * at + 1, middle, high));
}

/* For items with the same core, and for what is left to do for this one. Without memory nothing is learned. */
static void learn(struct occupancy *s, int64_t from, int64_t to)
{
    struct runs *known = s->core.known;
    const struct run *r = runs_add(known, from, to, s->least);

    if (r) {
        s->cursors[0].next = r;
        s->cursors[0].end = known->list + known->n;
    }
}

/* The lowest offset from 'at' on that a list leaves free. */
static int64_t past(struct occupancy *s, struct cursor *c, int64_t at)
{
    const struct run *r = runs_soon_above(c->next, c->end, at + c->low), *first = r;

    for (; r < c->end && r->from < at + c->low + c->size; r++) {
        if (c->core && r > first && r->from - r[-1].to >= s->least) {
            learn(s, first->from, r[-1].to);
            first = r;
        }
        at = r->to - c->low;
    }
    if (c->core && r > first)
        learn(s, first->from, r[-1].to);
    c->next = r;
    return at;
}

static int64_t lowest(struct occupancy *s, int64_t alignment, uint64_t *work)
{
    int64_t at = 0;

    for (size_t i = 0; i < s->n;) {
        int64_t next = align_up(past(s, &s->cursors[i], at), alignment);
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

    if (!runs_add(&s->all[at], offset + part->low, offset + part->high, 1))
        return false;
    if (part->from <= low && high <= part->to)
        return runs_add(&s->whole[at], offset + part->low, offset + part->high, 1) != NULL;
    return (part->from >= middle || mark(s, part, offset, 2 * at, low, middle)) &&
           (part->to <= middle || mark(s, part, offset, 2 * at + 1, middle, high));
}

/* One item. False: no memory. */
static bool put(struct occupancy *s, struct pool *pool, int32_t i, uint64_t *work)
{
    const struct part *parts;
    struct part whole;
    int32_t n = pool_parts(pool, i, &whole, &parts);
    bool there;

    s->n = 0;
    there = choose_core(s, largest_part(parts, n));
    for (int32_t k = 0; there && k < n; k++)
        there = gather(s, &parts[k], 1, 0, s->leaves);
    *work += s->n;
    if (there)
        pool->items[i].offset = lowest(s, pool_alignment(pool, i), work);
    for (int32_t k = 0; there && k < n; k++)
        there = mark(s, &parts[k], pool->items[i].offset, 1, 0, s->leaves);
    return there;
}

static void clear(struct runs *r, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        r[i].n = 0;
        r[i].covered = 0;
    }
}

static int64_t least_part(const struct pool *pool)
{
    int64_t least = INT64_MAX;

    for (int32_t i = 0; i < pool->n; i++) {
        const struct part *parts;
        struct part whole;
        int32_t n = pool_parts(pool, i, &whole, &parts);
        parts = largest_part(parts, n);
        least = min64(least, parts->high - parts->low);
    }
    return least;
}

/* In time order what is alive at the beginning of an item is all that it must avoid, unless there are gaps. */
static bool is_first_fit(const struct pool *pool, const int32_t order[])
{
    int32_t i = 0;

    while (!pool->parts && i < pool->n && order[i] == i)
        i++;
    return !pool->parts && i == pool->n;
}

int occupancy_place(struct occupancy *s, struct pool *pool, const int32_t order[], struct search_budget *budget)
{
    int64_t top = 0;

    if (is_first_fit(pool, order))
        return place_first_fit(pool->items, pool->n, pool->nsections, budget);
    clear(s->all, 2 * (size_t)s->leaves);
    clear(s->whole, 2 * (size_t)s->leaves);
    clear(s->known, s->nknown);
    s->least = least_part(pool);
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
