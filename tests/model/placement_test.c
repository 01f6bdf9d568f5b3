/* Placement against slow, plain versions of it: an optimum by trying every order, first-fit and greedy without data
 * structures, overlap by comparing all pairs; perfect packings, whose optimum is known; what ends a search; the plans
 * of Split-CNN. */
#include "model/placement/placement.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/test.h"

enum { MOST = 4096 };

static int64_t below(uint64_t *seed, int64_t n)
{
    return (int64_t)(draw(seed) % (uint64_t)n);
}

static struct placement place(struct buffer *b, size_t n, struct placement_options o)
{
    struct placement p;
    size_t i, j;
    int64_t height = 0, unit = o.alignment ? o.alignment : 1;
    int rc = placement_make(b, n, &o, &p);

    if (rc)
        fail_msg("%s: answered %d", placement_name(o.method), rc);
    if (!placement_valid(b, n, o.alignment, &i, &j))
        fail_msg("%s: %zu and %zu overlap or are not aligned", placement_name(o.method), i, j);
    for (i = 0; i < n; i++)
        if (b[i].offset + (b[i].bytes + unit - 1) / unit * unit > height)
            height = b[i].offset + (b[i].bytes + unit - 1) / unit * unit;
    assert_int_equal(p.height, height);
    assert_int_equal(p.bound, placement_bound(b, n, o.alignment));
    assert_true(p.bound <= p.floor && p.floor <= p.height);
    return p;
}

static void assert_same(const struct placement *p, const struct placement *q)
{
    assert_int_equal(p->height, q->height);
    assert_int_equal(p->bound, q->bound);
    assert_int_equal(p->floor, q->floor);
    assert_int_equal(p->nodes, q->nodes);
    assert_int_equal(p->stopped, q->stopped);
}

static void draw_buffers(uint64_t *seed, struct buffer *b, size_t n, int64_t steps, int64_t longest, int64_t largest)
{
    for (size_t i = 0; i < n; i++) {
        b[i].lower = below(seed, steps);
        b[i].upper = b[i].lower + 1 + below(seed, longest);
        b[i].bytes = 1 + below(seed, largest);
        b[i].offset = -77;
    }
}

static bool meet(const struct buffer *a, const struct buffer *b)
{
    return a->lower < b->upper && b->lower < a->upper;
}

/* The lowest offset of b[i] next to those of the list. */
static int64_t lowest(const struct buffer *b, size_t i, const size_t *list, size_t n)
{
    int64_t at = 0;

    for (size_t k = 0; k < n;) {
        const struct buffer *other = &b[list[k]];
        if (meet(&b[i], other) && at < other->offset + other->bytes && other->offset < at + b[i].bytes) {
            at = other->offset + other->bytes;
            k = 0;
        } else {
            k++;
        }
    }
    return at;
}

/* Is there space for b[i] and those after it? Every offset is tried. */
static bool fit(struct buffer *b, size_t i, size_t n, int64_t height)
{
    if (i == n)
        return true;
    for (b[i].offset = 0; b[i].offset + b[i].bytes <= height; b[i].offset++) {
        size_t k = 0;
        while (k < i && !(meet(&b[i], &b[k]) && b[i].offset < b[k].offset + b[k].bytes &&
                          b[k].offset < b[i].offset + b[i].bytes))
            k++;
        if (k == i && fit(b, i + 1, n, height))
            return true;
    }
    return false;
}

/* The same sum is alive at every step: what ends is followed by others of the same sum. Now and then that is no
 * placement's height. */
static size_t draw_tight(uint64_t *seed, struct buffer *b, size_t most, int64_t height)
{
    size_t n = 0;

    for (int64_t t = 0, free = height; t < 11; t++, free = 0) {
        for (size_t i = 0; t && i < n; i++)
            if (b[i].upper > t && !below(seed, 3)) {
                b[i].upper = t;
                free += b[i].bytes;
            }
        for (; free && n < most; n++) {
            b[n] = (struct buffer){ t, 11, 1 + below(seed, free < 9 ? free : 9), 0 };
            free -= b[n].bytes;
        }
    }
    return n;
}

static void exact_is_the_optimum(void **state)
{
    uint64_t seed = 1;
    int above = 0;

    (void)state;
    for (int round = 0; round < 8000; round++) {
        /* As many are many, every other time, so that small searches take all ways of large ones. */
        int32_t large = round / 2 % 2 ? 1 + round / 4 % 4 : 0;
        struct buffer b[14], slow[14];
        size_t n = 2 + (size_t)below(&seed, 6);
        if (round % 2)
            n = draw_tight(&seed, b, 14, 8 + below(&seed, 6));
        else
            draw_buffers(&seed, b, n, 6, 1 + below(&seed, 6), 1 + below(&seed, 7));
        memcpy(slow, b, sizeof(b));
        struct placement p = place(b, n, (struct placement_options){ .method = PLACEMENT_EXACT, .large = large });
        int64_t best = p.bound;
        while (!fit(slow, 0, n, best))
            best++;
        if (p.height != best || p.floor != best || p.stopped)
            fail_msg("round %d: height %lld, floor %lld, optimum %lld", round, (long long)p.height, (long long)p.floor,
                     (long long)best);
        above += p.height > p.bound;
        p = place(b, n, (struct placement_options){ .method = PLACEMENT_EXACT, .capacity = best });
        assert_int_equal(p.height, best);
        p = place(b, n, (struct placement_options){ .method = PLACEMENT_EXACT, .capacity = best + 3, .go_on = 1 });
        assert_int_equal(p.height, best);
    }
    if (above < 10)
        fail_msg("of %d the optimum was above the bound: no floor was tested", above);
}

/* Those that begin first, of equal ones the first in the list. */
static void slow_first_fit(struct buffer *b, size_t n)
{
    size_t *done = malloc(n * sizeof(*done)), ndone = 0;
    bool *placed = calloc(n, sizeof(*placed));

    for (; ndone < n; ndone++) {
        size_t next = n;
        for (size_t i = 0; i < n; i++)
            if (!placed[i] && (next == n || b[i].lower < b[next].lower))
                next = i;
        b[next].offset = lowest(b, next, done, ndone);
        placed[next] = 1;
        done[ndone] = next;
    }
    free(done);
    free(placed);
}

/* The largest first, of equal ones the one that begins first, then the first in the list. */
static void slow_greedy(struct buffer *b, size_t n)
{
    size_t *done = malloc(n * sizeof(*done)), ndone = 0;
    bool *placed = calloc(n, sizeof(*placed));

    for (; ndone < n; ndone++) {
        size_t next = n;
        for (size_t i = 0; i < n; i++)
            if (!placed[i] && (next == n || b[i].bytes > b[next].bytes ||
                               (b[i].bytes == b[next].bytes && b[i].lower < b[next].lower)))
                next = i;
        b[next].offset = lowest(b, next, done, ndone);
        placed[next] = 1;
        done[ndone] = next;
    }
    free(done);
    free(placed);
}

static void heuristics_are_what_they_say(void **state)
{
    static const struct {
        enum placement_method method;
        void (*slow)(struct buffer *, size_t);
    } methods[] = { { PLACEMENT_FIRST_FIT, slow_first_fit }, { PLACEMENT_GREEDY_SIZE, slow_greedy } };
    struct buffer b[200], slow[200];
    uint64_t seed = 2;

    (void)state;
    for (int round = 0; round < 400; round++) {
        size_t n = 1 + (size_t)below(&seed, 200);
        draw_buffers(&seed, b, n, 1 + below(&seed, 300), 1 + below(&seed, 100), 1 + below(&seed, 50));
        for (size_t m = 0; m < COUNT(methods); m++) {
            memcpy(slow, b, sizeof(b));
            methods[m].slow(slow, n);
            place(b, n, (struct placement_options){ .method = methods[m].method });
            for (size_t i = 0; i < n; i++)
                if (b[i].offset != slow[i].offset)
                    fail_msg("%s, round %d: buffer %zu at %lld, not %lld", placement_name(methods[m].method), round, i,
                             (long long)b[i].offset, (long long)slow[i].offset);
        }
    }
}

/* A rectangle cut up at random: its height is the optimum, and the bound. */
static void cut(uint64_t *seed, struct buffer *b, size_t n, int64_t steps, int64_t height)
{
    b[0] = (struct buffer){ 0, steps, height, 0 };
    for (size_t have = 1; have < n;) {
        struct buffer *x = &b[below(seed, (int64_t)have)];
        int64_t length = x->upper - x->lower;
        if (below(seed, 2) && length > 1) {
            b[have] = *x;
            b[have++].lower = x->upper = x->lower + 1 + below(seed, length - 1);
        } else if (x->bytes > 1) {
            b[have] = *x;
            x->bytes = 1 + below(seed, x->bytes - 1);
            b[have++].bytes -= x->bytes;
        }
    }
}

/* Some get smaller, none that is alive in the middle: bound and optimum stay. */
static void loosen(uint64_t *seed, struct buffer *b, size_t n, int64_t middle)
{
    for (size_t i = 0; i < n; i++)
        if ((b[i].lower > middle || b[i].upper <= middle) && b[i].bytes > 1 && below(seed, 2))
            b[i].bytes -= below(seed, 1 + (b[i].bytes - 1) / (1 + below(seed, 8)));
}

static void no_floor_is_too_high(void **state)
{
    static const struct {
        size_t n;
        uint64_t budget, least; /* of a hundred, so many must be solved */
    } cases[] = { { 12, 100000, 100 }, { 20, 100000, 100 }, { 40, 30000, 90 }, { 100, 10000, 20 },
                  { 200, 10000, 0 },   { 700, 5000, 0 },    { 3000, 20000, 0 } };
    struct buffer *b = malloc(MOST * sizeof(*b));
    uint64_t seed = 3;

    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        size_t solved = 0;
        for (int round = 0; round < (cases[c].n > 100 ? 4 : 100); round++) {
            cut(&seed, b, cases[c].n, 10000, 1000000);
            if (round % 2)
                loosen(&seed, b, cases[c].n, 5000);
            struct placement p = place(
                b, cases[c].n, (struct placement_options){ .method = PLACEMENT_EXACT, .budget = cases[c].budget });
            assert_int_equal(p.bound, 1000000);
            assert_int_equal(p.floor, 1000000);
            assert_true(p.nodes <= cases[c].budget + cases[c].n);
            assert_true(p.stopped == (p.height > p.floor));
            solved += !p.stopped;
        }
        if (solved < cases[c].least)
            fail_msg("%zu buffers: %zu of 100 were solved", cases[c].n, solved);
    }
    free(b);
}

/* Lifetimes nested as in training, with workspaces and copies that come back. */
static size_t nest(uint64_t *seed, struct buffer *b, int64_t layers)
{
    size_t n = 0;

    for (int64_t t = 0; t < layers; t++) {
        int64_t back = 2 * layers - 1 - t, bytes = 1 + below(seed, 100000 / (1 + t / 100));
        if (below(seed, 3)) {
            b[n++] = (struct buffer){ t, back + 1, bytes, 0 };
        } else {
            b[n++] = (struct buffer){ t, t + 2 + below(seed, 6), bytes, 0 };
            b[n++] = (struct buffer){ back - below(seed, 6), back + 1, bytes, 0 };
        }
        b[n++] = (struct buffer){ t, t + 1, 1 + below(seed, 2 * bytes), 0 };
        b[n++] = (struct buffer){ back, back + 2, bytes, 0 };
    }
    return n;
}

static void large_plans_reach_the_bound(void **state)
{
    struct buffer *b = malloc(MOST * sizeof(*b));
    uint64_t seed = 4;

    (void)state;
    for (int round = 0; round < 6; round++) {
        size_t n = nest(&seed, b, 200 + 150 * round);
        struct placement p = place(b, n, (struct placement_options){ .method = PLACEMENT_EXACT, .budget = 20000 });
        if (p.height != p.bound)
            fail_msg("%zu buffers: %lld instead of %lld", n, (long long)p.height, (long long)p.bound);
    }
    free(b);
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
    struct buffer b[300], again[300];
    uint64_t seed = 5;
    int asked = 0;

    (void)state;
    cut(&seed, b, 300, 10000, 10000000);
    memcpy(again, b, sizeof(b));
    struct placement_options o = { .method = PLACEMENT_EXACT, .budget = 3000 };
    struct placement p = place(b, 300, o), q = place(again, 300, o);
    assert_true(p.stopped && p.nodes <= 3300);
    assert_same(&p, &q);
    assert_memory_equal(b, again, sizeof(b));

    o.budget = UINT64_MAX;
    o.stop = stop_soon;
    o.context = &asked;
    p = place(b, 300, o);
    assert_true(p.stopped && p.height > p.floor);
    assert_int_equal(asked, 4);

    o = (struct placement_options){ .method = PLACEMENT_EXACT, .budget = 1000000, .capacity = 19000000 };
    p = place(b, 300, o);
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
    struct buffer none[1], b[] = { { 5, 5, 900, -1 }, { 0, 3, 0, -1 }, { -9, 2, 100, -1 }, { 1, 2, 50, -1 } };
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

        struct buffer wrong[] = { { 0, 1, 1, 0 }, { 2, 1, 1, 0 }, { 0, 1, -1, 0 } };
        struct placement kept = { .height = 12345 };
        assert_int_equal(placement_make(wrong, 2, &o, &kept), E_INVAL);
        wrong[1].upper = 3;
        assert_int_equal(placement_make(wrong, 3, &o, &kept), E_INVAL);
        struct buffer large[] = { { 0, 1, much, 0 }, { 0, 1, much, 0 }, { 7, 8, 1, 0 } };
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
    assert_int_equal(placement_bound((struct buffer[]){ { 1, 0, 1, 0 } }, 1, 1), E_INVAL);
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

    struct buffer b[] = { { 0, 1, 8, 0 }, { 3, 4, 8, 12 } };
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
        b[n] = (struct buffer){ lower, upper, size, 0 };
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
        cmocka_unit_test(exact_is_the_optimum),
        cmocka_unit_test(heuristics_are_what_they_say),
        cmocka_unit_test(no_floor_is_too_high),
        cmocka_unit_test(large_plans_reach_the_bound),
        cmocka_unit_test(searches_end),
        cmocka_unit_test(large_nodes_cost_more),
        cmocka_unit_test(any_method_can_be_ended),
        cmocka_unit_test(alignment_rounds_up),
        cmocka_unit_test(corners),
        cmocka_unit_test(broken_placements_are_found),
        cmocka_unit_test(plans_reach_the_bound),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
