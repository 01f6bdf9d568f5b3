/* Trained points next to the papers: the mean over the seeds, how far they lie apart, and whose data they were trained
 * on. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/store/trace.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { NO_DATA = -1, OTHER_DATA, REAL_DATA }; /* not trained, trained on this or that */

static const struct cell_fact accuracy = { "3lc", "1", "3LC (s=1.00)", "Accuracy", "accuracy_pct" }, none = { 0 };

struct place {
    int seed;
    const char *rate; /* of the other axis; NULL: there is none */
    const char *variant;
    int data;
};

/* The seed's point: its accuracy in %, which is also its evaluation's. */
static void put(struct store *s, int64_t run, size_t position, struct place at, double pct, struct cell_fact cell)
{
    const struct trace_evaluation_fact e[] = { { 0, 10, 9, 0.1, NAN, NAN },
                                               { 4, 10, 1 - pct / 100, pct / 100, NAN, NAN } };
    const struct training_fact t = { .model = "m",
                                     .data = "d",
                                     .real_data = at.data == REAL_DATA,
                                     .seed = at.seed,
                                     .workers = 1,
                                     .batch = 1,
                                     .evaluations = e,
                                     .nevaluations = 2 };
    struct param_fact params[2] = { { "training.rate", at.rate, NAN, "" }, { "training.seed", "", at.seed, "" } };
    struct measure_fact m = { "accuracy_pct", pct, "%" };
    char key[33], text[64], seed[16];
    struct point_fact p = { .key = key,
                            .variant = at.variant,
                            .index = position,
                            .combination = position,
                            .params = at.rate ? params : params + 1,
                            .nparams = at.rate ? 2 : 1,
                            .measures = &m,
                            .nmeasures = 1,
                            .cells = &cell,
                            .ncells = cell.paper ? 1 : 0,
                            .training = at.data == NO_DATA ? NULL : &t };

    snprintf(seed, sizeof(seed), "%d", at.seed);
    params[1].text = seed;
    snprintf(text, sizeof(text), "%lld %zu", (long long)run, position);
    synthetic_key(key, text);
    assert_int_equal(store_point(s, run, &p), 0);
}

static struct store *open_new(void)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    return s;
}

#define CELL(what) "SELECT " what " FROM comparison WHERE paper = '3lc'"
#define SPREAD(what) "SELECT " what " FROM comparison_spread WHERE paper = '3lc'"

/* 90, 92 and 97: mean 93, squares 9 + 1 + 16 over n - 1. */
static void put_three(struct store *s, int64_t run, int data)
{
    static const double pct[] = { 90, 92, 97 };

    for (int i = 0; i < 3; i++)
        put(s, run, (size_t)i, (struct place){ i + 1, NULL, "3LC", data }, pct[i], accuracy);
}

static void a_cell_is_the_mean_over_the_seeds(void **state)
{
    (void)state;
    struct store *s = open_new();

    put_three(s, synthetic_run(s, "x", "", ""), OTHER_DATA);
    assert_int_equal(support_int(s, CELL("count(*)")), 1);
    assert_near(support_real(s, CELL("ours")), 93, 1e-12);
    assert_int_equal(support_int(s, CELL("kind = 'scaled' AND unit = '%' AND published = 93.32")), 1);
    assert_int_equal(support_int(s, SPREAD("n")), 3);
    assert_near(support_real(s, SPREAD("mean")), 93, 1e-12);
    assert_near(support_real(s, SPREAD("deviation")), sqrt(13), 1e-12);
    assert_near(support_real(s, SPREAD("least")), 90, 0);
    assert_near(support_real(s, SPREAD("largest")), 97, 0);
    assert_near(support_real(s, "SELECT error_pct FROM cell_error"), 100 * (93 / 93.32 - 1), 1e-9);
    store_close(s);
}

static void the_papers_data_predict(void **state)
{
    (void)state;
    struct store *s = open_new();

    put_three(s, synthetic_run(s, "x", "", ""), REAL_DATA);
    assert_int_equal(support_int(s, CELL("kind = 'predicted'")), 1);
    assert_near(support_real(s, CELL("ours")), 93, 1e-12);
    store_close(s);
}

/* Points that were not trained are what they were: the first one speaks, and there is no spread. */
static void points_without_training_are_as_before(void **state)
{
    (void)state;
    struct store *s = open_new();

    put_three(s, synthetic_run(s, "x", "", ""), NO_DATA);
    assert_near(support_real(s, CELL("ours")), 90, 0);
    assert_int_equal(support_int(s, CELL("kind = 'predicted'")), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM comparison_spread"), 0);
    store_close(s);
}

static void only_the_newest_run_is_averaged(void **state)
{
    (void)state;
    struct store *s = open_new();

    put_three(s, synthetic_run(s, "x", "", ""), OTHER_DATA);
    /* One seed of a run that goes on: it speaks alone, and does not tell how far seeds lie apart. */
    put(s, synthetic_run(s, "x", "", ""), 0, (struct place){ 1, NULL, "3LC", REAL_DATA }, 50, accuracy);
    assert_near(support_real(s, CELL("ours")), 50, 0);
    assert_int_equal(support_int(s, CELL("kind = 'predicted'")), 1);
    assert_int_equal(support_int(s, SPREAD("n = 1 AND deviation IS NULL")), 1);
    store_close(s);
}

/* What differs by more than its seed is another experiment, even where it covers the same cell by mistake. */
static void only_seeds_are_averaged(void **state)
{
    (void)state;
    struct store *s = open_new();
    int64_t run = synthetic_run(s, "x", "", "");

    put(s, run, 0, (struct place){ 1, "0.1", "3LC", OTHER_DATA }, 90, accuracy);
    put(s, run, 1, (struct place){ 1, "0.2", "3LC", OTHER_DATA }, 10, accuracy);
    put(s, run, 2, (struct place){ 2, "0.1", "3LC", OTHER_DATA }, 92, accuracy);
    put(s, run, 3, (struct place){ 2, "0.1", "other", OTHER_DATA }, 10, accuracy);
    put(s, run, 4, (struct place){ 3, "0.1", "3LC", OTHER_DATA }, 10, none);
    assert_near(support_real(s, CELL("ours")), 91, 1e-12);
    assert_int_equal(support_int(s, SPREAD("n")), 2);
    store_close(s);
}

static void fitted_cells_stay_calibrated(void **state)
{
    (void)state;
    struct store *s = open_new();
    int64_t run = synthetic_run(s, "x", "", "");
    struct calibration_fact fact = { .platform = "p",
                                     .constant = "c",
                                     .value = 1,
                                     .unit = "",
                                     .scenario = "x",
                                     .cell = accuracy,
                                     .observed = 1,
                                     .reached = 1,
                                     .measured_on = "" };

    put_three(s, run, OTHER_DATA);
    assert_int_equal(store_calibration(s, run, &fact), 0);
    assert_int_equal(support_int(s, CELL("kind = 'calibrated'")), 1);
    store_close(s);
}

/* An average is scaled if any cell that it is made of is. */
static void an_average_of_scaled_cells_is_scaled(void **state)
{
    static const char *const rows[] = { "alexnet-a2dtwp 16", "alexnet-a2dtwp 32", "alexnet-a2dtwp 64",
                                        "vgg-a 16",          "vgg-a 32",          "vgg-a 64",
                                        "resnet-34 32",      "resnet-34 64",      "resnet-34 128" };

    (void)state;
    for (int last = NO_DATA; last <= OTHER_DATA; last++) {
        struct store *s = open_new();
        int64_t run = synthetic_run(s, "x", "", "");

        for (size_t i = 0; i < 9; i++)
            put(s, run, i, (struct place){ 1, NULL, "A2DTWP", i == 8 ? last : NO_DATA }, 10,
                (struct cell_fact){ "a2dtwp", "fig4", rows[i], "x86-k80", "accuracy_pct" });
        assert_int_equal(support_int(s, "SELECT kind = 'scaled' FROM comparison WHERE row_key = 'average'"),
                         last == OTHER_DATA);
        assert_int_equal(support_int(s, "SELECT count(*) FROM comparison WHERE kind = 'predicted'"),
                         last == OTHER_DATA ? 8 : 10);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

static void seeds_are_summed_up(void **state)
{
    static const struct {
        const char *sql;
        double value;
    } cases[] = {
        /* Two variants and two rates: accuracy and loss each. */
        { "SELECT count(*) FROM training_spread WHERE scenario = 'x'", 6 },
        { "SELECT n FROM training_spread WHERE variant = 'a' AND place = 'rate' AND name = 'top1_pct'", 3 },
        { "SELECT mean FROM training_spread WHERE variant = 'a' AND place = 'rate' AND name = 'top1_pct'", 93 },
        { "SELECT deviation FROM training_spread WHERE variant = 'a' AND place = 'rate' AND name = 'top1_pct'",
          3.605551275463989 },
        { "SELECT least FROM training_spread WHERE variant = 'a' AND place = 'rate' AND name = 'test_loss'", 0.03 },
        { "SELECT largest FROM training_spread WHERE variant = 'a' AND place = 'rate' AND name = 'test_loss'", 0.1 },
        { "SELECT mean FROM training_spread WHERE variant = 'b' AND name = 'top1_pct'", 40 },
        { "SELECT n FROM training_spread WHERE variant = 'b' AND name = 'top1_pct'", 1 },
        { "SELECT count(*) FROM training_spread WHERE deviation IS NULL", 4 },
    };
    static const double pct[] = { 90, 92, 97 };

    (void)state;
    struct store *s = open_new();
    int64_t run = synthetic_run(s, "x", "", "");
    for (int i = 0; i < 3; i++)
        put(s, run, (size_t)i, (struct place){ i, "0.1", "a", OTHER_DATA }, pct[i], none);
    put(s, run, 3, (struct place){ 0, "0.2", "a", OTHER_DATA }, 10, none);
    put(s, run, 4, (struct place){ 0, "0.1", "b", OTHER_DATA }, 40, none);
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char sql[256];
        const char *place = strstr(cases[i].sql, "'rate'");

        snprintf(sql, sizeof(sql), "%.*s%s%s", place ? (int)(place - cases[i].sql) : 255, cases[i].sql,
                 place ? "'training.rate 0.1'" : "", place ? place + strlen("'rate'") : "");
        support_near(support_real(s, sql), cases[i].value, 1e-9, sql, __FILE__, __LINE__);
    }
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_cell_is_the_mean_over_the_seeds),
        TEST(the_papers_data_predict),
        TEST(points_without_training_are_as_before),
        TEST(only_the_newest_run_is_averaged),
        TEST(only_seeds_are_averaged),
        TEST(fitted_cells_stay_calibrated),
        TEST(an_average_of_scaled_cells_is_scaled),
        TEST(seeds_are_summed_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
