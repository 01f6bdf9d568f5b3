/* least_squares_test.c - known minima, and functions that make it hard: flat, stepped, undefined, refused. */

#include <math.h>
#include <stdbool.h>

#include "harness/run/fit/least_squares.h"
#include "harness/status.h"
#include "tests/test.h"

enum { REFUSED = NW_EINPUT };

/* What a problem is asked, counted. */
struct asked {
    int calls, refuse_at;
    double x[LEAST_SQUARES_MOST]; /* the last time */
};

static int note(void *context, const double x[], size_t n)
{
    struct asked *a = context;

    for (size_t i = 0; i < n; i++)
        a->x[i] = x[i];
    return ++a->calls == a->refuse_at ? REFUSED : NW_OK;
}

/* A line through (0, 1), (1, 3), (2, 5.1), (3, 6.9) by its offset and slope: 1.03 and 1.98. */
static int line(void *context, const double x[], double r[])
{
    static const double y[] = { 1, 3, 5.1, 6.9 };

    for (size_t i = 0; i < COUNT(y); i++)
        r[i] = x[0] + x[1] * (double)i - y[i];
    return note(context, x, 2);
}

static int rosenbrock(void *context, const double x[], double r[])
{
    r[0] = 10 * (x[1] - x[0] * x[0]);
    r[1] = 1 - x[0];
    return note(context, x, 2);
}

/* Powell's function, whose derivatives vanish together at the minimum. */
static int powell(void *context, const double x[], double r[])
{
    r[0] = x[0] + 10 * x[1];
    r[1] = sqrt(5) * (x[2] - x[3]);
    r[2] = (x[1] - 2 * x[2]) * (x[1] - 2 * x[2]);
    r[3] = sqrt(10) * (x[0] - x[3]) * (x[0] - x[3]);
    return note(context, x, 4);
}

/* The first constant counts for nothing. */
static int flat(void *context, const double x[], double r[])
{
    r[0] = x[1] - 3;
    r[1] = 2 * (x[2] + 1);
    r[2] = 0;
    return note(context, x, 3);
}

/* Two constants of which the residuals determine only the sum. */
static int sum_alone(void *context, const double x[], double r[])
{
    r[0] = x[0] + x[1] - 5;
    r[1] = 2 * (x[0] + x[1]) - 10;
    return note(context, x, 2);
}

/* A schedule of whole tasks answers in steps. */
static int stepped(void *context, const double x[], double r[])
{
    r[0] = floor(x[0] * 1000) / 1000 - 0.75;
    return note(context, x, 1);
}

/* Only defined above 0: 2 is where it is 0. */
static int logarithm(void *context, const double x[], double r[])
{
    r[0] = log(x[0]) - log(2);
    return note(context, x, 1);
}

/* The second residual is never a number; the first one's minimum is at 4. */
static int half_a_number(void *context, const double x[], double r[])
{
    r[0] = x[0] - 4;
    r[1] = NAN;
    return note(context, x, 1);
}

/* Only the way from 1 down to 0 is defined. */
static int defined_below_one(void *context, const double x[], double r[])
{
    r[0] = x[0] <= 1 ? x[0] : NAN;
    r[1] = 3 * x[1];
    return note(context, x, 2);
}

/* Infinite beyond 3; the minimum is at 1. */
static int walled(void *context, const double x[], double r[])
{
    r[0] = x[0] > 3 ? INFINITY : 0;
    r[1] = x[0] - 1;
    return note(context, x, 1);
}

static int no_number(void *context, const double x[], double r[])
{
    r[0] = NAN;
    return note(context, x, 1);
}

static const struct least_squares usual = {
    .difference = 1e-6, .longest_step = 10, .enough = 1e-9, .worth_it = 1, .most_rounds = 200
};

static void known_minima_are_found(void **state)
{
    static const struct {
        const char *why;
        int (*residuals)(void *context, const double x[], double r[]);
        size_t n, m;
        double start[4], want[4], within;
    } cases[] = {
        { "a line through four points", line, 2, 4, { 0, 0 }, { 1.03, 1.98 }, 1e-6 },
        { "the same from far away", line, 2, 4, { 1e3, -1e2 }, { 1.03, 1.98 }, 1e-6 },
        { "Rosenbrock's valley", rosenbrock, 2, 2, { -1.2, 1 }, { 1, 1 }, 1e-5 },
        { "Powell's singular minimum", powell, 4, 4, { 3, -1, 0, 1 }, { 0, 0, 0, 0 }, 1e-2 },
        { "what counts for nothing stays, the rest is found", flat, 3, 3, { 7, 0, 0 }, { 7, 3, -1 }, 1e-6 },
        { "steps of a thousandth, seen past", stepped, 1, 1, { 0.1 }, { 0.75 }, 2e-3 },
        { "out of the infinite", walled, 1, 2, { 5 }, { 1 }, 1e-6 },
        { "a step into the undefined is not taken", logarithm, 1, 1, { 9 }, { 2 }, 1e-6 },
    };

    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct asked asked = { 0 };
        struct least_squares s = usual;
        double x[4], r[4], again[4];
        s.residuals = cases[c].residuals;
        s.context = &asked;
        s.n = cases[c].n;
        s.m = cases[c].m;
        if (cases[c].residuals == stepped)
            s.difference = 0.02;
        for (size_t k = 0; k < s.n; k++)
            x[k] = cases[c].start[k];
        assert_int_equal(least_squares_solve(&s, x, r), 0);
        for (size_t k = 0; k < s.n; k++)
            if (!(fabs(x[k] - cases[c].want[k]) <= cases[c].within))
                fail_msg("%s: x[%zu] = %.9g, want %.9g", cases[c].why, k, x[k], cases[c].want[k]);
        s.residuals(&asked, x, again);
        for (size_t i = 0; i < s.m; i++)
            if (r[i] != again[i])
                fail_msg("%s: r[%zu] is not the residual at x", cases[c].why, i);
    }
}

static void what_only_a_sum_tells_ends_on_the_line(void **state)
{
    struct asked asked = { 0 };
    struct least_squares s = usual;
    double x[2] = { 1, 0 }, r[2];

    (void)state;
    s.residuals = sum_alone;
    s.context = &asked;
    s.n = s.m = 2;
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_true(fabs(x[0] + x[1] - 5) < 1e-6);
    assert_true(fabs(x[0] - 1 - x[1]) < 1e-3); /* both go the same way */
}

static void idle_constants_are_named(void **state)
{
    struct asked asked = { 0 };
    struct least_squares s = usual;
    double x[3] = { 7, 0, 0 }, r[3];
    bool idle[3] = { 0 };

    (void)state;
    s.residuals = flat;
    s.context = &asked;
    s.n = s.m = 3;
    s.idle = idle;
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_true(idle[0] && !idle[1] && !idle[2]);
}

/* Wherever the refusal comes: at the start, in a derivative, in a trial. */
static void a_refusal_ends_the_search(void **state)
{
    (void)state;
    for (int at = 1; at <= 5; at++) {
        struct asked asked = { .refuse_at = at };
        struct least_squares s = usual;
        double x[2] = { -1.2, 1 }, r[2];
        s.residuals = rosenbrock;
        s.context = &asked;
        s.n = s.m = 2;
        assert_int_equal(least_squares_solve(&s, x, r), REFUSED);
        assert_int_equal(asked.calls, at);
    }
}

/* Not taken for close: the search goes on, and what it can move it moves. */
static void no_number_is_not_nothing(void **state)
{
    struct asked asked = { 0 };
    struct least_squares s = usual;
    double x[2] = { 0, 5 }, r[2];

    (void)state;
    s.residuals = half_a_number;
    s.context = &asked;
    s.n = 1;
    s.m = 2;
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_true(asked.calls > 1);
    assert_true(isnan(r[1]));
    asked.calls = 0;
    s.residuals = no_number;
    s.m = 1;
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_true(asked.calls > 1); /* as it was not close at the start */
    s.m = 2;

    /* From where one residual is none, to where both are: at 1 exactly its derivative is none either. */
    s.residuals = defined_below_one;
    s.n = 2;
    x[0] = 1;
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_true(fabs(x[1]) < 1e-6 && x[0] == 1 && r[0] == 1);
}

static void enough_is_enough(void **state)
{
    struct asked asked = { 0 };
    struct least_squares s = usual;
    double x[2] = { 1.2, 1 }, r[2];

    (void)state;
    s.residuals = rosenbrock;
    s.context = &asked;
    s.n = s.m = 2;
    s.enough = 10; /* all residuals are smaller from the start */
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_int_equal(asked.calls, 1);
    assert_true(x[0] == 1.2 && x[1] == 1);
    s.enough = 0;
    s.most_rounds = 1; /* one start, two differences, at most six trials */
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_in_range(asked.calls, 1 + 4, 1 + 9);
}

/* In Rosenbrock's valley rounds gain little; a far start gains little while its steps are cut short, and goes on. */
static void what_is_not_worth_it_is_left(void **state)
{
    struct asked asked = { 0 };
    struct least_squares s = usual;
    double x[2] = { -1.2, 1 }, r[4];

    (void)state;
    s.residuals = rosenbrock;
    s.context = &asked;
    s.n = s.m = 2;
    s.worth_it = 0.9;
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_true(fabs(x[0] - 1) > 0.1);
    s.residuals = line;
    s.m = 4;
    x[0] = x[1] = -900;
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_true(fabs(x[0] - 1.03) < 1e-6 && fabs(x[1] - 1.98) < 1e-6);
}

static void no_constant_moves_further_than_allowed(void **state)
{
    struct asked asked = { 0 };
    struct least_squares s = usual;
    double x[2] = { 1000, 0 }, r[4];

    (void)state;
    s.residuals = line;
    s.context = &asked;
    s.n = 2;
    s.m = 4;
    s.longest_step = 1;
    s.most_rounds = 5;
    s.worth_it = 1;
    assert_int_equal(least_squares_solve(&s, x, r), 0);
    assert_true(x[0] >= 995 - 1e-9 && fabs(x[1]) <= 5 + 1e-9 && (x[0] < 1000 || x[1] < 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_minima_are_found),       cmocka_unit_test(what_only_a_sum_tells_ends_on_the_line),
        cmocka_unit_test(idle_constants_are_named),     cmocka_unit_test(a_refusal_ends_the_search),
        cmocka_unit_test(no_number_is_not_nothing),     cmocka_unit_test(enough_is_enough),
        cmocka_unit_test(what_is_not_worth_it_is_left), cmocka_unit_test(no_constant_moves_further_than_allowed),
    };
    return cmocka_run_group_tests_name("least_squares", tests, NULL, NULL);
}
