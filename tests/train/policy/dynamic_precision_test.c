/* The precision controller against sequences worked by hand, and with the paper's settings. */
#include <math.h>
#include <stdio.h>

#include "model/status.h"
#include "tests/test.h"
#include "train/policy/dynamic_precision.h"

/* Two batches of MP, three of BF16, more than 10 %; the newest loss is half of the EMA. */
static const struct dynamic_precision_config small = { 2, 3, 0.1, 0.5 };

/* Batch by batch: its loss, the EMA after it, and the mode of the next one. */
static const struct step {
    const char *why;
    double loss, ema;
    enum precision next;
} steps[] = {
    { "the first loss is the average", 16, 16, PRECISION_MP },
    { "16 to 15: not more than 10 %", 14, 15, PRECISION_MP },
    { "MP goes on", 13, 14, PRECISION_MP },
    { "15 to 12 is 20 %: BF16", 10, 12, PRECISION_BF16 },
    { "BF16, one", 12, 12, PRECISION_BF16 },
    { "two", 12, 12, PRECISION_BF16 },
    { "three: 12 to 10 is 17 %, stay", 8, 10, PRECISION_BF16 },
    { "counted again, one", 10, 10, PRECISION_BF16 },
    { "two", 10, 10, PRECISION_BF16 },
    { "three: 10 to 9.5 is not enough, back", 9, 9.5, PRECISION_MP },
    { "a whole stretch of MP", 6.5, 8, PRECISION_MP },
    { "9.5 to 8 is 16 %: BF16, for all of three", 8, 8, PRECISION_BF16 },
    { "one", 8, 8, PRECISION_BF16 },
    { "two", 4, 6, PRECISION_BF16 },
    { "three: the fall in between counts, 8 to 7", 8, 7, PRECISION_BF16 },
    { "one", 5, 6, PRECISION_BF16 },
    { "two: a NaN does not enter the average", NAN, 6, PRECISION_BF16 },
    { "three: 7 to 5 would do, but for the NaN", 4, 5, PRECISION_MP },
    { "an infinity neither", INFINITY, 5, PRECISION_MP },
    { "5 to 3, but for the infinity", 1, 3, PRECISION_MP },
    { "what diverged is forgotten", 1, 2, PRECISION_MP },
    { "3 to 2: BF16", 2, 2, PRECISION_BF16 },
};

static void by_hand(void **state)
{
    struct dynamic_precision d;
    int64_t ran[NPRECISIONS] = { 0 }, switches = 0;
    enum precision mode = PRECISION_MP;

    (void)state;
    assert_int_equal(dynamic_precision_init(&d, &small), 0);
    assert_int_equal(d.mode, PRECISION_MP);
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        enum precision next = dynamic_precision_batch(&d, steps[i].loss);

        ran[mode]++;
        switches += steps[i].next != mode;
        mode = steps[i].next;
        if (next != mode || d.mode != mode || d.ema != steps[i].ema || d.ran[PRECISION_MP] != ran[PRECISION_MP] ||
            d.ran[PRECISION_BF16] != ran[PRECISION_BF16] || d.switches != switches)
            fail_msg("batch %zu, %s: mode %d, average %g, %lld and %lld batches, %lld switches", i, steps[i].why, next,
                     d.ema, (long long)d.ran[0], (long long)d.ran[1], (long long)d.switches);
    }
    assert_int_equal(switches, 5);
}

/* All exact in binary: from 4 to 3 and to 2.9375, against 25 %. */
static void the_threshold_itself_is_not_enough(void **state)
{
    static const struct dynamic_precision_config c = { 2, 1, 0.25, 1 };
    struct dynamic_precision d;

    (void)state;
    assert_int_equal(dynamic_precision_init(&d, &c), 0);
    dynamic_precision_batch(&d, 4);
    assert_int_equal(dynamic_precision_batch(&d, 3), PRECISION_MP);
    assert_int_equal(dynamic_precision_init(&d, &c), 0);
    dynamic_precision_batch(&d, 4);
    assert_int_equal(dynamic_precision_batch(&d, 2.9375), PRECISION_BF16);
}

/* A loss that falls by 1 % a batch: more than 4 % in ten, so BF16 from the first check on; then it stands still, and
 * the check after that returns to MP, which stays until it falls again. */
static void settings_of_the_paper(void **state)
{
    struct dynamic_precision_config c = dynamic_precision_of_the_paper();
    struct dynamic_precision d;
    double loss = 5;

    (void)state;
    assert_int_equal(dynamic_precision_init(&d, &c), 0);
    assert_true(d.config.weight == 2. / 11);
    for (int i = 1; i <= 10; i++, loss *= 0.99)
        assert_int_equal(dynamic_precision_batch(&d, loss), i < 10 ? PRECISION_MP : PRECISION_BF16);
    for (int i = 1; i <= 1000; i++, loss *= 0.99)
        assert_int_equal(dynamic_precision_batch(&d, loss), PRECISION_BF16);
    assert_int_equal(d.ran[PRECISION_BF16], 1000);
    for (int i = 1; i <= 2000; i++)
        assert_int_equal(dynamic_precision_batch(&d, loss), i < 2000 ? PRECISION_BF16 : PRECISION_MP);
    for (int i = 1; i <= 25; i++)
        assert_int_equal(dynamic_precision_batch(&d, loss), PRECISION_MP);
    for (int i = 1; i <= 5; i++)
        assert_int_equal(dynamic_precision_batch(&d, loss / 2), i < 5 ? PRECISION_MP : PRECISION_BF16);
    assert_int_equal(d.ran[PRECISION_MP], 40);
    assert_int_equal(d.ran[PRECISION_BF16], 3000);
    assert_int_equal(d.switches, 3);
}

static void no_share_of_nothing(void **state)
{
    static const struct dynamic_precision_config c = { 1, 1, -1, 1 };
    static const struct {
        double first, second;
        enum precision next;
    } cases[] = {
        { 0, -1, PRECISION_MP },    { -1, -2, PRECISION_MP },   { NAN, NAN, PRECISION_MP },
        { NAN, 1, PRECISION_BF16 }, { 1, 1.5, PRECISION_BF16 }, { 1, 2, PRECISION_MP },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct dynamic_precision d;

        assert_int_equal(dynamic_precision_init(&d, &c), 0);
        dynamic_precision_batch(&d, cases[i].first);
        if (dynamic_precision_batch(&d, cases[i].second) != cases[i].next)
            fail_msg("%g, then %g: not mode %d", cases[i].first, cases[i].second, cases[i].next);
    }
}

static void nonsense_is_refused(void **state)
{
    static const struct dynamic_precision_config refused[] = {
        { 0, 1000, 0.04, 0 },   { 10, 0, 0.04, 0 },      { 10, 1000, NAN, 0 },
        { 10, 1000, 0.04, -1 }, { 10, 1000, 0.04, 1.5 }, { 10, 1000, 0.04, NAN },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        struct dynamic_precision d = { .in_stretch = 99 };

        assert_int_equal(dynamic_precision_init(&d, &refused[i]), E_INVAL);
        assert_int_equal(d.in_stretch, 99);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(the_threshold_itself_is_not_enough),
        cmocka_unit_test(settings_of_the_paper),
        cmocka_unit_test(no_share_of_nothing),
        cmocka_unit_test(nonsense_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
