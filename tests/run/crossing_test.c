/* Crossings of functions whose crossings are known. */

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "harness/run/break_even/crossing.h"
#include "tests/test.h"

struct probe {
    int calls;
    double least, largest; /* asked for */
    bool whole;            /* all of them were */
};

static void note(struct probe *p, double x)
{
    p->least = p->calls ? fmin(p->least, x) : x;
    p->largest = p->calls ? fmax(p->largest, x) : x;
    p->whole = (!p->calls || p->whole) && x == floor(x);
    p->calls++;
}

static int proportional(void *context, double x, double *y)
{
    note(context, x);
    *y = x / 40;
    return 0;
}

static int inverse(void *context, double x, double *y)
{
    note(context, x);
    *y = 40 / x;
    return 0;
}

static int flat(void *context, double x, double *y)
{
    note(context, x);
    *y = 1;
    return 0;
}

/* Above 1 between 10 and 20, and from 300 on. */
static int thrice(void *context, double x, double *y)
{
    note(context, x);
    *y = (x >= 10 && x <= 20) || x >= 300 ? 2 : 0.5;
    return 0;
}

/* Crosses at 40, and has no value at 60 and above. */
static int ends_early(void *context, double x, double *y)
{
    note(context, x);
    *y = x / 40;
    return x >= 60;
}

/* No value from 30 to 50. */
static int gap(void *context, double x, double *y)
{
    note(context, x);
    *y = x / 40;
    return x > 30 && x < 50;
}

/* No value just where it would cross: the points of the scan lie outside. */
static int hole(void *context, double x, double *y)
{
    note(context, x);
    *y = x / 40;
    return fabs(x - 40) < 0.5;
}

static int breaks(void *context, double x, double *y)
{
    note(context, x);
    *y = 0;
    return ((struct probe *)context)->calls == 5 ? -7 : 0;
}

static const struct {
    const char *why;
    crossing_fn *function;
    double low, high;
    bool logarithmic, whole;
    size_t points;
    double target;
    size_t n; /* crossings */
    double x[3];
    bool upwards[3], narrowed;
} cases[] = {
    { "upwards", proportional, 1, 1000, 1, 0, 33, 1, 1, { 40 }, { 1 }, 1 },
    { "upwards, evenly spaced", proportional, 0, 1000, 0, 0, 33, 1, 1, { 40 }, { 1 }, 1 },
    { "downwards", inverse, 1, 1000, 1, 0, 33, 1, 1, { 40 }, { 0 }, 1 },
    { "another target", proportional, 1, 1000, 1, 0, 33, 2.5, 1, { 100 }, { 1 }, 1 },
    { "across zero", proportional, -100, 100, 0, 0, 9, -1, 1, { -40 }, { 1 }, 1 },
    { "at the target is on its side", flat, 1, 1000, 1, 0, 33, 1, 0, { 0 }, { 0 }, 1 },
    { "never", proportional, 1, 39, 1, 0, 33, 1, 0, { 0 }, { 0 }, 1 },
    { "always", proportional, 41, 100, 1, 0, 33, 1, 0, { 0 }, { 0 }, 1 },
    { "three times", thrice, 1, 1000, 1, 0, 33, 1, 3, { 10, 20, 300 }, { 1, 0, 1 }, 1 },
    { "two points are a scan", proportional, 1, 1000, 1, 0, 2, 1, 1, { 40 }, { 1 }, 1 },
    { "whole: the first that reaches it", proportional, 1, 1000, 1, 1, 33, 1.01, 1, { 41 }, { 1 }, 1 },
    { "whole: the last that reaches it", inverse, 1, 1000, 1, 1, 33, 1.01, 1, { 39 }, { 0 }, 1 },
    { "whole: neighbours", proportional, 39, 40, 1, 1, 33, 1, 1, { 40 }, { 1 }, 1 },
    { "whole: far", proportional, 1, 0x1p53, 1, 1, 33, 1e12 / 40, 1, { 1e12 }, { 1 }, 1 },
    { "no value far off", ends_early, 1, 1000, 1, 0, 33, 1, 1, { 40 }, { 1 }, 1 },
    { "none claimed over points without a value", gap, 1, 1000, 1, 0, 65, 1, 0, { 0 }, { 0 }, 1 },
    { "not narrowed into a hole", hole, 1, 1000, 1, 0, 2, 1, 1, { 40 }, { 1 }, 0 },
};

static void known_crossings_are_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct probe probe = { 0 };
        struct crossing_search s = { .low = cases[i].low,
                                     .high = cases[i].high,
                                     .logarithmic = cases[i].logarithmic,
                                     .whole = cases[i].whole,
                                     .points = cases[i].points,
                                     .tolerance = 1e-4,
                                     .target = cases[i].target,
                                     .function = cases[i].function,
                                     .context = &probe };
        struct crossings found;

        assert_int_equal(crossings_find(&s, &found), 0);
        if (found.n != cases[i].n)
            fail_msg("%s: %zu crossings, not %zu", cases[i].why, found.n, cases[i].n);
        if (probe.least != cases[i].low || probe.largest != cases[i].high)
            fail_msg("%s: asked from %g to %g", cases[i].why, probe.least, probe.largest);
        if (cases[i].whole && !probe.whole)
            fail_msg("%s: asked for a fraction", cases[i].why);
        for (size_t k = 0; k < found.n; k++) {
            const struct crossing *c = &found.list[k];
            double width = cases[i].logarithmic ? cases[i].x[k] * 1.0001e-4 : (s.high - s.low) * 1.0001e-4;

            if (!(c->low < c->high) || c->upwards != cases[i].upwards[k] || c->narrowed != cases[i].narrowed ||
                (c->y_low >= s.target) == c->upwards || (c->y_high >= s.target) != c->upwards)
                fail_msg("%s: crossing %zu is [%g, %g] with %g, %g", cases[i].why, k, c->low, c->high, c->y_low,
                         c->y_high);
            if (cases[i].whole
                    ? c->x != cases[i].x[k] || c->high - c->low != 1
                    : c->narrowed && (c->high - c->low > width || !(c->low <= cases[i].x[k] + width) ||
                                      !(c->high >= cases[i].x[k] - width) || c->x < c->low || c->x > c->high))
                fail_msg("%s: crossing %zu is %.17g in [%.17g, %.17g], not %g", cases[i].why, k, c->x, c->low, c->high,
                         cases[i].x[k]);
        }
        crossings_free(&found);
    }
}

static void a_failure_ends_the_search(void **state)
{
    struct probe probe = { 0 };
    struct crossing_search s = {
        .low = 1, .high = 9, .points = 9, .tolerance = 1e-4, .target = 1, .function = breaks, .context = &probe
    };
    struct crossings found;

    (void)state;
    assert_int_equal(crossings_find(&s, &found), -7);
    assert_int_equal(probe.calls, 5);
    crossings_free(&found);
}

static void the_scan_says_what_it_saw(void **state)
{
    struct probe probe = { 0 };
    struct crossing_search s = { .low = 1,
                                 .high = 10,
                                 .whole = 1,
                                 .points = 33,
                                 .tolerance = 1e-4,
                                 .target = 0.1,
                                 .function = ends_early,
                                 .context = &probe };
    struct crossings found;

    (void)state;
    assert_int_equal(crossings_find(&s, &found), 0);
    assert_int_equal(found.nscan, 10); /* each whole number once */
    assert_int_equal(found.nvalued, 10);
    for (size_t i = 0; i < found.nscan; i++)
        assert_true(found.scan[i].x == (double)i + 1 && found.scan[i].y == found.scan[i].x / 40);
    assert_true(found.n == 1 && found.list[0].x == 4);
    crossings_free(&found);
    s.low = 50;
    s.high = 70;
    assert_int_equal(crossings_find(&s, &found), 0);
    assert_int_equal(found.nvalued, 10); /* 50 to 59 */
    assert_true(isnan(found.scan[found.nscan - 1].y));
    crossings_free(&found);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(known_crossings_are_found),
                                        cmocka_unit_test(a_failure_ends_the_search),
                                        cmocka_unit_test(the_scan_says_what_it_saw) };
    return cmocka_run_group_tests_name("crossing", tests, NULL, NULL);
}
