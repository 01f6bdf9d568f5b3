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
};

/* A segment tree over the sections. A node's 'all' holds the addresses of every item that is alive in one of its
 * sections, its 'whole' those of items that cover all of them but not all of its parent's. The addresses in use over a
 * lifetime are the 'all' of the few nodes that make it up and the 'whole' of their ancestors. */
struct occupancy {
    int32_t leaves;
    struct runs *all, *whole; /* [2 * leaves] */
    /* The rest of each list that an item must avoid. */
    struct run *ahead[128], *end[128];
    int n;
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
    free(s);
}

/* The first run that ends above 'at'. */
static struct run *above(struct run *list, struct run *end, int64_t at)
{
    while (list < end) {
        struct run *middle = list + (end - list) / 2;
        if (middle->to <= at)
            list = middle + 1;
        else
            end = middle;
    }
    return list;
}

/* The union with [from, to). */
static bool add(struct runs *r, int64_t from, int64_t to)
{
    struct run *first, *last;
    size_t at, gone;

    if (!VEC_RESERVE(r->list, r->capacity, r->n))
        return false;
    first = above(r->list, r->list + r->n, from - 1); /* touches or lies above */
    for (last = first; last < r->list + r->n && last->from <= to; last++) {
        from = min64(last->from, from);
        to = max64(last->to, to);
    }
    at = (size_t)(first - r->list);
    gone = (size_t)(last - first);
    memmove(r->list + at + 1, r->list + at + gone, (r->n - at - gone) * sizeof(*r->list));
    r->list[at] = (struct run){ from, to };
    r->n += 1 - gone;
    return true;
}

static void avoid(struct occupancy *s, const struct runs *r)
{
    if (r->n) {
        s->ahead[s->n] = r->list;
        s->end[s->n++] = r->list + r->n;
    }
}

/* Node 'at' stands for sections [low, high). */
static void gather(struct occupancy *s, const struct item *item, int32_t at, int32_t low, int32_t high)
{
    int32_t middle = low + (high - low) / 2;

    if (item->from <= low && high <= item->to) {
        avoid(s, &s->all[at]);
        return;
    }
    avoid(s, &s->whole[at]);
    if (item->from < middle)
        gather(s, item, 2 * at, low, middle);
    if (item->to > middle)
        gather(s, item, 2 * at + 1, middle, high);
}

static int64_t lowest(struct occupancy *s, int64_t size, uint64_t *work)
{
    int64_t at = 0;

    for (int same = 0, i = 0; same < s->n; i = i + 1 < s->n ? i + 1 : 0, same++) {
        s->ahead[i] = above(s->ahead[i], s->end[i], at);
        for (; s->ahead[i] < s->end[i] && s->ahead[i]->from < at + size; s->ahead[i]++) {
            at = s->ahead[i]->to;
            same = 0;
            ++*work;
        }
    }
    return at;
}

static bool mark(struct occupancy *s, const struct item *item, int32_t at, int32_t low, int32_t high)
{
    int32_t middle = low + (high - low) / 2;
    int64_t to = item->offset + item->size;

    if (!add(&s->all[at], item->offset, to))
        return false;
    if (item->from <= low && high <= item->to)
        return add(&s->whole[at], item->offset, to);
    return (item->from >= middle || mark(s, item, 2 * at, low, middle)) &&
           (item->to <= middle || mark(s, item, 2 * at + 1, middle, high));
}

int occupancy_place(struct occupancy *s, struct item *items, int32_t n, const int32_t order[],
                    struct search_budget *budget)
{
    int64_t top = 0;

    for (size_t i = 0; i < 2 * (size_t)s->leaves; i++)
        s->all[i].n = s->whole[i].n = 0;
    for (int32_t i = 0; i < n; i++) {
        struct item *item = &items[order[i]];
        if (budget_is_stopped(budget)) {
            item->offset = top;
            top += item->size;
            continue;
        }
        s->n = 0;
        gather(s, item, 1, 0, s->leaves);
        item->offset = lowest(s, item->size, &budget->other);
        top = max64(top, item->offset + item->size);
        /* the longest list, which grows in the middle, is most of the rest */
        budget->other += 1 + s->all[1].n / 16;
        if (!mark(s, item, 1, 0, s->leaves))
            return E_NOMEM;
    }
    return E_OK;
}

struct rank {
    unsigned __int128 key;
    int32_t item;
};

static int falling(const void *a, const void *b)
{
    const struct rank *x = a, *y = b;

    if (x->key != y->key)
        return x->key > y->key ? -1 : 1;
    return compare64(x->item, y->item);
}

int items_order(const struct item *items, int32_t n, enum item_key key, int32_t order[])
{
    struct rank *ranks = malloc(((size_t)n + 1) * sizeof(*ranks));

    if (!ranks)
        return E_NOMEM;
    for (int32_t i = 0; i < n; i++) {
        unsigned __int128 size = (uint64_t)items[i].size, duration = (uint32_t)(items[i].to - items[i].from);
        ranks[i] = (struct rank){ (key == BY_DURATION ? 1 : size) * (key == BY_SIZE ? 1 : duration), i };
    }
    qsort(ranks, (size_t)n, sizeof(*ranks), falling);
    for (int32_t i = 0; i < n; i++)
        order[i] = ranks[i].item;
    free(ranks);
    return E_OK;
}
