/* Gaps, windows and alignments of single buffers: the heuristics against plain loops, EXACT against enumeration, the
 * check of a placement against a map of every address at every step. */
#include <stdbool.h>
#include <string.h>

#include "model/placement/placement.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/placement/placement_rig.h"
#include "tests/test.h"

enum { MANY = 24, GAPS = 3 };

struct drawn {
    struct buffer buffers[MANY];
    struct buffer_gap gaps[MANY][GAPS];
};

static void draw_gaps(uint64_t *seed, struct drawn *d, size_t n, bool windows)
{
    for (size_t i = 0; i < n; i++) {
        struct buffer *b = &d->buffers[i];
        int64_t at = b->lower;

        b->gaps = d->gaps[i];
        b->ngaps = 0;
        b->alignment = below(seed, 2) ? 0 : 1 + below(seed, 5);
        while (b->ngaps < GAPS && at < b->upper && below(seed, 3)) {
            struct buffer_gap gap = { .lower = at + below(seed, b->upper - at) };
            gap.upper = at = gap.lower + 1 + below(seed, b->upper - gap.lower);
            if (windows && below(seed, 2)) {
                gap.from = below(seed, b->bytes);
                gap.to = gap.from + 1 + below(seed, b->bytes - gap.from);
            }
            d->gaps[i][b->ngaps++] = gap;
        }
    }
}

/* The first step in which a buffer is in use; 'upper' if there is none. */
static int64_t begin_of(const struct buffer *b)
{
    int64_t at = b->lower;

    for (size_t g = 0; g < b->ngaps && b->gaps[g].lower == at && b->gaps[g].to == b->gaps[g].from; g++)
        at = b->gaps[g].upper;
    return at;
}

static bool fits_beside(const struct buffer *b, size_t i, const bool placed[], size_t n)
{
    int64_t at;

    if (b[i].alignment > 1 && b[i].offset % b[i].alignment)
        return false;
    for (size_t k = 0; k < n; k++)
        if (k != i && placed[k] && placement_overlap(&b[i], &b[k], &at))
            return false;
    return true;
}

static bool goes_before(const struct buffer *x, const struct buffer *y, enum placement_method method)
{
    if (method == PLACEMENT_GREEDY_SIZE && x->bytes != y->bytes)
        return x->bytes > y->bytes;
    return begin_of(x) < begin_of(y);
}

/* The next in the order, of equal ones the first in the list, at the lowest offset. */
static void place_slowly(struct buffer *b, size_t n, enum placement_method method)
{
    bool placed[MANY] = { 0 };

    for (size_t done = 0; done < n; done++) {
        size_t next = n;
        for (size_t i = 0; i < n; i++)
            if (!placed[i] && (next == n || goes_before(&b[i], &b[next], method)))
                next = i;
        b[next].offset = 0;
        while (begin_of(&b[next]) < b[next].upper && !fits_beside(b, next, placed, n))
            b[next].offset++;
        placed[next] = true;
    }
}

static void heuristics_are_what_they_say(void **state)
{
    uint64_t seed = 1;
    struct drawn d;

    (void)state;
    for (int round = 0; round < 1000; round++) {
        size_t n = 1 + (size_t)below(&seed, MANY);
        struct buffer slow[MANY];

        draw_buffers(&seed, d.buffers, n, 1 + below(&seed, 30), 1 + below(&seed, 20), 1 + below(&seed, 30));
        draw_gaps(&seed, &d, n, round % 2);
        for (enum placement_method m = PLACEMENT_FIRST_FIT; m <= PLACEMENT_GREEDY_SIZE; m++) {
            memcpy(slow, d.buffers, sizeof(slow));
            place_slowly(slow, n, m);
            place(d.buffers, n, (struct placement_options){ .method = m });
            for (size_t i = 0; i < n; i++)
                if (d.buffers[i].offset != slow[i].offset)
                    fail_msg("%s, round %d: buffer %zu at %lld, not %lld", placement_name(m), round, i,
                             (long long)d.buffers[i].offset, (long long)slow[i].offset);
        }
    }
}

/* Is there space for b[i] and those after it? Every offset is tried. */
static bool fit(struct buffer *b, size_t i, size_t n, int64_t height)
{
    bool placed[MANY] = { 0 };

    if (i == n)
        return true;
    memset(placed, 1, i);
    for (b[i].offset = 0; b[i].offset + b[i].bytes <= height; b[i].offset++)
        if (fits_beside(b, i, placed, n) && fit(b, i + 1, n, height))
            return true;
    return false;
}

static void exact_is_the_optimum(void **state)
{
    uint64_t seed = 2;
    int above[2] = { 0 }, missed = 0;
    struct drawn d;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        size_t n = 2 + (size_t)below(&seed, 5);
        struct buffer slow[MANY];
        bool windows = round % 2;

        draw_buffers(&seed, d.buffers, n, 6, 7, 6);
        draw_gaps(&seed, &d, n, windows);
        memcpy(slow, d.buffers, sizeof(slow));
        struct placement p = place(d.buffers, n, (struct placement_options){ .method = PLACEMENT_EXACT });
        int64_t best = p.bound;
        while (!fit(slow, 0, n, best))
            best++;
        if (p.stopped || p.height < best || p.floor > best || (!windows && (p.height > best || p.floor < best)))
            fail_msg("round %d: height %lld, floor %lld, optimum %lld", round, (long long)p.height, (long long)p.floor,
                     (long long)best);
        above[windows] += best > p.bound;
        missed += p.height > best;
    }
    assert_in_range(above[0], 50, 900); /* the bound alone says too little */
    assert_in_range(missed, 0, 30);     /* with windows */
}

/* Of a pool and of a buffer: what the offset is a multiple of, next to one of 10 bytes at 0. */
static void alignments_combine(void **state)
{
    static const struct {
        int64_t all, own, offset;
    } cases[] = { { 0, 0, 10 }, { 0, 1, 10 },        { 0, 16, 16 },    { 0, 7, 14 },   { 8, 0, 16 },
                  { 8, 4, 16 }, { 8, 64, 64 },       { 6, 4, 12 },     { 12, 18, 36 }, { 16, 16, 16 },
                  { 1, 3, 12 }, { 512, 1024, 1024 }, { 0, 4096, 4096 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int m = 0; m < PLACEMENT_METHODS; m++) {
            struct buffer b[] = { { .upper = 9, .bytes = 10, .alignment = cases[i].own },
                                  { .upper = 9, .bytes = 10, .alignment = cases[i].own } };
            struct placement_options o = { .method = (enum placement_method)m, .alignment = cases[i].all };
            place(b, 2, o);
            if (b[0].offset || b[1].offset != cases[i].offset)
                fail_msg("%s, %lld and %lld: at %lld and %lld", placement_name(o.method), (long long)cases[i].all,
                         (long long)cases[i].own, (long long)b[0].offset, (long long)b[1].offset);
        }
}

/* Two that are never in use together lie at the same addresses; a window is all that counts in its gap. */
static void gaps_are_used(void **state)
{
    static const struct buffer_gap whole = { 2, 6, 0, 0 }, top = { 2, 6, 60, 100 }, all = { 0, 9, 0, 0 };
    static const struct {
        const struct buffer_gap *gap;
        int64_t other, bound, height, exact;
    } cases[] = { { NULL, 50, 150, 150, 150 }, { &whole, 50, 100, 100, 100 }, { &whole, 120, 120, 120, 120 },
                  { &top, 50, 100, 100, 100 }, { &top, 60, 100, 100, 100 },   { &top, 61, 101, 161, 101 },
                  { &all, 50, 50, 100, 100 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int m = 0; m < PLACEMENT_METHODS; m++) {
            struct buffer b[] = {
                { .upper = 9, .bytes = 100, .gaps = cases[i].gap, .ngaps = cases[i].gap != NULL },
                { .lower = 3, .upper = 5, .bytes = cases[i].other },
            };
            struct placement p = place(b, 2, (struct placement_options){ .method = (enum placement_method)m });
            if (p.bound != cases[i].bound || p.height != (m == PLACEMENT_EXACT ? cases[i].exact : cases[i].height))
                fail_msg("%s, case %zu: height %lld, bound %lld", placement_name((enum placement_method)m), i,
                         (long long)p.height, (long long)p.bound);
        }
}

static void bad_rows_are_refused(void **state)
{
    static const struct {
        struct buffer_gap gaps[2];
        size_t n;
        int64_t alignment;
        int rc;
    } cases[] = { { { { 2, 4, 0, 0 }, { 4, 9, 0, 0 } }, 2, 0, E_OK },
                  { { { 0, 9, 0, 8 } }, 1, 0, E_OK },
                  { { { 4, 6, 0, 0 }, { 2, 3, 0, 0 } }, 2, 0, E_INVAL },
                  { { { 2, 5, 0, 0 }, { 4, 6, 0, 0 } }, 2, 0, E_INVAL },
                  { { { 2, 2, 0, 0 } }, 1, 0, E_INVAL },
                  { { { -1, 2, 0, 0 } }, 1, 0, E_INVAL },
                  { { { 8, 10, 0, 0 } }, 1, 0, E_INVAL },
                  { { { 2, 4, -1, 3 } }, 1, 0, E_INVAL },
                  { { { 2, 4, 4, 3 } }, 1, 0, E_INVAL },
                  { { { 2, 4, 4, 9 } }, 1, 0, E_INVAL },
                  { { { 0 } }, 0, -1, E_INVAL },
                  { { { 0 } }, 0, (int64_t)1 << 62, E_OK },
                  { { { 0 } }, 0, ((int64_t)1 << 61) - 1, E_RANGE } }; /* no common multiple with 16 */

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct buffer b = {
            .upper = 9, .bytes = 8, .gaps = cases[i].gaps, .ngaps = cases[i].n, .alignment = cases[i].alignment
        };
        struct placement p;
        int rc = placement_make(&b, 1, &(struct placement_options){ .alignment = 16 }, &p);
        if (rc != cases[i].rc)
            fail_msg("case %zu: answered %d, not %d", i, rc, cases[i].rc);
    }
}

/* Every address at every step has one owner at most. */
static bool is_free_of_overlap(const struct buffer *b, size_t n)
{
    enum { STEPS = 64, BYTES = 1024 };
    static unsigned char owned[STEPS][BYTES];

    memset(owned, 0, sizeof(owned));
    for (size_t i = 0; i < n; i++)
        for (int64_t t = b[i].lower; t < b[i].upper; t++) {
            int64_t from = 0, to = b[i].bytes;
            for (size_t g = 0; g < b[i].ngaps; g++)
                if (b[i].gaps[g].lower <= t && t < b[i].gaps[g].upper) {
                    from = b[i].gaps[g].from;
                    to = b[i].gaps[g].to;
                }
            for (int64_t k = b[i].offset + from; k < b[i].offset + to; k++)
                if (owned[t][k]++)
                    return false;
        }
    return true;
}

static void broken_placements_are_found(void **state)
{
    uint64_t seed = 3;
    int valid = 0;
    struct drawn d;

    (void)state;
    for (int round = 0; round < 2000; round++) {
        size_t n = 2 + (size_t)below(&seed, MANY - 2), i = 99, j = 99;
        int64_t at;
        bool want;

        draw_buffers(&seed, d.buffers, n, 30, 20, 9);
        draw_gaps(&seed, &d, n, true);
        place(d.buffers, n, (struct placement_options){ .method = PLACEMENT_FIRST_FIT });
        for (int64_t wrong = below(&seed, 3); wrong > 0; wrong--) {
            struct buffer *x = &d.buffers[below(&seed, (int64_t)n)];
            x->alignment = 0;
            x->offset = below(&seed, 1 + x->offset);
        }
        want = is_free_of_overlap(d.buffers, n);
        assert_int_equal(placement_valid(d.buffers, n, 1, &i, &j), want);
        valid += want;
        assert_true(want || (i < j && placement_overlap(&d.buffers[i], &d.buffers[j], &at)));
    }
    assert_in_range(valid, 500, 1700);

    struct buffer b = { .upper = 1, .bytes = 8, .offset = 24, .alignment = 16 };
    size_t i, j;
    assert_true(!placement_valid(&b, 1, 1, &i, &j) && !i && !j);
    b.alignment = 12;
    assert_true(placement_valid(&b, 1, 8, &i, &j));
    assert_false(placement_valid(&b, 1, 16, &i, &j));
}

/* Too many to be searched: the lowest of the heuristics. */
static void many_are_placed(void **state)
{
    enum { N = 9000 };
    struct buffer *b = calloc(N, sizeof(*b));
    uint64_t seed = 4;
    struct placement p[PLACEMENT_METHODS];

    (void)state;
    draw_buffers(&seed, b, N, N, N / 10, 1000);
    for (size_t i = 0; i < N; i++)
        b[i].alignment = 512;
    for (int m = 0; m < PLACEMENT_METHODS; m++)
        p[m] = place(b, N, (struct placement_options){ .method = (enum placement_method)m });
    assert_true(p[PLACEMENT_EXACT].height <= p[PLACEMENT_FIRST_FIT].height);
    assert_true(p[PLACEMENT_EXACT].height <= p[PLACEMENT_GREEDY_SIZE].height);
    assert_int_equal(p[PLACEMENT_EXACT].nodes, 0);
    free(b);
}

/* What an allocator hands out is rounded up already: then alignments change nothing, at any number. */
static void rounded_sizes_are_as_without(void **state)
{
    enum { N = 9000 };
    struct buffer *b = calloc(N, sizeof(*b)), *c = calloc(N, sizeof(*c));
    uint64_t seed = 5;

    (void)state;
    draw_buffers(&seed, b, N, N, N / 100, 1000);
    for (size_t i = 0; i < N; i++)
        b[i].bytes *= 512;
    memcpy(c, b, N * sizeof(*c));
    for (size_t i = 0; i < N; i++)
        c[i].alignment = i % 3 ? 512 : 0;
    for (int m = 0; m < PLACEMENT_METHODS; m++) {
        struct placement_options o = { .method = (enum placement_method)m, .budget = 300 };
        struct placement p = place(b, N, o), q = place(c, N, o);
        assert_int_equal(p.height, q.height);
        assert_int_equal(p.nodes, q.nodes);
        for (size_t i = 0; i < N; i++)
            assert_int_equal(b[i].offset, c[i].offset);
    }
    free(b);
    free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heuristics_are_what_they_say),
        cmocka_unit_test(exact_is_the_optimum),
        cmocka_unit_test(alignments_combine),
        cmocka_unit_test(gaps_are_used),
        cmocka_unit_test(bad_rows_are_refused),
        cmocka_unit_test(broken_placements_are_found),
        cmocka_unit_test(many_are_placed),
        cmocka_unit_test(rounded_sizes_are_as_without),
    };

    return cmocka_run_group_tests_name("placement_gaps", tests, NULL, NULL);
}
