/* private.h - shared by the files of the placement.
 * Items      the buffers that have bytes and a lifetime, ordered by (lower, index). Their sizes are rounded up to the
 *            alignment and counted in the largest unit that divides all of them.
 * Sections   time is reduced to its sections: the moments whose set of live buffers is in no other moment's set. Two
 *            items intersect in time exactly if they share a section, so nothing else matters; there are at most as
 *            many as items and gaps.
 * Parts      what an item with gaps occupies: in sections [from, to) the addresses [low, high) above its offset. A pool
 *            without gaps and alignments has none: each item occupies all its size in all its sections.
 * Errors     E_NOMEM unless stated otherwise. */
#ifndef NARROWS_MODEL_PLACEMENT_PRIVATE_H
#define NARROWS_MODEL_PLACEMENT_PRIVATE_H

#include <stdbool.h>

#include "model/placement/placement.h"

struct item {
    int32_t from, to; /* sections [from, to), gaps included */
    int64_t size, offset;
};

struct part {
    int32_t from, to;
    int64_t low, high;
};

struct pool {
    struct item *items;
    size_t *buffer; /* [n] index of each item's buffer */
    int32_t n, nsections;
    struct part *parts; /* those of an item in time order; NULL: there are no gaps, and all sizes keep the alignments */
    int32_t *first;     /* [n + 1] the first of each item's parts */
    int64_t *alignments; /* [n] in units */
    bool windows;        /* a gap leaves a part of a buffer in use */
    int64_t unit;        /* bytes */
    int64_t bound;       /* of the items, in units */
    int64_t biggest;     /* size of any buffer, those without a lifetime included: the least height */
};

/* E_INVAL, E_RANGE, E_NOMEM. */
int pool_read(struct pool *pool, const struct buffer *buffers, size_t n, int64_t alignment);
void pool_free(struct pool *pool); /* accepts an all-zero one */

static inline int64_t align_up(int64_t at, int64_t alignment)
{
    return alignment > 1 ? (at + alignment - 1) / alignment * alignment : at;
}

/* What item i occupies: '*parts', their number returned; 'whole' holds it where the pool has no parts. */
static inline int32_t pool_parts(const struct pool *pool, int32_t i, struct part *whole, const struct part **parts)
{
    if (pool->parts) {
        *parts = pool->parts + pool->first[i];
        return pool->first[i + 1] - pool->first[i];
    }
    *whole = (struct part){ pool->items[i].from, pool->items[i].to, 0, pool->items[i].size };
    *parts = whole;
    return 1;
}

static inline int64_t pool_alignment(const struct pool *pool, int32_t i)
{
    return pool->alignments ? pool->alignments[i] : 1;
}

/* Fills load[0..nsections), the sum of sizes in each section; load[nsections] is scratch. Returns the largest. */
int64_t items_load(const struct item *items, int32_t n, int32_t nsections, int64_t load[]);
int64_t pool_load(const struct pool *pool, int64_t load[]); /* the same of a pool with parts, too */

int64_t items_height(const struct item *items, int32_t n);

/* For hashes, and chance that depends on its argument alone. */
static inline uint64_t mix64(uint64_t z)
{
    z += 0x9e3779b97f4a7c15;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
    z = (z ^ z >> 27) * 0x94d049bb133111eb;
    return z ^ z >> 31;
}

/* How long placing may go on. */
struct search_budget {
    uint64_t nodes, limit;    /* of the search: spent so far; where to stop */
    uint64_t work, most_work; /* of the search: sections and items visited so far; where to stop */
    uint64_t other;           /* items and holes visited by the heuristics: limited by stop() alone */
    uint64_t asked;           /* work + other at the last call of stop() */
    bool (*stop)(void *context);
    void *context;
    bool stopped; /* by stop() */
};

/* Whether stop() has ended it; calls it once for each million visits. */
static inline bool budget_is_stopped(struct search_budget *b)
{
    enum { PATIENCE = 1000000 };

    if (b->stop && b->work + b->other - b->asked > PATIENCE && !b->stopped) {
        b->asked = b->work + b->other;
        b->stopped = b->stop(b->context);
    }
    return b->stopped;
}

static inline bool budget_is_spent(const struct search_budget *b)
{
    return b->stopped || b->nodes >= b->limit || b->work >= b->most_work;
}

/* In time order, each into the lowest hole; of a pool without parts. Items left when stop() ends it are stacked on top
 * of the others. */
int place_first_fit(struct item *items, int32_t n, int32_t nsections, struct search_budget *budget);

/* In the given order, each at the lowest offset that is free over its lifetime; stop() as above. The occupied addresses
 * of each section are cleared first, so one 'occupancy' serves for several calls. */
struct occupancy;
struct occupancy *occupancy_make(int32_t nsections); /* NULL: no memory */
void occupancy_free(struct occupancy *s);
int occupancy_place(struct occupancy *s, struct pool *pool, const int32_t order[], struct search_budget *budget);

/* The permutation of 0..n-1 by falling key, equal ones in time order. AREA is size times duration. */
enum item_key { BY_SIZE, BY_DURATION, BY_AREA, ITEM_KEYS, IN_TIME = ITEM_KEYS };
int items_order(const struct item *items, int32_t n, enum item_key key, int32_t order[]);

/* The tree search for a placement not higher than 'height'. */
enum search_answer { SEARCH_FOUND, SEARCH_NONE, SEARCH_STOPPED };
struct search;
struct search *search_make(const struct item *items, int32_t n, int32_t nsections, int32_t large); /* NULL: no memory */
void search_free(struct search *s);
/* An answer, or E_NOMEM; SEARCH_FOUND fills 'offset'. 'variant' selects the order in which choices are tried. With
 * weights, the items or also the sections come first where the searches before failed most. */
enum search_weights { NO_WEIGHTS, ITEM_WEIGHTS, ALL_WEIGHTS };
int search_run(struct search *s, int64_t height, int variant, enum search_weights weights, struct search_budget *budget,
               int64_t offset[]);

struct exact_goal {
    int64_t enough; /* a height that is low enough: no lower one is tried before it is reached */
    bool go_on;     /* then try lower ones */
    int32_t large;  /* 0: the usual */
};

/* As low as the goal asks for and the budget allows. '*floor' is a proved lower bound, and may rise. */
int place_exact(struct pool *pool, const struct exact_goal *goal, struct search_budget *budget, int64_t *floor);

#endif
