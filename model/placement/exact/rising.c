#include "model/placement/exact/rising.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/numbers.h"
#include "model/placement/exact/rising_state.h"
#include "model/status.h"
#include "model/vec.h"

/* The choice before another: lower, then of lower rank. */
static bool comes_first(const struct rising *r, int32_t a, int32_t b)
{
    return r->low[a] != r->low[b] ? r->low[a] < r->low[b] : r->rank[a] < r->rank[b];
}

/* Items that may be next, in the order in which they are tried. What would leave space below it for another item is no
 * choice, nor is one out of order: a placement that has it is found elsewhere. */
static int list_choices(struct rising *r, const struct level *level, int64_t lowest_top)
{
    size_t first = r->nchoices;

    for (int32_t k = level->first; k < level->first + level->count; k++) {
        int32_t item = r->list[k], same = r->same[item];
        int64_t low = r->low[item];
        if (low >= lowest_top || low < level->offset || (low == level->offset && r->rank[item] < level->rank) ||
            (same >= 0 && !r->placed[same]))
            continue;
        if (!VEC_RESERVE(r->choices, r->choices_capacity, r->nchoices))
            return E_NOMEM;
        size_t at = r->nchoices++;
        for (; at > first && comes_first(r, item, r->choices[at - 1]); at--)
            r->choices[at] = r->choices[at - 1];
        r->choices[at] = item;
    }
    return E_OK;
}

static int search_level(struct rising *r, struct level level, struct search_budget *budget);

/* Moves the item to the end of its level's list. */
static void take_out(struct rising *r, const struct level *level, int32_t item)
{
    int32_t k = level->first, last = level->first + level->count - 1;

    while (r->list[k] != item)
        k++;
    r->list[k] = r->list[last];
    r->list[last] = item;
}

static int try_choices(struct rising *r, const struct level *level, int64_t lowest_top, struct search_budget *budget)
{
    size_t begin = r->nchoices, end;
    int rc = list_choices(r, level, lowest_top);

    end = r->nchoices;
    if (!rc)
        rc = SEARCH_NONE;
    for (size_t k = begin; k < end && rc == SEARCH_NONE; k++) {
        struct level next = *level;
        int32_t item = r->choices[k];
        size_t nundo = r->nundo;

        budget->nodes++;
        next.offset = r->low[item];
        next.rank = r->rank[item];
        take_out(r, level, item);
        next.count--;
        rc = rising_put(r, &next, item) ? search_level(r, next, budget) : E_NOMEM;
        if (rc == SEARCH_NONE)
            rising_undo(r, nundo);
    }
    r->nchoices = begin;
    return rc;
}

/* Independent parts of a level: what fails in one cannot be mended in another. */
static int search_parts(struct rising *r, const struct level *level, struct search_budget *budget)
{
    int32_t first = level->first, end = level->first + level->count;
    size_t nundo = r->nundo;
    int rc = SEARCH_FOUND;

    rising_sort(r, level);
    while (first < end && rc == SEARCH_FOUND) {
        struct level part = *level;
        rising_first_part(r, first, end, &part);
        first += part.count;
        rc = search_level(r, part, budget);
    }
    if (rc == SEARCH_NONE)
        rising_undo(r, nundo);
    return rc;
}

static int search_level(struct rising *r, struct level level, struct search_budget *budget)
{
    int64_t lowest_top;
    bool split;

    if (!level.count)
        return SEARCH_FOUND;
    if (budget_is_stopped(budget) || budget_is_spent(budget))
        return SEARCH_STOPPED;
    budget->work += (uint64_t)(level.count + level.to - level.from);
    if (!rising_analyse(r, &level, &lowest_top, &split))
        return SEARCH_NONE;
    return split ? search_parts(r, &level, budget) : try_choices(r, &level, lowest_top, budget);
}

int rising_run(struct rising *r, int64_t height, int variant, struct search_budget *budget, int64_t offset[])
{
    struct level all = { 0, r->pool->n, 0, r->pool->nsections, 0, -1 };
    int rc;

    rising_reset(r, height, variant);
    budget->work += (uint64_t)(r->pool->n + r->pool->nsections);
    rc = search_level(r, all, budget);
    if (rc == SEARCH_FOUND)
        memcpy(offset, r->low, (size_t)r->pool->n * sizeof(*offset));
    return rc;
}
