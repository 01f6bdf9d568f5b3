/* One axis of a window operation, cut: sizes and values against the unsplit operation. */

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/split/split.h"
#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/split/split_check.h"
#include "tests/test.h"

enum { MAX_LENGTH = 72, MAX_PARTS = 8, MAX_PADDED = 2 * MAX_LENGTH };

static int64_t between(uint64_t *seed, int64_t low, int64_t high)
{
    return low + (int64_t)(draw(seed) % (uint64_t)(high - low + 1));
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

/* A window operation over an axis, its output split and its input split. */
struct trial {
    struct window w;
    int64_t in_length, out_length;
    size_t n;
    int64_t out_starts[MAX_PARTS], in_starts[MAX_PARTS];
};

static struct window random_window(uint64_t *seed)
{
    struct window w = { .kernel = between(seed, 1, 11), .stride = between(seed, 1, 5) };

    if (!between(seed, 0, 4))
        w.stride = least(w.kernel, 5); /* natural cuts are rare otherwise */
    w.pad_begin = between(seed, 0, w.kernel - 1);
    w.pad_end = between(seed, 0, w.kernel - 1);
    return w;
}

/* Output starts: even, stochastic, or any that rise. */
static void random_output_split(uint64_t *seed, struct trial *t)
{
    int64_t n = (int64_t)t->n;

    switch (between(seed, 0, 2)) {
    case 0: assert_int_equal(split_even(t->out_length, n, t->out_starts), E_OK); return;
    case 1: assert_int_equal(split_stochastic(t->out_length, n, 0.4, draw(seed), t->out_starts), E_OK); return;
    default: break;
    }
    t->out_starts[0] = 0;
    for (int64_t i = 1; i < n; i++)
        t->out_starts[i] = between(seed, t->out_starts[i - 1] + 1, t->out_length - (n - i));
}

/* Input starts anywhere in their bounds, 'beyond' positions out of them at most, no part empty. False if there are
 * none. */
static bool random_input_split(uint64_t *seed, int64_t beyond, struct trial *t)
{
    t->in_starts[0] = 0;
    for (size_t i = 1; i < t->n; i++) {
        int64_t low, high;
        split_bounds(&t->w, t->out_starts[i], &low, &high);
        assert_true(low <= high);
        low = most(low - beyond, t->in_starts[i - 1] + 1);
        high = least(high + beyond, t->in_length - 1);
        if (low > high)
            return false;
        t->in_starts[i] = between(seed, low, high);
    }
    return true;
}

static bool random_trial(uint64_t *seed, int64_t beyond, struct trial *t)
{
    t->w = random_window(seed);
    t->in_length = between(seed, 1, MAX_LENGTH);
    t->out_length = window_outputs(&t->w, t->in_length);
    if (t->out_length < 1)
        return false;
    t->n = (size_t)between(seed, 1, least(MAX_PARTS, t->out_length));
    random_output_split(seed, t);
    return random_input_split(seed, beyond, t);
}

static struct split_part part_of(const struct trial *t, size_t i)
{
    return split_part(&t->w, t->in_length, t->out_length, t->n, t->out_starts, t->in_starts, i);
}

_Noreturn static void fail_trial(const struct trial *t, size_t i, const char *what)
{
    struct split_part p = part_of(t, i);

    fail_msg("k %d s %d p %d,%d over %d: part %d of %d, in %d+%d out %d+%d padding %d,%d: %s", (int)t->w.kernel,
             (int)t->w.stride, (int)t->w.pad_begin, (int)t->w.pad_end, (int)t->in_length, (int)i, (int)t->n,
             (int)p.in_start, (int)p.in_length, (int)p.out_start, (int)p.out_length, (int)p.pad_begin, (int)p.pad_end,
             what);
    abort();
}

/* The parts cover both axes without a gap, and each puts out as many values as it should; as printed, p_b has one
 * stride too much and all but the first put out one more. */
static void check_sizes(const struct trial *t)
{
    int64_t in = 0, out = 0;

    for (size_t i = 0; i < t->n; i++) {
        struct split_part p = part_of(t, i);
        struct window w = { t->w.kernel, t->w.stride, p.pad_begin, p.pad_end }, printed = w;
        if (p.in_start != in || p.out_start != out || p.in_length < 1 || p.out_length < 1)
            fail_trial(t, i, "it does not begin where the one before it ends");
        in += p.in_length;
        out += p.out_length;
        if (window_outputs(&w, p.in_length) != p.out_length)
            fail_trial(t, i, "a wrong number of outputs");
        printed.pad_begin = t->in_starts[i] + t->w.pad_begin - (t->out_starts[i] - 1) * t->w.stride;
        if (i && window_outputs(&printed, p.in_length) != p.out_length + 1)
            fail_trial(t, i, "the padding as printed should put out one value more");
    }
    if (in != t->in_length || out != t->out_length)
        fail_trial(t, t->n - 1, "the parts do not end where the axis does");
    struct split_part first = part_of(t, 0), last = part_of(t, t->n - 1);
    assert_int_equal(first.pad_begin, t->w.pad_begin);
    assert_int_equal(last.pad_end, t->w.pad_end);
}

static void weights_and_input(uint64_t *seed, int64_t weights[11], int64_t x[MAX_LENGTH])
{
    for (int i = 0; i < 11; i++)
        weights[i] = between(seed, 1, 1000000);
    for (int i = 0; i < MAX_LENGTH; i++)
        x[i] = between(seed, 1, 1000000);
}

/* A convolution over 'length' values; those outside of [from, to) count as zeros. */
static int64_t output_at(const struct window *w, const int64_t *weights, const int64_t *x, int64_t o, int64_t from,
                         int64_t to)
{
    int64_t sum = 0;

    for (int64_t tap = 0; tap < w->kernel; tap++) {
        int64_t at = o * w->stride - w->pad_begin + tap;
        sum += at >= from && at < to ? weights[tap] * x[at] : 0;
    }
    return sum;
}

/* The same for a part, as a machine would: its values with their padding around them, positions skipped where it is
 * below 0. */
static void run_part(const struct trial *t, const struct split_part *p, const int64_t *weights, const int64_t *x,
                     int64_t *y)
{
    int64_t padded[MAX_PADDED], length = p->in_length + p->pad_begin + p->pad_end;

    assert_in_range(length, 1, MAX_PADDED);
    for (int64_t i = 0; i < length; i++) {
        int64_t at = i - p->pad_begin;
        padded[i] = at >= 0 && at < p->in_length ? x[p->in_start + at] : 0;
    }
    for (int64_t o = 0; o < p->out_length; o++) {
        assert_true(o * t->w.stride + t->w.kernel <= length);
        y[o] = 0;
        for (int64_t tap = 0; tap < t->w.kernel; tap++)
            y[o] += weights[tap] * padded[o * t->w.stride + tap];
    }
}

/* Each output is the unsplit one with the taps behind a cut zeroed, so the unsplit one where no tap is, and everywhere
 * for k = s and for k < s within the bounds. Returns how many outputs lost a tap. */
static int check_values(uint64_t *seed, const struct trial *t, bool within)
{
    int64_t weights[11], x[MAX_LENGTH], y[MAX_PADDED];
    int lost = 0;

    weights_and_input(seed, weights, x);
    for (size_t i = 0; i < t->n; i++) {
        struct split_part p = part_of(t, i);
        int64_t end = p.in_start + p.in_length;
        run_part(t, &p, weights, x, y);
        for (int64_t o = 0; o < p.out_length; o++) {
            int64_t at = p.out_start + o, begin = at * t->w.stride - t->w.pad_begin;
            int64_t whole = output_at(&t->w, weights, x, at, 0, t->in_length);
            bool crosses = most(begin, 0) < p.in_start || least(begin + t->w.kernel, t->in_length) > end;
            if (crosses ? y[o] == whole : y[o] != whole)
                fail_trial(t, i, crosses ? "a window over the cut is whole" : "a window on one side of the cut is not");
            if (y[o] != output_at(&t->w, weights, x, at, p.in_start, end))
                fail_trial(t, i, "not the unsplit output with the taps behind the cut zeroed");
            lost += crosses;
        }
    }
    if (lost && within && t->w.kernel <= t->w.stride)
        fail_trial(t, 0, "the cut should be natural");
    return lost;
}

/* What the unsplit operation reads is in the used range of the part that it lies in. */
static void check_all_is_read(const struct trial *t)
{
    bool used[MAX_LENGTH] = { 0 };

    for (size_t i = 0; i < t->n; i++) {
        struct split_part p = part_of(t, i);
        for (int64_t at = most(0, -p.pad_begin); at < p.in_length - most(0, -p.pad_end); at++)
            used[p.in_start + at] = 1;
    }
    for (int64_t o = 0; o < t->out_length; o++)
        for (int64_t tap = 0; tap < t->w.kernel; tap++) {
            int64_t at = o * t->w.stride - t->w.pad_begin + tap;
            if (at >= 0 && at < t->in_length && !used[at])
                fail_trial(t, 0, "a position that the unsplit operation reads is skipped");
        }
}

static void parts_agree_with_the_unsplit_operation(void **state)
{
    uint64_t seed = 1;
    int trials = 0, cut = 0, natural = 0, small = 0;

    (void)state;
    while (trials < 8000) {
        struct trial t;
        if (!random_trial(&seed, 0, &t))
            continue;
        check_sizes(&t);
        check_all_is_read(&t);
        cut += check_values(&seed, &t, 1) > 0;
        natural += t.n > 1 && t.w.kernel == t.w.stride;
        small += t.n > 1 && t.w.kernel < t.w.stride;
        trials++;
    }
    assert_true(cut > 2000 && natural > 500 && small > 500); /* the draws reach every case */
}

static void parts_agree_outside_of_the_bounds(void **state)
{
    uint64_t seed = 2;
    int skipped = 0;

    (void)state;
    for (int trials = 0; trials < 3000; trials++) {
        struct trial t;
        if (!random_trial(&seed, 9, &t))
            continue;
        check_sizes(&t);
        check_values(&seed, &t, 0);
        for (size_t i = 0; i < t.n; i++)
            skipped += part_of(&t, i).pad_begin < 0 && t.w.kernel >= t.w.stride;
    }
    assert_true(skipped > 300);
}

/* lb: where the window of output o begins. ub: behind the end of the window before it. The middle rounds up. */
static void bounds_by_hand(void **state)
{
    static const struct {
        struct window w;
        int64_t o, low, high, middle;
    } cases[] = {
        { { 3, 1, 1, 1 }, 56, 55, 57, 56 },  { { 1, 1, 0, 0 }, 9, 9, 9, 9 },     { { 2, 2, 0, 0 }, 14, 28, 28, 28 },
        { { 3, 2, 1, 1 }, 28, 55, 56, 56 },  { { 3, 2, 0, 0 }, 13, 26, 27, 27 }, { { 7, 2, 3, 3 }, 56, 109, 114, 112 },
        { { 11, 4, 2, 2 }, 19, 74, 81, 78 }, { { 1, 2, 0, 0 }, 14, 27, 28, 28 }, { { 1, 3, 0, 0 }, 5, 13, 15, 14 },
        { { 2, 5, 1, 1 }, 3, 11, 14, 13 },   { { 5, 1, 4, 4 }, 1, -3, 1, -1 },   { { 4, 1, 0, 3 }, 2, 2, 5, 4 },
        { { 6, 1, 5, 5 }, 1, -4, 1, -1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int64_t low, high;
        split_bounds(&cases[i].w, cases[i].o, &low, &high);
        if (low != cases[i].low || high != cases[i].high || split_middle(low, high) != cases[i].middle)
            fail_msg("case %d: %d..%d, middle %d", (int)i, (int)low, (int)high, (int)split_middle(low, high));
    }
}

/* The signs: at lb the part behind the cut begins without padding and the one before lacks k - s, at ub the reverse. */
static void padding_at_the_bounds(void **state)
{
    (void)state;
    for (int64_t k = 1; k <= 11; k++)
        for (int64_t s = 1; s <= 5; s++)
            for (int64_t p = 0; p < k; p++) {
                struct window w = { k, s, p, p };
                int64_t length = 80, out = window_outputs(&w, length), cut = out / 2;
                for (int side = 0; side < 2; side++) {
                    int64_t o[2] = { 0, cut }, i[2] = { 0, side ? (cut - 1) * s + k - p : cut * s - p };
                    struct split_part before = split_part(&w, length, out, 2, o, i, 0);
                    struct split_part behind = split_part(&w, length, out, 2, o, i, 1);
                    assert_int_equal(behind.pad_begin, side ? k - s : 0);
                    assert_int_equal(before.pad_end, side ? 0 : k - s);
                }
            }
}

static void middles_of_the_bounds(void **state)
{
    uint64_t seed = 3;
    int made = 0, natural = 0;

    (void)state;
    while (made < 2000) {
        struct trial t;
        if (!random_trial(&seed, 0, &t))
            continue;
        int64_t gap = t.w.kernel - t.w.stride;
        for (size_t i = 1; i < t.n; i++) {
            int64_t twice = 2 * (t.out_starts[i] * t.w.stride - t.w.pad_begin) + gap, low, high; /* lb + ub */
            split_bounds(&t.w, t.out_starts[i], &low, &high);
            if (split_middle(low, high) != (int64_t)ceil((double)twice / 2))
                fail_trial(&t, i, "not the middle of the bounds");
            if (gap == 2 * t.w.pad_begin || gap == 2 * t.w.pad_begin - 1) {
                assert_int_equal(split_middle(low, high), t.out_starts[i] * t.w.stride);
                natural++;
            }
        }
        made++;
    }
    assert_true(natural > 100);
}

static void even_splits(void **state)
{
    int64_t starts[16];

    (void)state;
    for (int64_t length = 1; length <= 40; length++)
        for (int64_t n = 1; n <= 16; n++) {
            int rc = split_even(length, n, starts);
            assert_int_equal(rc, n > length ? E_INVAL : E_OK);
            for (int64_t i = 0; !rc && i < n; i++)
                assert_true(starts[i] * n <= i * length && (starts[i] + 1) * n > i * length);
        }
    assert_int_equal(split_even(5, 0, starts), E_INVAL);
    assert_int_equal(split_even(5, -1, starts), E_INVAL);
    assert_int_equal(split_even((int64_t)1 << 48, 3, starts), E_OK);
    assert_int_equal(starts[2], 187649984473770); /* 2^49 / 3 */
}

/* L = 112, N = 2: 45..67, all of them, about equally often. */
static void stochastic_splits_of_the_paper(void **state)
{
    int count[112] = { 0 };

    (void)state;
    for (uint64_t seed = 0; seed < 23000; seed++) {
        int64_t starts[2], again[2];
        assert_int_equal(split_stochastic(112, 2, 0.2, seed, starts), E_OK);
        assert_int_equal(split_stochastic(112, 2, 0.2, seed, again), E_OK);
        assert_memory_equal(starts, again, sizeof(starts));
        assert_int_equal(starts[0], 0);
        assert_in_range(starts[1], 45, 67);
        count[starts[1]]++;
    }
    for (int i = 45; i <= 67; i++)
        assert_in_range(count[i], 850, 1150); /* 1000, 5 standard deviations of 31 */
}

/* Whatever is drawn lies in the range of the rational numbers (wiggle a fifth, ...), both ends come up, and where the
 * range holds no integer the cut is even. */
static void stochastic_splits_keep_to_their_range(void **state)
{
    static const int64_t tenths[] = { 0, 1, 2, 3, 4 };

    (void)state;
    for (size_t w = 0; w < COUNT(tenths); w++)
        for (int64_t length = 1; length <= 60; length += length < 12 ? 1 : 7)
            for (int64_t n = 1; n <= least(length, 6); n++) {
                int64_t lowest[6], highest[6], starts[6];
                for (uint64_t seed = 0; seed < 150; seed++) {
                    assert_int_equal(split_stochastic(length, n, (double)tenths[w] / 10, seed, starts), E_OK);
                    for (int64_t i = 0; i < n; i++) {
                        lowest[i] = seed ? least(lowest[i], starts[i]) : starts[i];
                        highest[i] = seed ? most(highest[i], starts[i]) : starts[i];
                        assert_true(!i || starts[i] > starts[i - 1]);
                    }
                    assert_true(starts[n - 1] < length);
                }
                for (int64_t i = 1; i < n; i++) {
                    int64_t low = ((10 * i - tenths[w]) * length + 10 * n - 1) / (10 * n);
                    int64_t high = (10 * i + tenths[w]) * length / (10 * n);
                    if (low > high)
                        low = high = i * length / n;
                    if (lowest[i] != low || highest[i] != high)
                        fail_msg("length %d, part %d of %d, wiggle 0.%d: %d..%d, not %d..%d", (int)length, (int)i,
                                 (int)n, (int)tenths[w], (int)lowest[i], (int)highest[i], (int)low, (int)high);
                }
            }
}

static void stochastic_splits_of_any_wiggle(void **state)
{
    static const double refused[] = { -0.1, 0.5, 1, INFINITY, NAN };
    int64_t starts[40];
    uint64_t seed = 4;

    (void)state;
    for (size_t i = 0; i < COUNT(refused); i++)
        assert_int_equal(split_stochastic(10, 2, refused[i], 0, starts), E_INVAL);
    assert_int_equal(split_stochastic(10, 11, 0.2, 0, starts), E_INVAL);
    assert_int_equal(split_stochastic(10, 0, 0.2, 0, starts), E_INVAL);
    for (int trial = 0; trial < 20000; trial++) {
        int64_t length = between(&seed, 1, 400), n = between(&seed, 1, least(length, 40));
        double wiggle = trial % 2 ? 0.5 - 1e-12 : (double)between(&seed, 0, 4999) / 10000;
        assert_int_equal(split_stochastic(length, n, wiggle, draw(&seed), starts), E_OK);
        for (int64_t i = 1; i < n; i++)
            assert_true(starts[i] > starts[i - 1]);
        assert_true(starts[0] == 0 && starts[n - 1] < length);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(even_splits),
        cmocka_unit_test(stochastic_splits_of_the_paper),
        cmocka_unit_test(stochastic_splits_keep_to_their_range),
        cmocka_unit_test(stochastic_splits_of_any_wiggle),
        cmocka_unit_test(bounds_by_hand),
        cmocka_unit_test(padding_at_the_bounds),
        cmocka_unit_test(middles_of_the_bounds),
        cmocka_unit_test(parts_agree_with_the_unsplit_operation),
        cmocka_unit_test(parts_agree_outside_of_the_bounds),
    };
    return cmocka_run_group_tests_name("split", tests, NULL, NULL);
}
