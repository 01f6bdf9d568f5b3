/* AWP against tables worked by hand, and with the paper's settings. */
#include <math.h>
#include <stdio.h>

#include "model/status.h"
#include "tests/test.h"
#include "train/policy/awp.h"

/* T = -10 %, two batches below it widen by 8 bits. */
static const struct awp_config small = { -0.1, 2, 8, 8, 32 };

/* One layer, batch by batch: its norm, and what must be remembered after it. */
static const struct step {
    const char *why;
    double norm;
    int64_t counted;
    int bits;
} steps[] = {
    { "the first batch has nothing before it", 100, 0, 8 },
    { "-20 % is below T", 80, 1, 8 },
    { "no change is not, and takes nothing away", 80, 1, 8 },
    { "growth is not either", 90, 1, 8 },
    { "the second one below T, not in a row, widens", 72, 0, 16 },
    { "counting begins again", 36, 1, 16 },
    { "-9.7 % is not below T", 32.5, 1, 16 },
    { "widens", 16, 0, 24 },
    { "to nothing is -100 %", 0, 1, 24 },
    { "0 after 0 is undefined", 0, 1, 24 },
    { "anything after 0 is +infinity", 5, 1, 24 },
    { "a NaN is undefined", NAN, 1, 24 },
    { "and so is what follows it", 1, 1, 24 },
    { "an infinity is not below T", INFINITY, 1, 24 },
    { "after it delta is undefined", 4, 1, 24 },
    { "widens to 32", 2, 0, 32 },
    { "counts on at 32", 1, 1, 32 },
    { "stays at 32 and counts from 0", 0.5, 0, 32 },
};

static void one_layer_by_hand(void **state)
{
    struct awp_unit unit;
    struct awp a;
    int bits = 8;

    (void)state;
    assert_int_equal(awp_init(&a, &small, &unit, 1, NULL, 1), 0);
    for (size_t i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
        size_t widened = awp_batch(&a, &steps[i].norm);

        if (unit.counted != steps[i].counted || unit.bits != steps[i].bits || widened != (size_t)(unit.bits > bits))
            fail_msg("batch %zu, %s: counted %lld, %d bits, %zu widened", i, steps[i].why, (long long)unit.counted,
                     unit.bits, widened);
        bits = unit.bits;
    }
}

/* Just on either side of each of the paper's thresholds (section V-A), for INTERVAL batches. */
static const struct {
    const char *network;
    struct awp_config config;
    double below, above; /* norm of a batch over the one before */
} paper[] = {
    { "alexnet", { -5e-2, 4000, 8, 8, 32 }, 1 - 5.01e-2, 1 - 4.99e-2 },
    { "vgg", { -2e-3, 4000, 8, 8, 32 }, 1 - 2.01e-3, 1 - 1.99e-3 },
    { "resnet", { -2e-5, 2000, 8, 8, 32 }, 1 - 2.01e-5, 1 - 1.99e-5 },
};

/* Layer 0 falls a little faster than T, layer 1 a little slower; every other batch takes both back, so that the norms
 * stay in range: that is growth and does not count. */
static void settings_of_the_paper(void **state)
{
    (void)state;
    for (size_t p = 0; p < 3; p++) {
        const struct awp_config *c = &paper[p].config;
        struct awp_unit units[2];
        struct awp a;
        double high[2] = { 1, 1 }, low[2] = { paper[p].below, paper[p].above };

        assert_int_equal(awp_init(&a, c, units, 2, NULL, 2), 0);
        for (int64_t i = 1; i <= 4 * c->interval; i++) {
            int want = i < c->interval ? 8 : i < 2 * c->interval ? 16 : i < 3 * c->interval ? 24 : 32;

            awp_batch(&a, high);
            awp_batch(&a, low);
            if (awp_bits(&a, 0) != want || awp_bits(&a, 1) != 8)
                fail_msg("%s, after %lld falls: %d and %d bits, want %d and 8", paper[p].network, (long long)i,
                         awp_bits(&a, 0), awp_bits(&a, 1), want);
        }
    }
}

/* Layers 0 and 2 form a block. 3 and 4 have norm 5; the block falls although layer 2 grows. */
static void a_block_is_one_vector(void **state)
{
    static const size_t unit_of[3] = { 0, 1, 0 };
    static const double norms[3][3] = { { 3, 1, 4 }, { 0, 1, 4.1 }, { 0, 1, 3 } };
    struct awp_unit units[2];
    struct awp a;

    (void)state;
    assert_int_equal(awp_init(&a, &small, units, 2, unit_of, 3), 0);
    assert_int_equal(awp_batch(&a, norms[0]), 0);
    assert_true(units[0].norm == 5);
    assert_int_equal(awp_batch(&a, norms[1]), 0);
    assert_int_equal(units[0].counted, 1);
    assert_int_equal(awp_batch(&a, norms[2]), 1);
    assert_int_equal(awp_bits(&a, 0), 16);
    assert_int_equal(awp_bits(&a, 1), 8);
    assert_int_equal(awp_bits(&a, 2), 16);
    assert_int_equal(units[1].counted, 0);
}

/* Line 7 says below, not at most. Both falls are exact in binary. */
static void the_threshold_itself_does_not_count(void **state)
{
    static const struct awp_config c = { -0.5, 9, 8, 8, 32 };
    static const double norms[] = { 4, 2, 0.5 };
    struct awp_unit unit;
    struct awp a;

    (void)state;
    assert_int_equal(awp_init(&a, &c, &unit, 1, NULL, 1), 0);
    awp_batch(&a, &norms[0]);
    awp_batch(&a, &norms[1]);
    assert_int_equal(unit.counted, 0);
    awp_batch(&a, &norms[2]);
    assert_int_equal(unit.counted, 1);
}

/* A positive threshold is allowed: then batches without growth count. */
static void a_positive_threshold(void **state)
{
    static const struct awp_config c = { 0.1, 1, 3, 30, 32 };
    struct awp_unit unit;
    struct awp a;
    double norm = 1;

    (void)state;
    assert_int_equal(awp_init(&a, &c, &unit, 1, NULL, 1), 0);
    assert_int_equal(awp_batch(&a, &norm), 0);
    assert_int_equal(unit.bits, 30);
    assert_int_equal(awp_batch(&a, &norm), 1);
    assert_int_equal(unit.bits, 32); /* 33 is cut */
}

static const struct {
    const char *why;
    struct awp_config config;
    size_t nunits;
    const size_t *unit_of;
} refused[] = {
    { "threshold NaN", { NAN, 1, 8, 8, 32 }, 2, NULL },
    { "interval 0", { -0.1, 0, 8, 8, 32 }, 2, NULL },
    { "step 0", { -0.1, 1, 0, 8, 32 }, 2, NULL },
    { "start 0", { -0.1, 1, 8, 0, 32 }, 2, NULL },
    { "start above the maximum", { -0.1, 1, 8, 17, 16 }, 2, NULL },
    { "maximum above 32", { -0.1, 1, 8, 8, 33 }, 2, NULL },
    { "more layers than units", { -0.1, 1, 8, 8, 32 }, 1, NULL },
    { "a layer of no unit", { -0.1, 1, 8, 8, 32 }, 2, (const size_t[]){ 0, 2 } },
};

/* Two layers over four batches; what is undefined or infinite is no part of the mean. */
static void the_mean_change_is_of_all_layers_and_batches(void **state)
{
    static const double norms[][2] = { { 4, 0 }, { 2, 0 }, { 3, 5 }, { 3, 6 } };
    static const double means[] = { NAN, -0.5, 0, (-0.5 + 0.5 + 0 + 0.2) / 4 };
    struct awp_unit units[2];
    struct awp a;

    (void)state;
    assert_int_equal(awp_init(&a, &small, units, 2, NULL, 2), 0);
    assert_true(isnan(awp_mean_change(&a)));
    for (size_t i = 0; i < sizeof(norms) / sizeof(*norms); i++) {
        awp_batch(&a, norms[i]);
        double mean = awp_mean_change(&a);

        if (isnan(means[i]) ? !isnan(mean) : !(fabs(mean - means[i]) < 1e-12))
            fail_msg("batch %zu: %g, not %g", i, mean, means[i]);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(refused) / sizeof(*refused); i++) {
        struct awp_unit units[2] = { { .bits = 77 }, { .bits = 77 } };
        struct awp a = { .nlayers = 99 };
        int rc = awp_init(&a, &refused[i].config, units, refused[i].nunits, refused[i].unit_of, 2);

        if (rc != E_INVAL || a.nlayers != 99 || units[0].bits != 77)
            fail_msg("%s: answered %d", refused[i].why, rc);
    }
}

static void bytes_hold_the_bits(void **state)
{
    static const int want[33] = { 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2,
                                  3, 3, 3, 3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4 };

    (void)state;
    for (int bits = 0; bits <= 32; bits++)
        if (awp_bytes(bits) != want[bits])
            fail_msg("%d bits: %d bytes, want %d", bits, awp_bytes(bits), want[bits]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_layer_by_hand),
        cmocka_unit_test(settings_of_the_paper),
        cmocka_unit_test(a_block_is_one_vector),
        cmocka_unit_test(a_positive_threshold),
        cmocka_unit_test(the_threshold_itself_does_not_count),
        cmocka_unit_test(the_mean_change_is_of_all_layers_and_batches),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(bytes_hold_the_bits),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
