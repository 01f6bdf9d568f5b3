/* The figure of accuracy against the length of BF16's chains, of made-up training runs: its rows by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/store/trace.h"
#include "tests/report/golden.h"
#include "tests/report/rows.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { VARIANTS = 3, BATCHES = 4 };
static const char *const variants[VARIANTS] = { "MP", "BF16", "BF16, chains cut" };
static const int batches[BATCHES] = { 32, 64, 128, 256 };

/* What a variant loses against MP in each batch. */
static const double loses[VARIANTS][BATCHES] = { { 0 }, { 1, 2, 6, 12 }, { 1, 1, 0.5, 0 } };

/* Seeds lie 4 points apart, and BF16's one point less. */
static double accuracy_of(int variant, int batch, int seed)
{
    return 60 + (variant == 1 ? 3 : 4) * (seed - 2) - loses[variant][batch];
}

static void put(struct store *s, int64_t run, int variant, int batch, int seed)
{
    static const struct trace_step_fact step = { .samples = 32, .loss = 1, .learning_rate = 0.1, .ema = NAN };
    double accuracy = accuracy_of(variant, batch, seed);
    const struct measure_fact m = { "accuracy", accuracy, "%" };
    struct training_fact t = { .model = "resnet-8-small",
                               .data = "generated images, 40 classes",
                               .metric = "",
                               .seed = seed,
                               .workers = 1,
                               .batch = batches[batch],
                               .steps = &step,
                               .nsteps = 1 };
    size_t index = (size_t)((seed * BATCHES + batch) * VARIANTS + variant);
    char key[33], text[64];
    struct point_fact p = { .key = key,
                            .variant = variants[variant],
                            .index = index,
                            .combination = index / VARIANTS,
                            .measures = &m,
                            .nmeasures = 1,
                            .training = &t };

    snprintf(text, sizeof(text), "chains %zu", index);
    synthetic_key(key, text);
    assert_int_equal(store_point(s, run, &p), 0);
}

static struct store *open_filled(int nseeds, int nbatches)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    int64_t run = synthetic_run(s, "dynprec-chains", "MP", "");
    for (int seed = 1; seed <= nseeds; seed++)
        for (int b = 0; b < nbatches; b++)
            for (int v = 0; v < VARIANTS; v++)
                put(s, run, v, b, seed);
    return s;
}

/* Of 56, 60 and 64 the standard error is 4 / sqrt(3); of the differences 1, 0 and -1 it is 1 / sqrt(3). */
static void rows_are_as_computed_by_hand(void **state)
{
    (void)state;
    struct store *s = open_filled(3, BATCHES);

    rows_expect(s, "SELECT variant, batch, n, mean, round(half, 3) FROM dynprec_chain WHERE panel = 1 AND batch > 64",
                "MP|128|3|60|4.619\nMP|256|3|60|4.619\nBF16|128|3|54|3.464\nBF16|256|3|48|3.464\n"
                "BF16, chains cut|128|3|59.5|4.619\nBF16, chains cut|256|3|60|4.619\n");
    rows_expect(s, "SELECT variant, batch, n, mean, round(half, 3) FROM dynprec_chain WHERE panel = 2 AND batch > 64",
                "BF16|128|3|-6|1.155\nBF16|256|3|-12|1.155\n"
                "BF16, chains cut|128|3|-0.5|0\nBF16, chains cut|256|3|0|0\n");
    rows_expect(s, "SELECT * FROM \"dynprec-chains/caption\"", "n = 3 seeds a point.\n");
    /* They are none of those that Table 1 is made of. */
    rows_expect(s, "SELECT count(*) FROM dynprec_run", "0\n");
    store_close(s);
}

static void the_figure_says_what_it_shows(void **state)
{
    static const char *const said[] = { "accuracy against the length of",
                                        "n=3 seeds",
                                        "two standard errors",
                                        ">test accuracy, top-1 (%)<",
                                        ">less MP",
                                        ">MP<",
                                        ">BF16<",
                                        ">BF16, chains cut<",
                                        ">batch (",
                                        ">32<",
                                        ">256<" };
    const char *dir = support_path("out");

    (void)state;
    if (!golden_gnuplot())
        skip();
    struct store *s = open_filled(3, BATCHES);
    support_listen();
    assert_int_equal(report_figures(s, "dynprec", "dynprec-chains", golden_plots(), dir), NW_OK);
    assert_string_equal(support_heard(), "");
    for (size_t i = 0; i < COUNT(said); i++)
        golden_says(dir, "dynprec-chains.svg", (const char *const[]){ said[i], NULL });
    store_close(s);
}

/* Two batches are no curve, one seed has no error. */
static void little_is_no_curve(void **state)
{
    const char *dir = support_path("out");

    (void)state;
    if (!golden_gnuplot())
        skip();
    struct store *s = open_filled(1, 2);
    rows_expect(s, "SELECT count(*), count(half) FROM dynprec_chain", "10|0\n");
    support_listen();
    assert_int_equal(report_figures(s, "dynprec", "dynprec-chains", golden_plots(), dir), NW_OK);
    assert_string_equal(support_heard(), "");
    golden_says(dir, "dynprec-chains.svg", (const char *const[]){ "n=1 seed", "takes three points", NULL });
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(rows_are_as_computed_by_hand),
        TEST(the_figure_says_what_it_shows),
        TEST(little_is_no_curve),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
