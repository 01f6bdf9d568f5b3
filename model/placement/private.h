/* placement_private.h - what the files of the placement share.
 * Items      the buffers that have bytes and a lifetime, in the order of (lower, index), in units that all sizes,
 *            rounded up to the alignment, are multiples of. Time is
 *            counted in sections: the moments at which a set of buffers is alive that no other moment's set contains. Two
 *            items meet in time if they meet in a section, so that sections are all that matters; there are at most n.
 * Errors     E_NOMEM where nothing else is said. */
#ifndef NARROWS_SIM_MEMORY_PLACEMENT_PRIVATE_H
#define NARROWS_SIM_MEMORY_PLACEMENT_PRIVATE_H

#include "model/placement/placement.h"

struct item {
    int32_t from, to; /* sections [from, to) */
    int64_t size, offset;
};

struct pool {
    struct item *items;
    size_t *buffer; /* [n] whose item it is */
    int32_t n, nsections;
    int64_t unit;    /* bytes */
    int64_t bound;   /* of the items, in units */
    int64_t biggest; /* size of any buffer, those without a lifetime included: the least height */
};

/* E_INVAL, E_RANGE, E_NOMEM. */
int pool_read(struct pool *pool, const struct buffer *buffers, size_t n, int64_t alignment);
void pool_free(struct pool *pool); /* accepts an all-zero one */

/* The largest sum of sizes in one section; 'load' has room for one of each. */
int64_t items_load(const struct item *items, int32_t n, int32_t nsections, int64_t load[]);

int64_t items_height(const struct item *items, int32_t n);

/* How long placing may go on. */
struct search_budget {
    uint64_t nodes, limit;    /* of the search: spent so far; where to stop */
    uint64_t work, most_work; /* sections and items that it looked at, likewise */
    uint64_t other;           /* what the heuristics looked at: limited by stop() alone */
    uint64_t asked;           /* work + other as stop() was asked last */
    _Bool (*stop)(void *context);
    void *context;
    _Bool stopped; /* by stop() */
};

/* Whether stop() has ended it; asked once in a while. */
static inline _Bool budget_is_stopped(struct search_budget *b)
{
    enum { PATIENCE = 1000000 };

    if (b->stop && b->work + b->other - b->asked > PATIENCE && !b->stopped) {
        b->asked = b->work + b->other;
        b->stopped = b->stop(b->context);
    }
    return b->stopped;
}

static inline _Bool budget_is_spent(const struct search_budget *b)
{
    return b->stopped || b->nodes >= b->limit || b->work >= b->most_work;
}

/* In time order, each into the lowest hole; what is left when stop() ends it lies on top of all else, one on the other. */
int place_first_fit(struct item *items, int32_t n, int32_t nsections, struct search_budget *budget);

/* One item after another, each at the lowest offset that is free over its lifetime; where stop() ends it, as above. The shelves can
 * be used again. */
struct shelves;
struct shelves *shelves_make(int32_t nsections); /* NULL: no memory */
void shelves_free(struct shelves *s);
int shelves_place(struct shelves *s, struct item *items, int32_t n, const int32_t order[],
                  struct search_budget *budget);

/* Longest list first: a permutation of 0..n-1 by falling key, equal ones in time order. */
enum item_key { BY_SIZE, BY_DURATION, BY_AREA, ITEM_KEYS };
int items_order(const struct item *items, int32_t n, enum item_key key, int32_t order[]);

/* The tree search for a placement not higher than 'height'. */
enum search_answer { SEARCH_FOUND, SEARCH_NONE, SEARCH_STOPPED };
struct search;
struct search *search_make(const struct item *items, int32_t n, int32_t nsections, int32_t large); /* NULL: no memory */
void search_free(struct search *s);
/* An answer, or E_NOMEM; 'offset' is filled where it is SEARCH_FOUND. 'variant': of the order in which choices are tried. */
int search_run(struct search *s, int64_t height, int variant, struct search_budget *budget, int64_t offset[]);

struct exact_goal {
    int64_t enough; /* a height that will do: until it is reached no lower one is tried */
    _Bool go_on;    /* and then all lower ones are */
    int32_t large;  /* 0: the usual */
};

/* As low as the goal says and the budget allows. '*floor' is what is proved already, and may rise. */
int place_exact(struct item *items, int32_t n, int32_t nsections, const struct exact_goal *goal,
                struct search_budget *budget, int64_t *floor);

#endif
