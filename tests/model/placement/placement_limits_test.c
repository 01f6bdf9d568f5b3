/* What ends a placement; alignment, corners, broken placements, and the plans of real networks. */
#include "tests/model/placement/placement_rig.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/placement/placement.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/test.h"

static void assert_same(const struct placement *p, const struct placement *q)
{
    assert_int_equal(p->height, q->height);
    assert_int_equal(p->bound, q->bound);
    assert_int_equal(p->floor, q->floor);
    assert_int_equal(p->nodes, q->nodes);
    assert_int_equal(p->stopped, q->stopped);
}

static bool stop_soon(void *context)
{
    return ++*(int *)context > 3;
}

/* Of thousands of buffers it is the work that ends the search, long before so many nodes, and twice the budget allows
 * twice of it. */
static void large_nodes_cost_more(void **state)
{
    enum { N = 4000 };
    struct buffer *b = malloc(N * sizeof(*b));
    uint64_t seed = 9, nodes[2];

    (void)state;
    cut(&seed, b, N, 100000, 100000000);
    for (uint64_t k = 0; k < 2; k++) {
        struct placement p =
            place(b, N, (struct placement_options){ .method = PLACEMENT_EXACT, .budget = 20000 * (k + 1) });
        assert_true(p.stopped);
        nodes[k] = p.nodes;
    }
    assert_in_range(nodes[0], 100, 10000);
    assert_in_range(nodes[1], nodes[0] + nodes[0] / 2, 20000);
    free(b);
}

static bool stop_late(void *context)
{
    return --*(int *)context < 0;
}

static void searches_end(void **state)
{
    enum { N = 500 };
    struct buffer b[N], again[N];
    uint64_t seed = 5;
    int asked = 0;

    (void)state;
    cut(&seed, b, N, 10000, 10000000);
    memcpy(again, b, sizeof(b));
    struct placement_options o = { .method = PLACEMENT_EXACT, .budget = 3000 };
    struct placement p = place(b, N, o), q = place(again, N, o);
    assert_true(p.stopped && p.nodes <= 3300);
    assert_same(&p, &q);
    assert_memory_equal(b, again, sizeof(b));

    o.budget = UINT64_MAX;
    o.stop = stop_soon;
    o.context = &asked;
    p = place(b, N, o);
    assert_true(p.stopped && p.height > p.floor);
    assert_int_equal(asked, 4);

    o = (struct placement_options){ .method = PLACEMENT_EXACT, .budget = 1000000, .capacity = 19000000 };
    p = place(b, N, o);
    assert_true(p.height <= 19000000 && !p.stopped); /* that is easy */
}

/* Wherever it is ended there is a placement: what is left lies on top. */
static void any_method_can_be_ended(void **state)
{
    enum { N = 20000 };
    struct buffer *b = malloc(N * sizeof(*b)), *c = malloc(N * sizeof(*c));
    uint64_t seed = 8;

    (void)state;
    draw_buffers(&seed, b, N, N, N / 10, 1000);
    for (int m = 0; m < PLACEMENT_METHODS; m++) {
        struct placement whole;
        memcpy(c, b, N * sizeof(*b));
        if (m != PLACEMENT_EXACT)
            whole = place(c, N, (struct placement_options){ .method = (enum placement_method)m });
        for (int late = 0; late < 2; late++) {
            int asked = late;
            struct placement p = place(
                c, N,
                (struct placement_options){ .method = (enum placement_method)m, .stop = stop_late, .context = &asked });
            assert_true(p.stopped && p.height > p.floor);
            assert_int_equal(asked, -1); /* and is not asked again */
            assert_true(m == PLACEMENT_EXACT || p.height > whole.height);
        }
    }
    free(b);
    free(c);
}

static void alignment_rounds_up(void **state)
{
    uint64_t seed = 6;

    (void)state;
    for (int round = 0; round < 200; round++) {
        struct buffer b[40], rounded[40];
        size_t n = 1 + (size_t)below(&seed, 40);
        draw_buffers(&seed, b, n, 30, 20, 2000);
        memcpy(rounded, b, sizeof(b));
        for (size_t i = 0; i < n; i++)
            rounded[i].bytes = (b[i].bytes + 255) / 256 * 256;
        for (int m = 0; m < PLACEMENT_METHODS; m++) {
            struct placement_options o = { .method = (enum placement_method)m, .alignment = 256, .budget = 20000 };
            struct placement p = place(b, n, o), q;
            o.alignment = 0;
            q = place(rounded, n, o);
            assert_same(&p, &q);
            for (size_t i = 0; i < n; i++)
                assert_int_equal(b[i].offset, rounded[i].offset);
        }
    }
}

static void corners(void **state)
{
    struct buffer none[1],
        b[] = { BUFFER(5, 5, 900, -1), BUFFER(0, 3, 0, -1), BUFFER(-9, 2, 100, -1), BUFFER(1, 2, 50, -1) };
    const int64_t much = (int64_t)1 << 61;

    (void)state;
    for (int m = 0; m < PLACEMENT_METHODS; m++) {
        struct placement_options o = { .method = (enum placement_method)m };
        struct placement p = place(none, 0, o);
        assert_true(!p.height && !p.bound && !p.floor && !p.stopped);
        p = place(b, 2, o); /* bytes without a lifetime, and a lifetime without bytes: both lie at 0 */
        assert_true(p.height == 900 && p.bound == 0 && p.floor == 900 && !b[0].offset && !b[1].offset);
        p = place(b, 4, o);
        assert_true(p.height == 900 && p.bound == 150 && b[2].offset + b[3].offset > 0);

        struct buffer wrong[] = { BUFFER(0, 1, 1, 0), BUFFER(2, 1, 1, 0), BUFFER(0, 1, -1, 0) };
        struct placement kept = { .height = 12345 };
        assert_int_equal(placement_make(wrong, 2, &o, &kept), E_INVAL);
        wrong[1].upper = 3;
        assert_int_equal(placement_make(wrong, 3, &o, &kept), E_INVAL);
        struct buffer large[] = { BUFFER(0, 1, much, 0), BUFFER(0, 1, much, 0), BUFFER(7, 8, 1, 0) };
        assert_int_equal(placement_make(large, 3, &o, &kept), E_RANGE);
        assert_int_equal(kept.height, 12345);
        p = place(large, 2, o);
        assert_true(p.height == 2 * much);
        large[0].bytes--;
        o.alignment = 256;
        assert_true(place(large, 2, o).height == 2 * much);
        o.alignment = -1;
        assert_int_equal(placement_make(b, 4, &o, &kept), E_INVAL);
    }
    assert_int_equal(placement_make(b, 4, &(struct placement_options){ .method = PLACEMENT_METHODS }, NULL), E_INVAL);
    assert_int_equal(placement_bound((struct buffer[]){ BUFFER(1, 0, 1, 0) }, 1, 1), E_INVAL);
}

/* Random offsets, some wrong: all pairs compared say the same. */
static void broken_placements_are_found(void **state)
{
    uint64_t seed = 7;
    int valid = 0;

    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct buffer b[30];
        size_t n = 2 + (size_t)below(&seed, 28), i = 99, j = 99;
        bool want = true;
        draw_buffers(&seed, b, n, 40, 12, 9);
        place(b, n, (struct placement_options){ .method = PLACEMENT_FIRST_FIT });
        for (int64_t wrong = below(&seed, 3); wrong > 0; wrong--) {
            struct buffer *x = &b[below(&seed, (int64_t)n)];
            x->offset = below(&seed, 1 + x->offset);
            if (!below(&seed, 4))
                x->bytes = 0;
        }
        for (size_t x = 0; x < n; x++)
            for (size_t y = 0; y < x; y++)
                want &= !(b[x].bytes && b[y].bytes && meet(&b[x], &b[y]) && b[x].offset < b[y].offset + b[y].bytes &&
                          b[y].offset < b[x].offset + b[x].bytes);
        assert_int_equal(placement_valid(b, n, 1, &i, &j), want);
        valid += want;
        if (want)
            continue;
        assert_true(i < j && j < n && meet(&b[i], &b[j]));
        assert_true(b[i].offset < b[j].offset + b[j].bytes && b[j].offset < b[i].offset + b[i].bytes);
    }
    assert_in_range(valid, 300, 2700);

    struct buffer b[] = { BUFFER(0, 1, 8, 0), BUFFER(3, 4, 8, 12) };
    size_t i, j;
    assert_true(placement_valid(b, 2, 4, &i, &j) && placement_valid(b, 2, 0, &i, &j));
    assert_true(!placement_valid(b, 2, 8, &i, &j) && i == 1 && j == 1);
    b[1].offset = -8;
    assert_true(!placement_valid(b, 2, 8, &i, &j) && i == 1 && j == 1);
    b[1].offset = INT64_MAX - 7;
    assert_true(!placement_valid(b, 2, 1, &i, &j) && i == 1 && j == 1);
}

static size_t read_plan(const char *name, struct buffer *b)
{
    char path[256], line[256];
    size_t n = 0;
    FILE *f;

    snprintf(path, sizeof(path), "tests/model/data/plans/%s.csv", name);
    f = fopen(path, "r");
    if (!f || !fgets(line, sizeof(line), f))
        fail_msg("cannot read %s", path);
    for (long long id, lower, upper, size; fgets(line, sizeof(line), f); n++) {
        assert_int_equal(sscanf(line, "%lld,%lld,%lld,%lld", &id, &lower, &upper, &size), 4);
        b[n] = (struct buffer)BUFFER(lower, upper, size, 0);
    }
    fclose(f);
    return n;
}

/* Height over bound, in thousandths, rounded. */
static const struct plan {
    const char *name;
    size_t n;
    int first_fit, greedy;
} plans[] = {
#include "tests/model/data/plans/ratios.inc"
};

static int thousandths(struct placement p)
{
    return (int)(((double)p.height / (double)p.bound) * 1000 + 0.5);
}

static void plans_reach_the_bound(void **state)
{
    struct buffer *b = malloc(MOST * sizeof(*b));

    (void)state;
    for (size_t i = 0; i < COUNT(plans); i++) {
        const struct plan *plan = &plans[i];
        size_t n = read_plan(plan->name, b);
        int first_fit = thousandths(place(b, n, (struct placement_options){ .method = PLACEMENT_FIRST_FIT }));
        int greedy = thousandths(place(b, n, (struct placement_options){ .method = PLACEMENT_GREEDY_SIZE }));
        struct placement p = place(b, n, (struct placement_options){ .method = PLACEMENT_EXACT, .budget = 2000 });
        if (n != plan->n || first_fit != plan->first_fit || greedy != plan->greedy)
            fail_msg("not as the table has it: { \"%s\", %zu, %d, %d }", plan->name, n, first_fit, greedy);
        if (p.height != p.bound)
            fail_msg("%s: exact %lld, bound %lld", plan->name, (long long)p.height, (long long)p.bound);
    }
    free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(searches_end),
        cmocka_unit_test(large_nodes_cost_more),
        cmocka_unit_test(any_method_can_be_ended),
        cmocka_unit_test(alignment_rounds_up),
        cmocka_unit_test(corners),
        cmocka_unit_test(broken_placements_are_found),
        cmocka_unit_test(plans_reach_the_bound),
    };

    return cmocka_run_group_tests_name("placement_limits", tests, NULL, NULL);
}
