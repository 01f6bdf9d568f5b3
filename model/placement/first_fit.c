/* first_fit.c - placement in time order, each item into the lowest hole that it fits in. */
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/private.h"
#include "model/status.h"

/* A hole [from, to); the last one has no end. */
struct hole {
    int64_t from, to;
};

struct holes {
    struct hole *list; /* in the order of addresses, never touching */
    size_t n;
};

static void drop(struct holes *h, size_t i)
{
    memmove(h->list + i, h->list + i + 1, (--h->n - i) * sizeof(*h->list));
}

static int64_t take(struct holes *h, int64_t size, uint64_t *work)
{
    size_t i = 0;
    int64_t at;

    while (h->list[i].to - h->list[i].from < size)
        i++;
    *work += i + 1;
    at = h->list[i].from;
    h->list[i].from += size;
    if (h->list[i].from == h->list[i].to)
        drop(h, i);
    return at;
}

static void give(struct holes *h, int64_t from, int64_t to)
{
    size_t low = 0, high = h->n; /* the first hole above */

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (h->list[middle].from < to)
            low = middle + 1;
        else
            high = middle;
    }
    if (low && h->list[low - 1].to == from) {
        h->list[low - 1].to = to;
        if (low < h->n && h->list[low].from == to) {
            h->list[low - 1].to = h->list[low].to;
            drop(h, low);
        }
    } else if (low < h->n && h->list[low].from == to) {
        h->list[low].from = from;
    } else {
        memmove(h->list + low + 1, h->list + low, (h->n - low) * sizeof(*h->list));
        h->list[low] = (struct hole){ from, to };
        h->n++;
    }
}

/* Items by the section in which they are gone: list of each in 'next', heads in 'gone'. */
static void list_ends(const struct item *items, int32_t n, int32_t nsections, int32_t gone[], int32_t next[])
{
    for (int32_t s = 0; s <= nsections; s++)
        gone[s] = -1;
    for (int32_t i = n - 1; i >= 0; i--) {
        next[i] = gone[items[i].to];
        gone[items[i].to] = i;
    }
}

int place_first_fit(struct item *items, int32_t n, int32_t nsections, struct search_budget *budget)
{
    int64_t top = 0;
    struct holes holes = { malloc(((size_t)n + 2) * sizeof(struct hole)), 1 };
    int32_t *gone = malloc(((size_t)nsections + 1) * sizeof(*gone)), *next = malloc(((size_t)n + 1) * sizeof(*next));
    int rc = holes.list && gone && next ? E_OK : E_NOMEM;

    if (!rc) {
        holes.list[0] = (struct hole){ 0, INT64_MAX };
        list_ends(items, n, nsections, gone, next);
        for (int32_t i = 0, section = 0; i < n; i++) {
            if (budget_is_stopped(budget)) {
                items[i].offset = top;
                top += items[i].size;
                continue;
            }
            for (; section < items[i].from; section++)
                for (int32_t e = gone[section + 1]; e >= 0; e = next[e])
                    give(&holes, items[e].offset, items[e].offset + items[e].size);
            items[i].offset = take(&holes, items[i].size, &budget->other);
            top = max64(top, items[i].offset + items[i].size);
        }
    }
    free(holes.list);
    free(gone);
    free(next);
    return rc;
}
