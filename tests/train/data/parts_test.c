/* What generators and readers are built from: powers and logarithms, draws, variations of images. */
#include <math.h>
#include <stdlib.h>

#include "tests/test.h"
#include "train/data/draw.h"
#include "train/data/plain_math.h"
#include "train/data/vary.h"

static void close_to(double got, double expected, const char *what, double at)
{
    if (!(fabs(got - expected) <= 1e-14 * fabs(expected) + 1e-15))
        fail_msg("%s of %.17g: %.17g, expected %.17g", what, at, got, expected);
}

static void powers_agree_with_the_library(void **state)
{
    (void)state;
    for (double x = -1000; x <= 1000; x += 0.37)
        close_to(plain_exp2(x), exp2(x), "2 to the power", x);
    for (double x = 1e-300; x < 1e300; x *= 1.37)
        close_to(plain_log2(x), log2(x), "logarithm", x);
    for (double x = -40; x < 40; x += 0.013)
        close_to(plain_logistic(x), 1 / (1 + exp(-x)), "logistic", x);
    assert_true(plain_exp2(0) == 1 && plain_exp2(10) == 1024 && plain_log2(1) == 0 && plain_log2(0.125) == -3);
    assert_true(plain_logistic(0) == 0.5 && plain_logistic(1e9) == 1 && plain_logistic(-1e9) < 1e-200);
}

static void draws_are_what_they_say(void **state)
{
    enum { N = 20000, SIDES = 5 };
    struct draw d = draw_of(1, 2, 3, 4);
    double sum = 0, squares = 0, units = 0;
    int sides[SIDES] = { 0 };

    (void)state;
    for (int i = 0; i < N; i++) {
        double normal = draw_normal(&d), unit = draw_unit(&d);

        sum += normal;
        squares += normal * normal;
        units += unit;
        assert_true(unit >= 0 && unit < 1);
        sides[draw_below(&d, SIDES)]++;
    }
    assert_true(fabs(sum / N) < 0.03 && fabs(squares / N - 1) < 0.03 && fabs(units / N - 0.5) < 0.01);
    for (int i = 0; i < SIDES; i++)
        assert_true(abs(sides[i] - N / SIDES) < 200);
    for (uint32_t n = 1; n < 40; n++)
        for (int i = 0; i < 5; i++) {
            uint32_t a = draw_coprime(&d, n), b = n;

            assert_true(a >= 1 && a <= n);
            while (b) {
                uint32_t rest = a % b;

                a = b;
                b = rest;
            }
            assert_int_equal(a, 1);
        }
}

/* Frequencies against the law, for a table that is small enough to be counted. */
static void popularity_follows_zipf(void **state)
{
    enum { ROWS = 6, N = 60000 };
    struct draw d = draw_of(9, 0, 0, 0);
    double log2_more = plain_log2(ROWS + 1);
    int counts[ROWS] = { 0 };

    (void)state;
    for (int i = 0; i < N; i++)
        counts[draw_zipf(&d, ROWS, log2_more)]++;
    for (int r = 0; r < ROWS; r++) {
        double expected = log((r + 2.0) / (r + 1.0)) / log(ROWS + 1.0) * N;

        if (fabs(counts[r] - expected) > 5 * sqrt(expected))
            fail_msg("row %d: %d times of %d, expected %.0f", r, counts[r], N, expected);
    }
}

/* 2 channels of 3 x 4, values counted from 1. */
static const struct {
    const char *why;
    struct variation v;
    float first[12]; /* of the first channel; the second has 12 more, where it is not empty */
} varied[] = {
    { "as it is", { 0, 0, 0 }, { 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 } },
    { "mirrored", { 0, 0, 1 }, { 4, 3, 2, 1, 8, 7, 6, 5, 12, 11, 10, 9 } },
    { "down", { 1, 0, 0 }, { 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8 } },
    { "up", { -2, 0, 0 }, { 9, 10, 11, 12, 0, 0, 0, 0, 0, 0, 0, 0 } },
    { "right", { 0, 1, 0 }, { 0, 1, 2, 3, 0, 5, 6, 7, 0, 9, 10, 11 } },
    { "left", { 0, -3, 0 }, { 4, 0, 0, 0, 8, 0, 0, 0, 12, 0, 0, 0 } },
    { "mirrored first, then up and right", { -1, 1, 1 }, { 0, 8, 7, 6, 0, 12, 11, 10, 0, 0, 0, 0 } },
    { "down and left", { 1, -1, 0 }, { 0, 0, 0, 0, 2, 3, 4, 0, 6, 7, 8, 0 } },
};

static void variations_move_and_mirror(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(varied) / sizeof(*varied); i++) {
        float values[24];

        for (int j = 0; j < 24; j++)
            values[j] = (float)j + 1;
        variation_apply(&varied[i].v, 2, 3, 4, values);
        for (int j = 0; j < 24; j++) {
            float first = varied[i].first[j % 12], expected = j < 12 || first == 0 ? first : first + 12;

            if (values[j] != expected)
                fail_msg("%s: value %d is %g, expected %g", varied[i].why, j, values[j], expected);
        }
    }
}

/* All shifts within an eighth come, and no others; half are mirrored. */
static void variations_are_drawn_evenly(void **state)
{
    enum { N = 8100 };
    int shifts[9][9] = { { 0 } }, mirrored = 0;
    struct variation none = variation_of(0, 5, 32, 32, 1, 1), fixed = variation_of(3, 5, 32, 32, 0, 0);

    (void)state;
    for (int64_t i = 0; i < N; i++) {
        struct variation v = variation_of(77, i, 32, 36, 1, 1);

        assert_true(v.down >= -4 && v.down <= 4 && v.right >= -4 && v.right <= 4);
        shifts[v.down + 4][v.right + 4]++;
        mirrored += v.mirror;
    }
    for (int i = 0; i < 81; i++)
        assert_true(shifts[i / 9][i % 9] > 50 && shifts[i / 9][i % 9] < 150);
    assert_true(abs(mirrored - N / 2) < 200);
    assert_true(!none.down && !none.right && !none.mirror && !fixed.down && !fixed.right && !fixed.mirror);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(powers_agree_with_the_library), cmocka_unit_test(draws_are_what_they_say),
        cmocka_unit_test(popularity_follows_zipf),       cmocka_unit_test(variations_move_and_mirror),
        cmocka_unit_test(variations_are_drawn_evenly),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
