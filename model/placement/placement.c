#include "model/placement/placement.h"

#include <stdlib.h>

#include "model/numbers.h"
#include "model/placement/private.h"
#include "model/status.h"

const char *placement_name(enum placement_method m)
{
    static const char *const names[PLACEMENT_METHODS] = { "first-fit", "greedy-by-size", "exact" };

    return m < PLACEMENT_METHODS ? names[m] : "?";
}

static int greedy(struct pool *pool, enum item_key key, struct search_budget *budget)
{
    struct occupancy *occupancy = occupancy_make(pool->nsections);
    int32_t *order = malloc(((size_t)pool->n + 1) * sizeof(*order));
    int rc = occupancy && order ? items_order(pool->items, pool->n, key, order) : E_NOMEM;

    if (!rc)
        rc = occupancy_place(occupancy, pool, order, budget);
    occupancy_free(occupancy);
    free(order);
    return rc;
}

/* Gaps make what is alive at the beginning of an item tell too little: then every moment of its life is looked at. */
static int first_fit(struct pool *pool, struct search_budget *budget)
{
    return pool->parts ? greedy(pool, IN_TIME, budget) : place_first_fit(pool->items, pool->n, pool->nsections, budget);
}

static struct search_budget budget_of(const struct placement_options *o)
{
    const uint64_t usual = 10000000;
    struct search_budget b = { .limit = o->budget ? o->budget : usual, .stop = o->stop, .context = o->context };

    b.most_work = b.limit < UINT64_MAX / PLACEMENT_NODE_WORK ? b.limit * PLACEMENT_NODE_WORK : UINT64_MAX;
    return b;
}

int placement_make(struct buffer *buffers, size_t n, const struct placement_options *options, struct placement *out)
{
    struct pool pool;
    struct placement p = { 0 };
    struct search_budget budget = budget_of(options);
    struct exact_goal goal;
    int rc = options->method < PLACEMENT_METHODS && options->capacity >= 0 && options->large >= 0 ? E_OK : E_INVAL;

    if (!rc)
        rc = pool_read(&pool, buffers, n, options->alignment);
    if (rc)
        return rc;
    p.floor = max64(pool.bound, pool.biggest);
    switch (options->method) {
    case PLACEMENT_FIRST_FIT: rc = first_fit(&pool, &budget); break;
    case PLACEMENT_GREEDY_SIZE: rc = greedy(&pool, BY_SIZE, &budget); break;
    default:
        goal = (struct exact_goal){ options->capacity / pool.unit, options->go_on, options->large };
        rc = place_exact(&pool, &goal, &budget, &p.floor);
        break;
    }
    if (!rc) {
        p.height = max64(items_height(pool.items, pool.n), pool.biggest) * pool.unit;
        p.bound = pool.bound * pool.unit;
        p.floor *= pool.unit;
        p.nodes = budget.nodes;
        p.stopped = budget_is_spent(&budget) && p.height > p.floor;
        for (size_t i = 0; i < n; i++)
            buffers[i].offset = 0;
        for (int32_t i = 0; i < pool.n; i++)
            buffers[pool.buffer[i]].offset = pool.items[i].offset * pool.unit;
        *out = p;
    }
    pool_free(&pool);
    return rc;
}

int64_t placement_bound(const struct buffer *buffers, size_t n, int64_t alignment)
{
    struct pool pool;
    int64_t bound;
    int rc = pool_read(&pool, buffers, n, alignment);

    if (rc)
        return rc;
    bound = pool.bound * pool.unit;
    pool_free(&pool);
    return bound;
}
