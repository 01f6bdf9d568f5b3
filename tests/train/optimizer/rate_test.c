/* rate_test.c - every schedule of the learning rate against values by hand. */
#include <math.h>
#include <stddef.h>

#include "tests/test.h"
#include "train/optimizer/rate.h"

static void rates_by_hand(void **state)
{
    static const struct {
        struct rate rate;
        int64_t step;
        double want;
    } cases[] = {
        { { .schedule = RATE_CONSTANT, .from = 0.3 }, 12345, 0.3 },
        { { .schedule = RATE_STEP, .from = 1, .factor = 0.1, .every = 30 }, 29, 1 },
        { { .schedule = RATE_STEP, .from = 1, .factor = 0.1, .every = 30 }, 60, 0.01 },
        { { .schedule = RATE_DROPS, .from = 1, .factor = 0.1, .drops = { 0.5, 0.75 }, .ndrops = 2, .steps = 100 },
          49,
          1 },
        { { .schedule = RATE_DROPS, .from = 1, .factor = 0.1, .drops = { 0.5, 0.75 }, .ndrops = 2, .steps = 100 },
          50,
          0.1 },
        { { .schedule = RATE_DROPS, .from = 1, .factor = 0.1, .drops = { 0.5, 0.75 }, .ndrops = 2, .steps = 100 },
          99,
          0.01 },
        { { .schedule = RATE_EXPONENTIAL, .from = 2, .factor = 0.25, .every = 10 }, 5, 1 },
        { { .schedule = RATE_COSINE, .from = 0.1, .to = 0.001, .steps = 100 }, 0, 0.1 },
        { { .schedule = RATE_COSINE, .from = 0.1, .to = 0.001, .steps = 100 }, 50, 0.0505 },
        { { .schedule = RATE_COSINE, .from = 0.1, .to = 0.001, .steps = 100 }, 100, 0.001 },
        { { .schedule = RATE_CONSTANT, .from = 1, .warmup = 4 }, 0, 0.25 },
        { { .schedule = RATE_CONSTANT, .from = 1, .warmup = 4 }, 3, 1 },
        { { .schedule = RATE_CONSTANT, .from = 1, .warmup = 4 }, 4, 1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double got = rate_at(&cases[i].rate, cases[i].step);

        if (fabs(got - cases[i].want) > 1e-12)
            fail_msg("case %zu: expected %.15g, got %.15g", i, cases[i].want, got);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rates_by_hand),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
