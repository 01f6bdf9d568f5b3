/* exact.c - EXACT: the best heuristic, then searches for lower heights until the bound or the budget is reached. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/exact/rising.h"
#include "model/placement/private.h"
#include "model/status.h"

enum { SMALL = 512 }; /* items of a pool whose orders are tried by the dozen */

/* The best placement so far, and the bounds for lower ones. */
struct best {
    struct pool *pool;
    int64_t height, floor, enough; /* height 0: there is none yet; below the floor nothing will be found */
    int tried;                     /* number of greedy orders tried */
    int64_t *offset;               /* scratch */
    struct search *valleys;        /* only of a pool without parts */
    struct rising *rising;
    int32_t large;
};

static void keep(struct best *b)
{
    for (int32_t i = 0; i < b->pool->n; i++)
        b->pool->items[i].offset = b->offset[i];
    b->height = items_height(b->pool->items, b->pool->n);
}

static bool is_done(const struct best *b)
{
    return b->height <= b->floor || b->height <= b->enough;
}

/* One order; the placement before stays if it is as low. */
static int try_order(struct best *b, struct occupancy *occupancy, enum item_key key, int32_t order[],
                     struct search_budget *budget)
{
    struct item *items = b->pool->items;
    int rc;

    for (int32_t i = 0; i < b->pool->n; i++)
        b->offset[i] = items[i].offset;
    rc = items_order(items, b->pool->n, key, order);
    if (!rc)
        rc = occupancy_place(occupancy, b->pool, order, budget);
    if (!rc && b->height && items_height(items, b->pool->n) >= b->height)
        for (int32_t i = 0; i < b->pool->n; i++)
            items[i].offset = b->offset[i];
    else if (!rc)
        b->height = items_height(items, b->pool->n);
    return rc;
}

/* The heuristics not tried yet. Each is quick, and none is always the best. */
static int begin(struct best *b, struct search_budget *budget)
{
    struct pool *pool = b->pool;
    struct occupancy *occupancy = occupancy_make(pool->nsections);
    int32_t *order = malloc(((size_t)pool->n + 1) * sizeof(*order));
    int rc = occupancy && order ? E_OK : E_NOMEM;

    if (!rc && !b->height && pool->parts) {
        rc = try_order(b, occupancy, IN_TIME, order, budget);
    } else if (!rc && !b->height) {
        rc = place_first_fit(pool->items, pool->n, pool->nsections, budget);
        b->height = rc ? 0 : items_height(pool->items, pool->n);
    }
    for (; !rc && b->tried < ITEM_KEYS && !is_done(b) && !budget->stopped; b->tried++) {
        rc = try_order(b, occupancy, (enum item_key)b->tried, order, budget);
        budget->stopped |= budget->stop && budget->stop(budget->context);
    }
    occupancy_free(occupancy);
    free(order);
    return rc;
}

/* The searches to try, made once. */
static int make_searches(struct best *b)
{
    const struct pool *pool = b->pool;

    if (!b->valleys && !pool->parts) {
        b->valleys = search_make(pool->items, pool->n, pool->nsections, b->large);
        if (!b->valleys)
            return E_NOMEM;
    }
    if (!b->rising && pool->n <= RISING_MOST) {
        b->rising = rising_make(pool);
        if (!b->rising)
            return E_NOMEM;
    }
    return E_OK;
}

/* One search at this height, with at most 'nodes' nodes. */
enum kind { VALLEYS, VALLEYS_BY_ITEMS, VALLEYS_BY_ALL, RISING };
static int try_at(struct best *b, enum kind kind, int64_t height, int variant, uint64_t nodes,
                  struct search_budget *budget)
{
    struct search_budget share = *budget;
    int answer;

    if (share.limit - share.nodes > nodes)
        share.limit = share.nodes + nodes;
    answer = kind == RISING
                 ? rising_run(b->rising, height, variant, &share, b->offset)
                 : search_run(b->valleys, height, variant, (enum search_weights)(kind - VALLEYS), &share, b->offset);
    share.limit = budget->limit;
    *budget = share;
    if (answer == SEARCH_FOUND)
        keep(b);
    else if (answer == SEARCH_NONE && height >= b->floor)
        b->floor = height + 1;
    return answer;
}

static bool is_over(const struct best *b, const struct search_budget *budget)
{
    return is_done(b) || budget_is_spent(budget);
}

/* At the wanted height, with several orders of choices. */
static int aim(struct best *b, enum kind kind, int *variant, int n, uint64_t nodes, struct search_budget *budget)
{
    int answer = 0;

    for (int i = 0; i < n && answer >= 0 && !is_over(b, budget); i++)
        answer = try_at(b, kind, max64(b->floor, b->enough), (*variant)++, nodes, budget);
    return answer < 0 ? answer : E_OK;
}

/* Bisects between the height at which a search gave up (or the floor) and the best one, a few times. */
static int halve(struct best *b, enum kind kind, int variant, uint64_t nodes, struct search_budget *budget)
{
    int64_t low = max64(b->floor, b->enough);
    int answer = 0;

    for (int i = 0; i < 6 && answer >= 0 && b->height - 1 > low && !is_over(b, budget); i++) {
        int64_t height = low + (b->height - 1 - low) / 2;
        answer = try_at(b, kind, height, variant, nodes, budget);
        if (answer != SEARCH_FOUND)
            low = height + 1;
    }
    return answer < 0 ? answer : E_OK;
}

/* Many short searches at the wanted height, each with an order of choices of its own: most orders are lost after a few
 * bad choices, and a hard instance is easy in some order. */
static int dash(struct best *b, int *tries, int n, struct search_budget *budget)
{
    static const struct {
        enum kind kind;
        int nodes;
    } turns[] = { { VALLEYS_BY_ALL, 2000 }, { RISING, 700 }, { VALLEYS_BY_ALL, 2000 }, { VALLEYS_BY_ITEMS, 2000 } };
    int answer = 0;

    for (int end = *tries + n; *tries < end && answer >= 0 && !is_over(b, budget); ++*tries) {
        int turn = *tries % 4, cycle = *tries / 4;
        int variant = turns[turn].kind == VALLEYS_BY_ALL ? 2 * cycle + turn / 2 : cycle;
        if (turns[turn].kind == RISING ? b->rising != NULL : b->valleys != NULL)
            answer =
                try_at(b, turns[turn].kind, max64(b->floor, b->enough), variant, (uint64_t)turns[turn].nodes, budget);
    }
    return answer < 0 ? answer : E_OK;
}

/* Rounds of growing effort: each searches at the wanted height with six orders of choices, then at heights above it. A
 * successful search of a large instance mostly backtracks little and needs about a node for each item; one that
 * backtracks much goes on to do so, while another order may not. The first round therefore gives a quarter more nodes
 * than that, to two orders of each kind (the plans of some residual networks need one particular kind). Which order
 * comes first matters little; variant 15 finds all plans of ResNet-152 in 16 patches that were tried. What the first
 * round does not find, the other kind of search may. */
static int descend(struct best *b, struct search_budget *budget)
{
    int rc = begin(b, budget), variant = 15, rising = 0, tries = 0;

    if (!rc && !is_over(b, budget))
        rc = make_searches(b);
    for (int round = 0; !rc && !is_over(b, budget) && (b->valleys || b->rising); round++) {
        uint64_t nodes = ((uint64_t)b->pool->n * 5 / 4 + 1000) << (round < 40 ? round : 40);
        if (round && b->pool->n <= SMALL)
            rc = dash(b, &tries, 64 << 2 * (round < 10 ? round - 1 : 9), budget);
        if (!rc && b->valleys) {
            rc = aim(b, VALLEYS, &variant, 6, nodes, budget);
            rc = rc ? rc : halve(b, round % 2 ? VALLEYS_BY_ALL : VALLEYS, round % 3, nodes, budget);
        }
        if (!rc && b->rising && !(b->valleys && !round)) {
            rc = aim(b, RISING, &rising, RISING_VARIANTS, nodes, budget);
            rc = rc ? rc : halve(b, RISING, round, nodes, budget);
        }
    }
    return rc;
}

int place_exact(struct pool *pool, const struct exact_goal *goal, struct search_budget *budget, int64_t *floor)
{
    struct best b = { .pool = pool, .floor = *floor, .enough = goal->enough, .large = goal->large };
    int rc = E_NOMEM;

    b.offset = malloc(((size_t)pool->n + 1) * sizeof(*b.offset));
    if (b.offset)
        rc = descend(&b, budget);
    if (!rc && goal->go_on) {
        b.enough = 0;
        rc = descend(&b, budget);
    }
    if (!pool->windows) /* the search leaves some placements out */
        *floor = b.floor;
    search_free(b.valleys);
    rising_free(b.rising);
    free(b.offset);
    return rc;
}
