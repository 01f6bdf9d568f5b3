/* The report of training runs in several precisions, of made-up ones: its cells by hand, its claims, its figures, and
 * what it says where there is little. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/store/trace.h"
#include "tests/report/golden.h"
#include "tests/report/papers/claims.h"
#include "tests/report/rows.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { FP32, MP, DYNAMIC, BF16, VARIANTS };
enum { STEPS = 20, SEEDS = 2 };
static const char *const variants[VARIANTS] = { "FP32", "MP", "Dynamic", "BF16" };

/* The first seed lies by this above the mean of two, the second below: two standard errors of a difference are twice by
 * how much precisions differ in it. */
static const double apart[VARIANTS] = { 0.25, 0.3125, 0.25, 0.28125 };

static const struct network {
    const char *row, *scenario, *model;
    double accuracy[VARIANTS], top5[VARIANTS], bf16_pct[VARIANTS];
    double mix[5];   /* of a step scaled down, in parts of 1000 */
    double whole[5]; /* of one image in the paper's network, 1e6 */
} networks[] = {
    { "AlexNet",
      "dynprec-small-alexnet",
      "alexnet-small",
      { 60, 60.5, 60.25, 57 },
      { 84, 84.25, 84.5, 82 },
      { 0, 0, 94.5, 99.9 },
      { 350, 300, 349, 0, 1 },
      { 700, 500, 700, 0, 256 } },
    { "Inception",
      "dynprec-small-inception",
      "inception-small",
      { 74, 73.5, 73, 72 },
      { 92, 92.5, 92, 92 },
      { 0, 0, 95, 99.5 },
      { 340, 320, 335, 4, 1 },
      { 2000, 1600, 2000, 4, 64 } },
    { "ResNet-50",
      "dynprec-small-resnet",
      "resnet-8-small",
      { 76, 75.5, 74, 73 },
      { 93, 93.25, 92.75, 92 },
      { 0, 0, 96, 98.9 },
      { 340, 320, 329, 10, 1 },
      { 4000, 3000, 4000, 8, 64 } },
};

static const char *const parts[] = { "fma_forward", "fma_backward_data", "fma_backward_weights", "fma_norms",
                                     "fma_update" };

/* The controller: two steps in mixed precision, one more in the middle with every other seed. */
static enum trace_precision precision_of(int variant, int step, int seed)
{
    if (variant == FP32)
        return TRACE_FP32;
    if (variant == MP)
        return TRACE_MP;
    return variant == DYNAMIC && (step < 1 || (step == 10 && seed == 1)) ? TRACE_MP : TRACE_BF16;
}

static void put(struct store *s, int64_t run, const char *name, struct point_fact *p)
{
    char key[33], text[128];

    snprintf(text, sizeof(text), "%s %zu", name, p->index);
    synthetic_key(key, text);
    p->key = key;
    assert_int_equal(store_point(s, run, p), 0);
}

static void put_training(struct store *s, int64_t run, const struct network *n, int variant, int seed)
{
    double pct = n->accuracy[variant] + (seed == 1 ? apart[variant] : -apart[variant]), top5 = n->top5[variant];
    const struct trace_evaluation_fact evaluations[] = { { 2, 100, 2.5, 0.001 * pct, 0.002 * pct, NAN },
                                                         { 5, 100, 2.5, 0.0025 * pct, 0.004 * pct, NAN },
                                                         { 8, 100, 2.25, 0.004 * pct, 0.006 * pct, NAN },
                                                         { 10, 100, 2, 0.005 * pct, 0.008 * pct, NAN },
                                                         { STEPS, 100, 1, 0.01 * pct, 0.01 * top5, NAN } };
    struct trace_step_fact steps[STEPS];
    struct measure_fact m[8] = { { "accuracy", pct, "%" },
                                 { "top5", top5, "%" },
                                 { "bf16_fma_pct", n->bf16_pct[variant], "%" } };
    const struct cell_fact cells[] = { { "dynprec", "1", n->row, "FP32 top-1", "accuracy" } };
    struct training_fact t = { .model = n->model,
                               .data = "generated images, 10 classes",
                               .metric = "",
                               .seed = seed,
                               .workers = 1,
                               .batch = 16,
                               .steps = steps,
                               .nsteps = STEPS,
                               .evaluations = evaluations,
                               .nevaluations = COUNT(evaluations) };
    struct point_fact p = { .variant = variants[variant],
                            .index = (size_t)(seed - 1) * VARIANTS + (size_t)variant,
                            .combination = (size_t)seed - 1,
                            .measures = m,
                            .nmeasures = COUNT(m),
                            .cells = cells,
                            .ncells = variant == FP32,
                            .training = &t };

    for (int i = 0; i < STEPS; i++)
        steps[i] = (struct trace_step_fact){ .samples = 16,
                                             .loss = 3.0 - 0.125 * i,
                                             .learning_rate = 0.01,
                                             .precision = precision_of(variant, i, seed),
                                             .precision_share = 0.99,
                                             .ema = variant == DYNAMIC ? 3.0625 - 0.125 * i : NAN };
    for (size_t i = 0; i < COUNT(parts); i++)
        m[3 + i] = (struct measure_fact){ parts[i], 1e6 * n->mix[i], "" };
    put(s, run, n->scenario, &p);
}

static void put_trainings(struct store *s, const struct network *n, const char *scenario)
{
    int64_t run = synthetic_run(s, scenario, "FP32", "");

    for (int seed = 1; seed <= SEEDS; seed++)
        for (int v = 0; v < VARIANTS; v++)
            put_training(s, run, n, v, seed);
}

/* One step with one image of each of the paper's networks; so many times what is counted in BF16, and in FP32. */
static void put_mix(struct store *s, double bf16, double fp32)
{
    const struct training_fact t = { .model = "m", .data = "d", .metric = "", .workers = 1, .batch = 1 };
    int64_t run = synthetic_run(s, "dynprec-mix", "", "");

    for (size_t k = 0; k < COUNT(networks); k++) {
        const struct network *n = &networks[k];
        struct measure_fact m[6] = { { "sample_gfma", 1e-3 * bf16 * (n->whole[0] + n->whole[1] + n->whole[2]),
                                       "GFMA" } };
        const struct cell_fact cell = { "dynprec", "fig2a", n->row, "FMAs an image", "sample_gfma" };
        struct point_fact p = { .variant = n->row,
                                .index = k,
                                .measures = m,
                                .nmeasures = COUNT(m),
                                .cells = &cell,
                                .ncells = 1,
                                .training = &t };

        for (size_t i = 0; i < COUNT(parts); i++)
            m[1 + i] = (struct measure_fact){ parts[i], 1e6 * (i < 3 ? bf16 : fp32) * n->whole[i], "" };
        put(s, run, "dynprec-mix", &p);
    }
}

static struct store *open_filled(size_t nnetworks, bool mix)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    for (size_t i = 0; i < nnetworks; i++)
        put_trainings(s, &networks[i], networks[i].scenario);
    if (mix)
        put_mix(s, 1, 1);
    return s;
}

/* Two standard errors of a mean difference of two seeds are by how much the two lie apart in it. */
static void cells_are_as_computed_by_hand(void **state)
{
    static const struct {
        const char *sql, *want;
    } cases[] = {
        { "SELECT row_label, column_label, published, ours, half, n, kind, rule FROM \"dynprec/table-1\""
          " WHERE row_label IN ('AlexNet, FP32', 'ResNet-50, Dynamic')",
          "AlexNet, FP32|top-1|60.79|60|0.353553|2|scaled|1\nAlexNet, FP32|top-5|84.5|84|0|2|scaled|1\n"
          "ResNet-50, Dynamic|top-1|74.2|74|0.353553|2|scaled|0\nResNet-50, Dynamic|top-5|92.7|92.75|0|2|scaled|0\n"
          "ResNet-50, Dynamic|FMAs|96.4|96|0|2|scaled|0\n" },
        { "SELECT count(*), group_concat(DISTINCT column_key) FROM \"dynprec/table-1\" WHERE row_key = 'Inception'",
          "10|FP32 top-1,FP32 top-5,MP top-1,MP top-5,Dynamic top-1,Dynamic top-5,Dynamic FMAs,BF16 top-1,BF16"
          " top-5,BF16 FMAs\n" },
        { "SELECT row_label, round(published, 9), ours, half, n, ours_text FROM \"dynprec/differences\" WHERE"
          " column_label = 'top-1'",
          "AlexNet, MP|-0.61|0.5|0.125|2|+0.50 !\nAlexNet, Dynamic|-0.47|0.25|0|2|+0.25 !\nAlexNet,"
          " BF16|-2.99|-3|0.0625|2|-3.00 !\n"
          "Inception V2, MP|-0.28|-0.5|0.125|2|-0.50 !\nInception V2, Dynamic|-1.21|-1|0|2|-1.00 !\n"
          "Inception V2, BF16|-1.98|-2|0.0625|2|-2.00 !\n"
          "ResNet-50, MP|-0.21|-0.5|0.125|2|-0.50 !\nResNet-50, Dynamic|-1.77|-2|0|2|-2.00 !\nResNet-50,"
          " BF16|-2.97|-3|0.0625|2|-3.00 !\n" },
        { "SELECT * FROM \"dynprec/switches\" WHERE training <> 'Inception V2'",
          "AlexNet|1|1|3|2|10|1|1|1\nAlexNet|2|1|1|1|5|1|0|0\nResNet-50|1|1|3|2|10|1|1|1\nResNet-50|2|1|1|1|5|1|0|0\n"
          "" },
        /* 0.7, 0.5 and 0.7 of 1.901 and so on; the update is not for each image. */
        { "SELECT * FROM \"dynprec/figure-2a\"",
          "forward|36.82|35.68|36.33|0\nbackward, errors|26.30|28.55|27.25|0\nbackward, gradients|36.82|35.68|36.33|0\n"
          "batch norm|0.000|0.071|0.073|0\nweight update|0.053|0.018|0.009|0\nnorm and update|0.053|0.089|0.082|1\n"
          "what Table 1 leaves|0.07|0.10|0.09|0\n" },
        { "SELECT \"multiply-adds\", \"ResNet-50\" FROM \"dynprec/figure-2a-small\"",
          "forward|34.00\nbackward, errors|32.00\nbackward, gradients|32.90\nbatch norm|1.000\nweight update|0.100\n"
          "norm and update|1.100\nwhat Table 1 leaves|0.09\n" },
        { "SELECT row_label, published, ours, kind FROM \"dynprec/fmas\"",
          "AlexNet|1.9128|1.9|computed\nInception V2|5.66649|5.6|computed\nResNet-50|11.0162|11|computed\n" },
        /* 0.03e9 instructions of 16 in a batch of 64, over the 1e6 values of an image that are normalized. */
        { "WITH t(text) AS (SELECT * FROM \"dynprec/instructions\") SELECT text LIKE '%0.04 % of the floating%',"
          " text LIKE '%0.043 % of all 70 billion%', text LIKE '% 7.50 multiply-adds%' FROM t",
          "1|1|1\n" },
        { "SELECT * FROM \"dynprec/trained/title\" JOIN \"dynprec/trained/caption\"",
          ", scaled down, n=2 seeds|n = 2 seeds.\n" },
        { "SELECT row_key, published, ours, kind FROM comparison WHERE paper = 'dynprec' AND table_id = '1'",
          "AlexNet|60.79|60|scaled\nInception|74.01|74|scaled\nResNet-50|75.97|76|scaled\n" },
    };

    (void)state;
    struct store *s = open_filled(3, 1);
    for (size_t i = 0; i < COUNT(cases); i++)
        rows_expect(s, cases[i].sql, cases[i].want);
    store_close(s);
}

/* What only training runs can tell. */
static const char *const trained[] = { "dynprec/table-1",         "dynprec/differences",
                                       "dynprec/training-runs",   "dynprec/switches",
                                       "dynprec/switches-small",  "dynprec/figure-2a-small",
                                       "dynprec-fig2b/data",      "dynprec-fig3/data",
                                       "dynprec-table1/data",     "dynprec-switches/data",
                                       "dynprec-switches/marks",  "dynprec/trained/title",
                                       "dynprec/trained/caption", NULL };

static void claims_are_held_to_results(void **state)
{
    (void)state;
    struct store *s = open_filled(3, 1);

    claims_view_expect(s, "dynprec", "small", "as made up", 10, (const int[]){ 7, 0 }, "does not hold");
    rows_expect(
        s, "SELECT place, outcome, n FROM claim WHERE paper = 'dynprec' AND place IN (1, 6, 7, 9)",
        "1|AlexNet: +0.50 ± 0.39; Inception V2: -0.50 ± 0.39; ResNet-50: -0.50 ± 0.39|2\n"
        "6|AlexNet: 99.95 %; Inception V2: 99.91 %; ResNet-50: 99.92 %|1\n"
        "7|AlexNet: 1 of 2 training runs, BF16 from step 1 at the latest; Inception V2: 1 of 2 training runs, BF16"
        " from step 1 at the latest;"
        " ResNet-50: 1 of 2 training runs, BF16 from step 1 at the latest|2\n"
        "9|AlexNet: -0.7 %; Inception V2: -1.2 %; ResNet-50: -0.1 %|1\n");
    store_close(s);
}

/* What each claim rests on made otherwise, in one network of the three. */
static void claims_fail_with_what_they_rest_on(void **state)
{
    static const struct {
        const char *why;
        double accuracy[VARIANTS], bf16_pct[VARIANTS], mix_bf16, mix_fp32;
        int failing[VARIANTS + 4];
    } cases[] = {
        { "Dynamic is as good as MP", { 76, 75.5, 75.25, 73 }, { 0, 0, 96, 99.2 }, 1, 1, { 7 } },
        { "MP is worse than both", { 76, 72, 72, 73 }, { 0, 0, 93, 99.2 }, 1, 1, { 1, 2, 4, 5, 7 } },
        { "more is counted", { 76, 75.5, 75.25, 73 }, { 0, 0, 96, 99.2 }, 1.2, 1, { 7, 9 } },
        { "norms take more", { 76, 75.5, 75.25, 73 }, { 0, 0, 96, 99.2 }, 1, 3, { 7, 8 } },
    };

    for (size_t i = 0; i < COUNT(cases); i++) {
        struct store *s = open_filled(2, 0);
        struct network n = networks[2];

        memcpy(n.accuracy, cases[i].accuracy, sizeof(n.accuracy));
        memcpy(n.bf16_pct, cases[i].bf16_pct, sizeof(n.bf16_pct));
        put_trainings(s, &n, n.scenario);
        put_mix(s, cases[i].mix_bf16, cases[i].mix_fp32);
        claims_view_expect(s, "dynprec", "small", cases[i].why, 10, cases[i].failing, "does not hold");
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

/* Two networks of three: nothing is concluded of all. */
static void a_part_of_it(void **state)
{
    (void)state;
    struct store *s = open_filled(2, 0);

    claims_view_expect(s, "dynprec", "small", "two networks", 10, (const int[]){ 1, 2, 3, 4, 5, 6, 7, 8, 9, 0 },
                       "not run");
    rows_expect(s, "SELECT count(*) FROM \"dynprec/table-1\"", "20\n");
    rows_expect(s, "SELECT count(*) FROM \"dynprec/figure-2a\"", "0\n");
    store_close(s);
}

/* A quick look covers nothing of the paper's; neither do training runs that --set changed. Training runs as the paper's
 * lead. */
static void sizes_have_their_places(void **state)
{
    (void)state;
    struct store *s = open_filled(0, 1);

    put_trainings(s, &networks[2], "dynprec-quick");
    put_trainings(s, &networks[1], "dynprec-small-inception+changes");
    rows_expect_none(s, trained);
    put_trainings(s, &networks[0], "dynprec-small-alexnet");
    rows_expect(s, "SELECT DISTINCT row_key FROM \"dynprec/table-1\"", "AlexNet\n");
    put_trainings(s, &networks[2], "dynprec-paper-resnet");
    rows_expect(s, "SELECT DISTINCT row_key FROM \"dynprec/table-1\"", "ResNet-50\n");
    rows_expect(s, "SELECT * FROM \"dynprec/trained/title\"", ", as the paper trained, n=2 seeds\n");
    rows_expect(s, "SELECT size, count(*) FROM claim WHERE paper = 'dynprec' GROUP BY size", "|4\npaper|6\nsmall|6\n");
    rows_expect(s, "SELECT DISTINCT size FROM claim_told WHERE paper = 'dynprec' AND size <> ''", "paper\n");
    store_close(s);
}

static const struct {
    const char *figure;
    const char *svg[9], *tsv[9];
} figures[] = {
    { "dynprec-fig2a",
      { "Figure 2a", "published: instructions", "the paper's networks", ">not floating-point<", ">FMA 62.95 %<",
        ">batch norm<", ">Inception V2<" },
      { "published: instructions\tFMA instructions\t", "\nAlexNet\t57.42\tFMA 57.42 %\n", "\tother floating-point\t",
        "\nAlexNet\t1.02\t?\nInception V2\t?\t?\n", "the paper's networks\tforward\t",
        "\nAlexNet\t36.8227249\tFP32 0.05 %\n", "scaled down\tweight update\t", "\nAlexNet\t0.1\t?\n" } },
    { "dynprec-fig2b",
      { "Figure 2b", ", scaled down", "epoch of the paper's training", ">FP32<", ">MP<", ">BF16<" },
      { "ResNet-50\tFP32\t", "ResNet-50\tMP\t", "ResNet-50\tBF16\t" } },
    { "dynprec-fig3",
      { "Figure 3", "top-1 (%)", ">a) AlexNet; paper:", "MP 73.7", ">c) ResNet-50; paper:", ">Dynamic<" },
      { "a) AlexNet; paper:",
        "\n8\t15\t0.0883883476\n12.8\t24\t0.141421356\n16\t30\t0.176776695\n32\t60\t0.353553391\n", "\nb) Inception V2",
        "\tDynamic\t", "\n8\t36.5\t", "\tBF16\t" } },
    { "dynprec-table1",
      { "Table 1", "(points)", ">published<", ">ours<", ">-3<" },
      { "AlexNet\t", "\nMP\t-0.61\t0.5\t0\t0.125\nDynamic\t-0.47\t0.25\t0\t0\nBF16\t-2.99\t-3\t0\t0.0625\n",
        "ResNet-50\t" } },
    { "dynprec-switches",
      { "the controller saw and did", "share of the training (%)", ">seed 2<", ">strip: in MP<", ">strip: in BF16<" },
      { "AlexNet\tseed 1\t", "\n5\t3.0625\n10\t2.9375\n", "AlexNet\tseed 2\t", "ResNet-50\tseed 2\t" } },
};

static void figures_say_what_they_show(void **state)
{
    const char *dirs[2] = { support_path("one"), support_path("two") };
    const char *names[COUNT(figures) + 1] = { NULL };

    (void)state;
    if (!golden_gnuplot()) {
        print_message("gnuplot is not installed: figures are not tested\n");
        skip();
    }
    struct store *s = open_filled(3, 1);
    support_listen();
    for (int i = 0; i < 2; i++)
        assert_int_equal(report_figures(s, "dynprec", NULL, golden_plots(), dirs[i]), NW_OK);
    assert_null(strstr(support_heard(), "gnuplot"));
    for (size_t i = 0; i < COUNT(figures); i++) {
        char file[64];

        names[i] = figures[i].figure;
        snprintf(file, sizeof(file), "%s.svg", figures[i].figure);
        for (size_t k = 0; figures[i].svg[k]; k++)
            golden_says(dirs[0], file, (const char *const[]){ figures[i].svg[k], NULL });
        snprintf(file, sizeof(file), "%s.tsv", figures[i].figure);
        golden_says(dirs[0], file, figures[i].tsv);
    }
    golden_same_pictures(names, dirs);
    assert_int_equal(golden_count(dirs[0], ".svg"), COUNT(figures));
    golden_says(dirs[0], "dynprec-switches-marks.tsv",
                (const char *const[]){ "AlexNet\tseed 1\t", "\n0\t5\t1\n5\t50\t0\n50\t55\t1\n55\t100\t0\n",
                                       "AlexNet\tseed 2\t", "\n0\t5\t1\n5\t100\t0\n", NULL });
    store_close(s);
}

/* One network, one seed, no controller: gnuplot has nothing to say of it. */
static void figures_of_little(void **state)
{
    const char *dir = support_path("out");

    (void)state;
    if (!golden_gnuplot())
        skip();
    struct store *s = open_filled(0, 0);
    int64_t run = synthetic_run(s, "dynprec-small-resnet", "FP32", "");
    put_training(s, run, &networks[2], FP32, 1);
    put_training(s, run, &networks[2], MP, 1);
    put_training(s, run, &networks[2], BF16, 1);
    support_listen();
    assert_int_equal(report_figures(s, "dynprec", NULL, golden_plots(), dir), NW_OK);
    if (strstr(support_heard(), "gnuplot"))
        fail_msg("gnuplot said: %s", support_heard());
    assert_int_equal(golden_count(dir, ".svg"), 4);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(cells_are_as_computed_by_hand),
        TEST(claims_are_held_to_results),
        TEST(claims_fail_with_what_they_rest_on),
        TEST(a_part_of_it),
        TEST(sizes_have_their_places),
        TEST(figures_say_what_they_show),
        TEST(figures_of_little),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
