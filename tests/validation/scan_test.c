/* A constant that the prediction answers to in a part of its range alone. */

#include <math.h>

#include "harness/status.h"
#include "harness/validation/scan.h"
#include "tests/test.h"

struct step {
    double compute, wire, measured;
    int tries;
};

/* A transfer hidden behind the computation, at a rate that is the constant. */
static int hidden(void *context, const double x[], double r[])
{
    struct step *s = context;

    s->tries++;
    r[0] = log(fmax(s->compute, s->wire / exp(x[0])) / s->measured);
    return NW_OK;
}

static void it_is_found_where_a_descent_sees_nothing(void **state)
{
    struct step step = { .compute = 1, .wire = 1, .measured = 4 };
    const struct scan scan = { .residuals = hidden, .context = &step, .m = 1, .enough = 1e-6 };
    double x = log(100);

    (void)state;
    assert_int_equal(scan_constant(&scan, &x), NW_OK);
    assert_true(fabs(exp(x) - 0.25) < 1e-5);
    assert_in_range(step.tries, 29, 80);
}

static void without_an_answer_the_best_is_kept(void **state)
{
    struct step step = { .compute = 2, .wire = 1, .measured = 1 };
    const struct scan scan = { .residuals = hidden, .context = &step, .m = 1, .enough = 1e-6 };
    double x = log(100), r;

    (void)state;
    assert_int_equal(scan_constant(&scan, &x), NW_OK);
    hidden(&step, &x, &r);
    assert_true(fabs(r - log(2)) < 1e-12);
}

static int broken(void *context, const double x[], double r[])
{
    (void)context, (void)x, (void)r;
    return NW_EINTR;
}

static void an_interruption_ends_it(void **state)
{
    const struct scan scan = { .residuals = broken, .m = 1, .enough = 1e-6 };
    double x = 0;

    (void)state;
    assert_int_equal(scan_constant(&scan, &x), NW_EINTR);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_found_where_a_descent_sees_nothing),
        cmocka_unit_test(without_an_answer_the_best_is_kept),
        cmocka_unit_test(an_interruption_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
