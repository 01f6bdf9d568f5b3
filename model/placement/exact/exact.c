/* exact.c - EXACT: the best heuristic, then searches for lower heights until the bound or the budget is reached. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/private.h"
#include "model/status.h"

/* The best placement so far, and the bounds for lower ones. */
struct best {
    struct item *items;
    int32_t n, large;
    int64_t height, floor, enough; /* height 0: there is none yet */
    int tried;                     /* number of greedy orders tried */
    int64_t *offset;               /* scratch */
};

static void keep(struct best *b)
{
    for (int32_t i = 0; i < b->n; i++)
        b->items[i].offset = b->offset[i];
    b->height = items_height(b->items, b->n);
}

static bool is_done(const struct best *b)
{
    return b->height <= b->floor || b->height <= b->enough;
}

/* The heuristics not tried yet. Each is quick, and none is always the best. */
static int begin(struct best *b, int32_t nsections, struct search_budget *budget)
{
    struct occupancy *occupancy = occupancy_make(nsections);
    int32_t *order = malloc(((size_t)b->n + 1) * sizeof(*order));
    int rc = occupancy && order ? E_OK : E_NOMEM;

    if (!rc && !b->height) {
        rc = place_first_fit(b->items, b->n, nsections, budget);
        b->height = rc ? 0 : items_height(b->items, b->n);
    }
    for (; !rc && b->tried < ITEM_KEYS && !is_done(b) && !budget->stopped; b->tried++) {
        for (int32_t i = 0; i < b->n; i++)
            b->offset[i] = b->items[i].offset;
        rc = items_order(b->items, b->n, (enum item_key)b->tried, order);
        if (!rc)
            rc = occupancy_place(occupancy, b->items, b->n, order, budget);
        if (!rc && items_height(b->items, b->n) >= b->height)
            for (int32_t i = 0; i < b->n; i++)
                b->items[i].offset = b->offset[i];
        else if (!rc)
            b->height = items_height(b->items, b->n);
        budget->stopped |= budget->stop && budget->stop(budget->context);
    }
    occupancy_free(occupancy);
    free(order);
    return rc;
}

/* One search at this height, with at most 'nodes' nodes. */
static int try_at(struct search *s, struct best *b, int64_t height, int variant, uint64_t nodes,
                  struct search_budget *budget)
{
    struct search_budget share = *budget;
    int answer;

    if (share.limit - share.nodes > nodes)
        share.limit = share.nodes + nodes;
    answer = search_run(s, height, variant, &share, b->offset);
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

/* Bisects between the height at which a search gave up (or the floor) and the best one, a few times. */
static int halve(struct search *s, struct best *b, int variant, uint64_t nodes, struct search_budget *budget)
{
    int64_t low = max64(b->floor, b->enough);
    int answer = 0;

    for (int i = 0; i < 6 && answer >= 0 && b->height - 1 > low && !is_over(b, budget); i++) {
        int64_t height = low + (b->height - 1 - low) / 2;
        answer = try_at(s, b, height, variant, nodes, budget);
        if (answer != SEARCH_FOUND)
            low = height + 1;
    }
    return answer < 0 ? answer : E_OK;
}

/* Rounds of growing effort: each searches at the wanted height with six orders of choices, then at heights above it. A
 * successful search of a large instance mostly backtracks little and needs about a node for each item; one that
 * backtracks much goes on to do so, while another order may not. The first round therefore gives a quarter more nodes
 * than that, to two orders of each kind (the plans of some residual networks need one particular kind). Which order
 * comes first matters little; variant 15 finds all plans of ResNet-152 in 16 patches that were tried. */
static int descend(struct search **s, struct best *b, int32_t nsections, struct search_budget *budget)
{
    int rc = begin(b, nsections, budget);

    if (!rc && !*s && !is_over(b, budget)) {
        *s = search_make(b->items, b->n, nsections, b->large);
        rc = *s ? E_OK : E_NOMEM;
    }
    for (int round = 0, variant = 15; !rc && !is_over(b, budget); round++) {
        uint64_t nodes = ((uint64_t)b->n * 5 / 4 + 1000) << (round < 40 ? round : 40);
        for (int i = 0; i < 6 && rc >= 0 && !is_over(b, budget); i++)
            rc = try_at(*s, b, max64(b->floor, b->enough), variant++, nodes, budget);
        rc = rc < 0 ? rc : E_OK;
        if (!rc)
            rc = halve(*s, b, round % 3, nodes, budget);
    }
    return rc;
}

int place_exact(struct item *items, int32_t n, int32_t nsections, const struct exact_goal *goal,
                struct search_budget *budget, int64_t *floor)
{
    struct best b = { .items = items, .n = n, .floor = *floor, .enough = goal->enough, .large = goal->large };
    struct search *s = NULL;
    int rc = E_NOMEM;

    b.offset = malloc(((size_t)n + 1) * sizeof(*b.offset));
    if (b.offset)
        rc = descend(&s, &b, nsections, budget);
    if (!rc && goal->go_on) {
        b.enough = 0;
        rc = descend(&s, &b, nsections, budget);
    }
    *floor = b.floor;
    search_free(s);
    free(b.offset);
    return rc;
}
