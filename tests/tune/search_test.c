/* search_test.c - searches for layouts: what is pruned is none of the best, neither threads nor a stop changes a
 * result, and each axis and each rule of what is no layout does what it says. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/store/statement.h"
#include "harness/tune/search.h"
#include "tests/sanitized.h"
#include "tests/test.h"

static const char small[] = "tests/tune/data/small.yaml";

static struct tune_question question(const char *const *sets, size_t nsets)
{
    return (
        struct tune_question){ .path = small, .sets = sets, .nsets = nsets, .db = STORE_NOWHERE, .command = "test" };
}

static struct search_result search_at(struct layouts *s, int jobs, size_t top, bool all)
{
    struct search_options o = { .jobs = jobs, .top = top, .all = all };
    struct search_result r;

    assert_int_equal(tune_search(s, &o, &r), NW_OK);
    return r;
}

static struct search_result search(const struct tune_question *q, int jobs, size_t top, bool all)
{
    struct layouts s;
    struct search_result r;

    assert_int_equal(layouts_open(q, &s), NW_OK);
    r = search_at(&s, jobs, top, all);
    layouts_close(&s, NW_OK);
    return r;
}

static void same_best(const struct search_result *a, const struct search_result *b)
{
    assert_int_equal(a->total.nbest, b->total.nbest);
    for (size_t i = 0; i < a->total.nbest; i++) {
        assert_int_equal(a->total.best[i].layout, b->total.best[i].layout);
        assert_true(a->total.best[i].step_ps == b->total.best[i].step_ps);
    }
}

static void same_counts(const struct search_result *a, const struct search_result *b)
{
    assert_int_equal(a->total.layouts, b->total.layouts);
    assert_int_equal(a->total.refused, b->total.refused);
    assert_int_equal(a->total.unfit, b->total.unfit);
    assert_int_equal(a->total.slower, b->total.slower);
}

/* Platforms, memories and models in which the best are of different kinds. */
static const struct {
    const char *sets[4];
    size_t nsets, top;
    const char *codec;
} spaces[] = {
    { { NULL }, 0, 10, NULL },
    { { NULL }, 0, 1, NULL },
    { { NULL }, 0, 100, NULL },
    { { "platform.machines=1", "batch=16" }, 2, 10, NULL },
    { { "platform.gpu.memory=24 GB" }, 1, 10, NULL },
    { { "platform.gpu.memory=16 GB", "link.ib.bandwidth=25 Gbit/s" }, 2, 10, "gradients=blockwise:bits=4" },
    { { "link.nvlink.bandwidth=25 GB/s", "link.ib.bandwidth=10 Gbit/s" }, 2, 10, "weights=blockwise:bits=8" },
    { { "method.local_steps=8", "link.ib.bandwidth=10 Gbit/s", "method.shard=8", "method.level=3" }, 4, 10, NULL },
    { { "method.overlap=false", "method.framework.dispatch=2 ms", "platform.gpu.memory=40 GB" }, 3, 10, NULL },
    /* Launching is what takes long: half as many micro-batches take half the time. */
    { { "method.framework.dispatch=20 ms", "method.recompute=none" }, 2, 10, NULL },
    { { "method.framework.dispatch=20 ms", "method.recompute=full" }, 2, 40, NULL },
};

static struct search_result search_space(size_t i, int jobs, bool all)
{
    struct tune_question q = question(spaces[i].sets, spaces[i].nsets);

    q.codecs = &spaces[i].codec;
    q.ncodecs = spaces[i].codec != NULL;
    return search(&q, jobs, spaces[i].top, all);
}

static void what_is_pruned_is_none_of_the_best(void **state)
{
    size_t pruned = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(spaces); i += sampled() ? 3 : 1) {
        struct search_result with = search_space(i, 2, false), without = search_space(i, 2, true);
        assert_true(with.total.nbest == spaces[i].top);
        same_best(&with, &without);
        assert_int_equal(without.total.slower, 0);
        assert_int_equal(with.total.layouts, without.total.layouts);
        assert_int_equal(with.total.unfit, without.total.unfit);
        pruned += with.total.slower;
    }
    assert_true(pruned > (sampled() ? 100 : 1000));
}

static void threads_change_nothing(void **state)
{
    (void)state;
    for (size_t i = sampled() ? 2 : 0; i < COUNT(spaces); i += sampled() ? 3 : 1) {
        struct search_result one = search_space(i, 1, false), five = search_space(i, 5, false);
        same_best(&one, &five);
        same_counts(&one, &five);
    }
}

/* Without its last blocks, as if it had been killed: these alone are computed, and the rest is read. */
static void a_stopped_search_goes_on(void **state)
{
    struct tune_question q = question(NULL, 0);
    struct layouts s;
    struct search_result whole, rest, read;
    size_t kept = 11;

    (void)state;
    assert_int_equal(layouts_open(&q, &s), NW_OK);
    whole = search_at(&s, 2, 10, false);
    assert_int_equal(whole.present, 0);
    assert_true(whole.blocks > 2 * kept);
    assert_int_equal(db_run(s.supply.store, "delete", "DELETE FROM tuned_layout WHERE block >= ?", "l", kept), NW_OK);
    assert_int_equal(db_run(s.supply.store, "delete", "DELETE FROM tuned_block WHERE block >= ?", "l", kept), NW_OK);
    rest = search_at(&s, 2, 10, false);
    assert_int_equal(rest.present, kept);
    same_best(&whole, &rest);
    same_counts(&whole, &rest);
    assert_int_equal(db_run(s.supply.store, "change", "UPDATE tuned_layout SET step_ps = step_ps / 2", ""), NW_OK);
    read = search_at(&s, 2, 10, false);
    assert_int_equal(read.present, read.blocks);
    assert_true(read.total.best[0].step_ps == whole.total.best[0].step_ps / 2);
    layouts_close(&s, NW_OK);
}

/* Another question is another search. */
static void what_is_asked_is_in_the_key(void **state)
{
    const char *const sets[] = { "batch=128" }, *const vary[] = { "method.prefetch=1, 2" };
    struct tune_question q[4] = { question(NULL, 0), question(sets, 1), question(NULL, 0), question(NULL, 0) };
    char keys[COUNT(q)][LAYOUTS_KEY + 1];

    (void)state;
    q[2].varied = vary;
    q[2].nvaried = 1;
    for (size_t i = 0; i < COUNT(q); i++) {
        struct layouts s;
        assert_int_equal(layouts_open(&q[i], &s), NW_OK);
        assert_int_equal(layouts_key(&s, keys[i]), NW_OK);
        layouts_close(&s, NW_OK);
    }
    for (size_t i = 1; i < 3; i++)
        assert_string_not_equal(keys[0], keys[i]);
    assert_string_equal(keys[0], keys[3]);
}

/* A layout of the space is the point of its number. */
static void a_layout_is_its_point(void **state)
{
    struct tune_question q = question(NULL, 0);
    struct layouts s;
    size_t seen = 0;

    (void)state;
    assert_int_equal(layouts_open(&q, &s), NW_OK);
    for (size_t block = 0; block < s.nblocks; block += 3)
        for (size_t inside = block % 7; inside < s.block_size; inside += 13) {
            struct sharded m, again;
            struct point p;
            size_t number;
            if (!layouts_at(&s, block, inside, &m, &number))
                continue;
            seen++;
            layouts_method(&s, number, &again);
            assert_memory_equal(&m, &again, sizeof(m));
            assert_int_equal(layouts_point(&s, number, &p), NW_OK);
            const struct sharded *bound = &p.scenario.method.sharded;
            assert_int_equal(m.tensor, bound->tensor);
            assert_int_equal(m.pipeline, bound->pipeline);
            assert_int_equal(m.chunks, bound->chunks);
            assert_int_equal(m.micro_batch, bound->micro_batch);
            assert_int_equal(m.level, bound->level);
            assert_int_equal(m.shard, bound->shard);
            assert_int_equal(m.recompute, bound->recompute);
            assert_int_equal(m.sequence, bound->sequence);
            assert_true(m.tensor > 1 || m.sequence);
            assert_true(!m.shard || m.shard * m.tensor == 8);
            point_free(&p);
        }
    assert_true(seen > 50);
    layouts_close(&s, NW_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_pruned_is_none_of_the_best),
        cmocka_unit_test(threads_change_nothing),
        cmocka_unit_test(a_stopped_search_goes_on),
        cmocka_unit_test(what_is_asked_is_in_the_key),
        cmocka_unit_test(a_layout_is_its_point),
    };

    setenv("NARROWS_QUIET", "1", 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
