/* Each metric on vectors that are checked by hand, and sums of tallies. */
#include "harness/compare/fidelity.h"

#include <math.h>
#include <string.h>

#include "tests/test.h"

enum { MOST = 4 };

static const struct {
    const char *what;
    size_t n;
    float values[MOST], arrived[MOST];
    double cosine, l2, energy, largest, zeros; /* NaN: none */
    size_t left_out;
} cases[] = {
    { "all of it", 3, { 1, -2, 2 }, { 1, -2, 2 }, 1, 0, 1, 0, 0, 0 },
    { "the largest of two", 2, { 3, 4 }, { 0, 4 }, 0.8, 0.6, 16.0 / 25, 3, 0.5, 0 },
    { "twice as much", 2, { 3, 4 }, { 6, 8 }, 1, 1, 4, 4, 0, 0 },
    { "turned round", 2, { 3, 4 }, { -3, -4 }, -1, 2, 1, 8, 0, 0 },
    { "at right angles", 2, { 1, 0 }, { 0, 1 }, 0, 1.4142135623730951, 1, 1, 0.5, 0 },
    { "nothing", 4, { 1, 1, 1, 1 }, { 0, 0, 0, -0.0f }, 0, 1, 0, 1, 1, 0 },
    { "nothing of nothing", 2, { 0, 0 }, { 0, 0 }, NAN, 0, NAN, 0, 1, 0 },
    { "something of nothing", 1, { 0 }, { 1 }, NAN, INFINITY, NAN, 1, 0, 0 },
    { "a NaN and an infinity are left out", 4, { 3, NAN, 4, INFINITY }, { 0, 1, 4, 7 }, 0.8, 0.6, 0.64, 3, 0.5, 2 },
    { "an infinity arrives", 2, { 3, 4 }, { 3, INFINITY }, NAN, INFINITY, NAN, INFINITY, 0, 0 },
    { "a NaN arrives", 2, { 3, 4 }, { NAN, 4 }, NAN, INFINITY, NAN, INFINITY, 0, 0 },
    { "no values", 0, { 0 }, { 0 }, NAN, 0, NAN, 0, NAN, 0 },
};

static void expect(double got, double want, const char *what, const char *metric)
{
    if (isnan(want) ? !isnan(got) : !(got == want || fabs(got - want) <= 1e-15))
        fail_msg("%s: %s: expected %.17g, got %.17g", what, metric, want, got);
}

static void check(const struct fidelity *f, size_t i)
{
    expect(fidelity_cosine(f), cases[i].cosine, cases[i].what, "cosine");
    expect(fidelity_relative_l2(f), cases[i].l2, cases[i].what, "relative l2");
    expect(fidelity_energy(f), cases[i].energy, cases[i].what, "energy");
    expect(f->largest, cases[i].largest, cases[i].what, "largest error");
    expect(fidelity_zeros(f), cases[i].zeros, cases[i].what, "zeros");
    assert_int_equal(f->left_out, cases[i].left_out);
    assert_int_equal(f->n, cases[i].n - cases[i].left_out);
}

static void metrics_by_hand(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double values[MOST], arrived[MOST];
        struct fidelity f = { 0 }, sums = { 0 };

        for (size_t k = 0; k < MOST; k++) {
            values[k] = (double)cases[i].values[k];
            arrived[k] = (double)cases[i].arrived[k];
        }
        fidelity_add(&f, cases[i].values, cases[i].arrived, cases[i].n);
        check(&f, i);
        fidelity_add_sums(&sums, values, arrived, cases[i].n);
        check(&sums, i);
    }
}

/* 3 and 4 apart are 3 and 4 together. */
static void tallies_add_up(void **state)
{
    struct fidelity whole = { 0 }, part = { 0 };
    const float three = 3, four = 4, nothing = 0;

    (void)state;
    fidelity_add(&whole, &three, &nothing, 1);
    fidelity_add(&part, &four, &four, 1);
    fidelity_merge(&whole, &part);
    check(&whole, 1);
}

/* A million times 2^-54 next to a 1: added one after the other, nothing of them would be left. */
static void rounding_is_made_up_for(void **state)
{
    static float values[3 * 1024];
    struct fidelity f = { 0 };

    (void)state;
    values[0] = 1;
    for (size_t i = 1024; i < COUNT(values); i++)
        values[i] = 0x1p-27f; /* squared: 2^-54, of 1024 2^-44 */
    fidelity_add(&f, values, values, COUNT(values));
    assert_true(exact_value(&f.true2) == 1 + 0x1p-43);

    struct exact_sum s = { 0 };
    exact_add(&s, 1);
    for (int i = 0; i < 1 << 20; i++)
        exact_add(&s, 0x1p-54);
    exact_add(&s, -1);
    assert_true(exact_value(&s) == 0x1p-34);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(metrics_by_hand),
        cmocka_unit_test(tallies_add_up),
        cmocka_unit_test(rounding_is_made_up_for),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
