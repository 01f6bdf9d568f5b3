/* Placements against enumeration, and the heuristics by hand. */
#include "tests/model/placement/placement_rig.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/placement/placement.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/test.h"

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
            b[n] = (struct buffer)BUFFER(t, 11, 1 + below(seed, free < 9 ? free : 9), 0);
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
            b[n++] = (struct buffer)BUFFER(t, back + 1, bytes, 0);
        } else {
            b[n++] = (struct buffer)BUFFER(t, t + 2 + below(seed, 6), bytes, 0);
            b[n++] = (struct buffer)BUFFER(back - below(seed, 6), back + 1, bytes, 0);
        }
        b[n++] = (struct buffer)BUFFER(t, t + 1, 1 + below(seed, 2 * bytes), 0);
        b[n++] = (struct buffer)BUFFER(back, back + 2, bytes, 0);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_is_the_optimum),
        cmocka_unit_test(heuristics_are_what_they_say),
        cmocka_unit_test(no_floor_is_too_high),
        cmocka_unit_test(large_plans_reach_the_bound),
    };

    return cmocka_run_group_tests_name("placement", tests, NULL, NULL);
}
