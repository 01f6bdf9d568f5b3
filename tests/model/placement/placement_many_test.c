/* Greedy-by-size and first-fit of many buffers, so that all of their structure is in use, against the plain definition:
 * each at the lowest offset that overlaps none of those placed before it. */
#include <stdlib.h>
#include <string.h>

#include "model/placement/placement.h"
#include "model/placement/private.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/placement/placement_rig.h"
#include "tests/test.h"

enum { N = 700, GAPS = 2 };

/* Lifetimes up to 'longest' of 'steps'; sizes of 'least' to 'most' units. */
struct kind {
    const char *name;
    int64_t steps, longest, unit, least, most;
    bool nested, gaps;
};

static const struct kind kinds[] = {
    { "disjoint", N, 1, 1, 1, 1000, false, false },        { "short", N, N / 20, 1, 1, 1000, false, false },
    { "longer", N, N / 2, 1, 1, 100000, false, false },    { "long", N, N, 1, 1, 1 << 30, false, false },
    { "large", N, N, 1, 1000, 4000, false, false },        { "few sizes", N, N, 100, 2, 5, false, false },
    { "one size", N, N, 64, 1, 1, false, false },          { "nested", N, N, 1, 1, 1000, true, false },
    { "at once", 1, 1, 1, 1, 1000, false, false },         { "short, gaps", N, N / 20, 1, 1, 1000, false, true },
    { "longer, gaps", N, N / 2, 1, 1, 1000, false, true }, { "long, gaps", N, N, 1, 1000, 4000, false, true },
    { "one size, gaps", N, N, 64, 1, 1, false, true },     { "nested, gaps", N, N, 1, 1, 1000, true, true },
};

struct many {
    struct buffer buffers[N];
    struct buffer_gap gaps[N][GAPS];
};

static void draw_gaps(uint64_t *seed, struct buffer *b, struct buffer_gap *gaps)
{
    int64_t at = b->lower + 1;

    b->gaps = gaps;
    b->alignment = below(seed, 2) ? 0 : 1 + below(seed, 40);
    while (b->ngaps < GAPS && at < b->upper - 1 && below(seed, 3)) {
        struct buffer_gap gap = { .lower = at + below(seed, b->upper - at) };
        gap.upper = gap.lower + 1 + below(seed, b->upper - gap.lower);
        at = gap.upper + 1;
        if (below(seed, 2)) {
            gap.from = below(seed, b->bytes);
            gap.to = gap.from + 1 + below(seed, b->bytes - gap.from);
        }
        gaps[b->ngaps++] = gap;
    }
}

static void draw_many(uint64_t *seed, struct many *m, const struct kind *kind)
{
    draw_buffers(seed, m->buffers, N, kind->steps, kind->longest, kind->most - kind->least + 1);
    for (size_t i = 0; i < N; i++) {
        struct buffer *b = &m->buffers[i];
        b->bytes = (b->bytes + kind->least - 1) * kind->unit;
        if (kind->nested) {
            b->lower = below(seed, N);
            b->upper = 2 * N - b->lower + below(seed, 3);
        }
        if (kind->gaps)
            draw_gaps(seed, b, m->gaps[i]);
    }
}

/* The addresses that a buffer uses at one time. */
struct use {
    int64_t lower, upper, from, to;
};

static size_t push(struct use uses[], size_t n, struct use use)
{
    uses[n] = use;
    return n + (use.lower < use.upper && use.from < use.to);
}

static size_t uses_of(const struct buffer *b, struct use uses[])
{
    int64_t at = b->lower;
    size_t n = 0;

    for (size_t g = 0; g < b->ngaps; g++) {
        const struct buffer_gap *gap = &b->gaps[g];
        n = push(uses, n, (struct use){ at, gap->lower, 0, b->bytes });
        n = push(uses, n, (struct use){ gap->lower, gap->upper, gap->from, gap->to });
        at = gap->upper;
    }
    return push(uses, n, (struct use){ at, b->upper, 0, b->bytes });
}

/* How far up the first must move to be above what it overlaps of the second; 0: it overlaps nothing. */
static int64_t above(const struct buffer *a, const struct buffer *b)
{
    struct use x[2 * GAPS + 1], y[2 * GAPS + 1];
    size_t nx = uses_of(a, x), ny = uses_of(b, y);
    int64_t most = 0;

    for (size_t i = 0; i < nx; i++)
        for (size_t j = 0; j < ny; j++) {
            int64_t up = b->offset + y[j].to - a->offset - x[i].from;
            if (x[i].lower < y[j].upper && y[j].lower < x[i].upper && a->offset + x[i].to > b->offset + y[j].from &&
                up > most)
                most = up;
        }
    return most;
}

/* Passes over those placed before, until none is in the way. */
static void place_plainly(struct buffer *b, struct buffer *placed[], size_t n)
{
    int64_t alignment = b->alignment ? b->alignment : 1;
    size_t clear = 0;

    b->offset = 0;
    for (size_t k = 0; clear < n; k = (k + 1) % n) {
        int64_t up = meet(b, placed[k]) ? above(b, placed[k]) : 0;
        b->offset = (b->offset + up + alignment - 1) / alignment * alignment;
        clear = up ? 0 : clear + 1;
    }
}

static enum placement_method sorted_for;

/* Equal ones in time order, then as in the list; no lifetime begins with a gap. */
static int in_order(const void *a, const void *b)
{
    const struct buffer *x = *(struct buffer *const *)a, *y = *(struct buffer *const *)b;

    if (sorted_for == PLACEMENT_GREEDY_SIZE && x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->lower != y->lower)
        return x->lower < y->lower ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* An occupancy serves for one order after another: by duration, then by size. */
static void place_twice(struct many *m)
{
    struct pool pool;
    struct search_budget budget = { 0 };
    int32_t order[N];
    struct occupancy *s;

    assert_int_equal(pool_read(&pool, m->buffers, N, 1), E_OK);
    s = occupancy_make(pool.nsections);
    assert_non_null(s);
    for (int k = 0; k < 2; k++) {
        assert_int_equal(items_order(pool.items, pool.n, k ? BY_SIZE : BY_DURATION, order), E_OK);
        assert_int_equal(occupancy_place(s, &pool, order, &budget), E_OK);
    }
    for (int32_t i = 0; i < pool.n; i++)
        m->buffers[pool.buffer[i]].offset = pool.items[i].offset * pool.unit;
    occupancy_free(s);
    pool_free(&pool);
}

static void assert_same(const struct many *m, const struct many *plain, const char *method, const char *kind)
{
    for (size_t i = 0; i < N; i++)
        if (m->buffers[i].offset != plain->buffers[i].offset)
            fail_msg("%s, %s: buffer %zu at %lld, not %lld", method, kind, i, (long long)m->buffers[i].offset,
                     (long long)plain->buffers[i].offset);
}

static void many_are_as_defined(void **state)
{
    struct many *m = calloc(2, sizeof(*m)), *plain = m + 1;
    struct buffer *order[N];
    uint64_t seed = 1;

    (void)state;
    for (size_t k = 0; k < COUNT(kinds) * 2; k++) {
        const struct kind *kind = &kinds[k / 2];
        enum placement_method method = k % 2 ? PLACEMENT_FIRST_FIT : PLACEMENT_GREEDY_SIZE;

        draw_many(&seed, m, kind);
        memcpy(plain, m, sizeof(*plain));
        for (size_t i = 0; i < N; i++)
            order[i] = &plain->buffers[i];
        sorted_for = method;
        qsort(order, N, sizeof(struct buffer *), in_order);
        for (size_t i = 0; i < N; i++)
            place_plainly(order[i], order, i);
        place(m->buffers, N, (struct placement_options){ .method = method });
        assert_same(m, plain, placement_name(method), kind->name);
        if (method == PLACEMENT_GREEDY_SIZE) {
            place_twice(m);
            assert_same(m, plain, "greedy-by-size after another order", kind->name);
        }
    }
    free(m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(many_are_as_defined) };

    return cmocka_run_group_tests_name("placement_many", tests, NULL, NULL);
}
