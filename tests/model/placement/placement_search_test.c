/* The search of valleys by itself, with each kind of weights: what it says of a height, against enumeration, and what
 * it finds where chronological backtracking was lost. */
#include "tests/model/placement/placement_rig.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/placement/placement.h"
#include "model/placement/private.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/test.h"

/* Is there space for item i and those after it? Every offset is tried. */
static bool fit(struct item *items, int32_t i, int32_t n, int64_t height)
{
    struct item *x = &items[i];

    if (i == n)
        return true;
    for (x->offset = 0; x->offset + x->size <= height; x->offset++) {
        int32_t k = 0;
        while (k < i && !(x->from < items[k].to && items[k].from < x->to &&
                          x->offset < items[k].offset + items[k].size && items[k].offset < x->offset + x->size))
            k++;
        if (k == i && fit(items, i + 1, n, height))
            return true;
    }
    return false;
}

static void assert_placed(const struct item *items, int32_t n, int64_t height, const int64_t offset[])
{
    for (int32_t i = 0; i < n; i++) {
        assert_true(offset[i] >= 0 && offset[i] + items[i].size <= height);
        for (int32_t k = 0; k < i; k++)
            assert_true(items[i].from >= items[k].to || items[k].from >= items[i].to ||
                        offset[i] >= offset[k] + items[k].size || offset[k] >= offset[i] + items[i].size);
    }
}

/* The same sum is alive in every section: what ends is followed by others of the same sum. A few end late. */
static int32_t draw_items(uint64_t *seed, struct item *items, int32_t most, int32_t sections, int64_t sum)
{
    int32_t n = 0;

    for (int32_t t = 0; t < sections; t++) {
        int64_t gone = t ? 0 : sum;
        for (int32_t i = 0; t && i < n; i++)
            if (items[i].to == sections && i % 4 && !below(seed, 2)) {
                items[i].to = t;
                gone += items[i].size;
            }
        for (; gone && n < most; n++) {
            items[n] = (struct item){ t, sections, 1 + below(seed, gone < 5 ? gone : 5), 0 };
            gone -= items[n].size;
        }
    }
    return n;
}

/* Of those that are not alive in the middle: there remains no space, elsewhere there is some to waste. */
static void loosen(uint64_t *seed, struct item *items, int32_t n, int32_t middle)
{
    for (int32_t i = 0; i < n; i++)
        if ((items[i].from > middle || items[i].to <= middle) && items[i].size > 1 && below(seed, 3))
            items[i].size -= 1 + below(seed, items[i].size - 1);
}

/* One search serves for all heights and kinds, so that what it remembers is used as well. */
static void heights_are_what_they_are(void **state)
{
    enum { SECTIONS = 12, ITEMS = 18, VARIANTS = 8 };
    uint64_t seed = 11;
    int none = 0;

    (void)state;
    for (int round = 0; round < 6000; round++) {
        struct item items[ITEMS], slow[ITEMS];
        int64_t load[SECTIONS + 1], offset[ITEMS];
        int32_t n = draw_items(&seed, items, ITEMS, SECTIONS, 8 + below(&seed, 6));
        if (round % 3 == 0)
            loosen(&seed, items, n, (int32_t)below(&seed, SECTIONS));
        memcpy(slow, items, sizeof(items));
        int64_t bound = items_load(items, n, SECTIONS, load), best = bound;
        while (!fit(slow, 0, n, best))
            best++;
        struct search *s = search_make(items, n, SECTIONS, 0);
        assert_non_null(s);
        for (int k = 0; k < 3 * VARIANTS; k++) {
            struct search_budget budget = { .limit = UINT64_MAX, .most_work = UINT64_MAX };
            enum search_weights weights = (enum search_weights)(k % 3);
            int64_t height = best + below(&seed, 3) - 1; /* none below the bound is asked for */
            height = height < bound ? bound : height;
            int answer = search_run(s, height, k / 3, weights, &budget, offset);
            if (answer != (height < best ? SEARCH_NONE : SEARCH_FOUND))
                fail_msg("round %d, weights %d, variant %d: height %lld of %lld is answered %d", round, (int)weights,
                         k / 3, (long long)height, (long long)best, answer);
            none += answer == SEARCH_NONE;
            if (answer == SEARCH_FOUND)
                assert_placed(items, n, height, offset);
        }
        search_free(s);
    }
    assert_in_range(none, 25, 10000);
}

/* Regions far apart, each with choices that turn out to be bad much later. */
static void cut_rectangles_are_filled(void **state)
{
    enum { N = 300, CASES = 12 };
    struct buffer b[N], again[N];
    int filled = 0;

    (void)state;
    for (int round = 0; round < CASES; round++) {
        struct placement_options o = { .method = PLACEMENT_EXACT, .budget = 20000 };
        uint64_t seed = 100 + (uint64_t)round;
        cut(&seed, b, N, 10000, 10000000);
        memcpy(again, b, sizeof(b));
        struct placement p = place(b, N, o), q = place(again, N, o);
        assert_int_equal(p.height, q.height);
        assert_memory_equal(b, again, sizeof(b));
        filled += p.height == p.bound;
    }
    assert_in_range(filled, 7, CASES);
}

/* A search by itself, with few nodes: returning choice by choice it fills 47 of them, by conflicts 56. */
static void conflicts_save_nodes(void **state)
{
    enum { N = 200, CASES = 30, VARIANTS = 3 };
    struct buffer b[N];
    int64_t offset[N];
    int filled = 0;

    (void)state;
    for (int round = 0; round < CASES; round++) {
        uint64_t seed = 100 + (uint64_t)round;
        struct pool pool;
        cut(&seed, b, N, 10000, 10000000);
        assert_int_equal(pool_read(&pool, b, N, 1), E_OK);
        struct search *s = search_make(pool.items, pool.n, pool.nsections, 0);
        assert_non_null(s);
        for (int v = 0; v < VARIANTS; v++) {
            struct search_budget budget = { .limit = 5000, .most_work = UINT64_MAX };
            int answer = search_run(s, pool.bound, v, NO_WEIGHTS, &budget, offset);
            assert_true(answer != SEARCH_NONE);
            filled += answer == SEARCH_FOUND;
            if (answer == SEARCH_FOUND)
                assert_placed(pool.items, pool.n, pool.bound, offset);
        }
        search_free(s);
        pool_free(&pool);
    }
    assert_in_range(filled, 53, CASES * VARIANTS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heights_are_what_they_are),
        cmocka_unit_test(cut_rectangles_are_filled),
        cmocka_unit_test(conflicts_save_nodes),
    };

    return cmocka_run_group_tests_name("placement_search", tests, NULL, NULL);
}
