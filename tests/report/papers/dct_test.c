/* What the report says of DCT's training runs, of made-up ones: differences, their intervals and verdicts by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/store/store.h"
#include "tests/report/papers/dct.h"
#include "tests/report/rows.h"
#include "tests/store/support.h"
#include "tests/test.h"

static struct store *open_with(void (*fill)(struct store *))
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    if (fill)
        fill(s);
    return s;
}

/* A variant is so many thousandths worse than the baseline in the mean, and its seeds one or more thousandths apart: of
 * three seeds the interval is 4.303 / sqrt(3) of that to either side. Of the third table there is one seed, and one row
 * alone. */
static void differences_are_those_of_pairs_of_seeds(void **state)
{
    static const struct {
        const char *sql, *want;
    } cases[] = {
        { "SELECT row_key, column_key, round(published, 6), round(ours, 9), half, kind FROM \"dct/table-1\" WHERE"
          " place IN (1, 2, 8)",
          "baseline|test loss|0.4538|0.54|-|scaled\nbaseline|test accuracy|78.78|65|-|scaled\n"
          "baseline|train loss|0.4477|0.53|-|scaled\nbaseline|train accuracy|79.23|66|-|scaled\n"
          "2 workers 75%|test loss|-0.0006|-0.004|0.00248417|scaled\n2 workers 75%|test"
          " accuracy|0.03|0.4|0.248417|scaled\n"
          "2 workers 75%|train loss|-0.0004|-0.004|0.00248417|scaled\n2 workers 75%|train"
          " accuracy|0.06|0.4|0.248417|scaled\n"
          "3 workers 95%|test loss|0.0008|0.003|0.00993666|scaled\n3 workers 95%|test"
          " accuracy|-0.06|-0.3|0.993666|scaled\n"
          "3 workers 95%|train loss|0.0018|0.003|0.00993666|scaled\n3 workers 95%|train"
          " accuracy|-0.05|-0.3|0.993666|scaled\n" },
        { "SELECT row_key, number, round(ours, 9) FROM \"dct/table-2\" WHERE column_key = 'test loss'",
          "baseline|%.4f|0.54\n75%|%+.4f|-0.001\n90%|%+.4f|0\n95%|%+.4f|0.001\n98%|%+.4f|0.006\n99.5%|%+.4f|-0.006\n" },
        { "SELECT row_key, column_key, round(ours, 9), half FROM \"dct/table-3\" WHERE column_key LIKE 'test %'",
          "baseline|test loss|0.52|-\nbaseline|test accuracy|67|-\n75%|test loss|0.003|-\n75%|test accuracy|-0.3|-\n"
          "90%|test loss|-|-\n90%|test accuracy|-|-\n95%|test loss|-|-\n95%|test accuracy|-|-\n" },
        { "SELECT row_key, column_key, published, round(ours, 6), round(half, 6), number, kind"
          " FROM \"dct/table-5-losses\"",
          "75%|test loss gain|0.023|0.37037|0.460031|%+.3f|scaled\n"
          "75%|train loss gain|-0.006|0.377358|0.46871|%+.3f|scaled\n"
          "90%|test loss gain|0.016|-0.185185|0.460031|%+.3f|scaled\n"
          "90%|train loss gain|-0.021|-0.188679|0.46871|%+.3f|scaled\n"
          "95%|test loss gain|-0.121|-0.740741|0.460031|%+.3f|scaled\n"
          "95%|train loss gain|-0.07|-0.754717|0.46871|%+.3f|scaled\n" },
        { "SELECT row_key, column_key, round(ours, 6), kind FROM comparison WHERE paper = 'dct' AND table_id = '5'"
          " AND column_key = 'test loss gain'",
          "75%|test loss gain|0.37037|scaled\n90%|test loss gain|-0.185185|scaled\n"
          "95%|test loss gain|-0.740741|scaled\n" },
        { "SELECT DISTINCT column_label FROM \"dct/table-4\"", "test loss\nBLEU\ntrain loss\n" },
        { "SELECT * FROM \"dct/order\"",
          "Pairs of rows whose test losses differ in the paper, and are in the same order here: Table 1, 22 of 28;"
          " Table 2, 6 of 14; Table 4, 12 of 18.\n" },
        { "SELECT * FROM \"dct/training-runs\"",
          "Table 1, Table 2, Table 5: a-dlrm, generated clicks; 20 steps of 128 samples; 3 seeds (scaled down).\n"
          "Table 3, Figure 2: a-dlrm, generated clicks; 20 steps of 128 samples; one seed (scaled down).\n"
          "Table 4: a-transformer, generated sentences; 20 steps of 128 samples; 3 seeds (scaled down).\n"
          "Figure 7b: a-dlrm, generated clicks; 20 steps of 128 samples; 2 seeds (scaled down).\n" },
        { "SELECT round(ours, 2), kind FROM comparison WHERE paper = 'dct' AND table_id = 'fig2'", "31.15|scaled\n" },
    };
    struct store *s = open_with(dct_runs);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        rows_expect(s, cases[i].sql, cases[i].want);
    store_close(s);
}

static void verdicts_follow_from_intervals(void **state)
{
    struct store *s = open_with(dct_runs);

    (void)state;
    rows_expect(s, "SELECT place, size, n, verdict FROM claim WHERE paper = 'dct' ORDER BY place",
                "1|small|3|undecided\n2|small|3|not testable here\n3|small|3|holds\n4|small|3|does not hold\n"
                "5|small|3|undecided\n6|small|3|undecided\n7|small|3|does not hold\n8|small|3|does not hold\n"
                "9|small|1|not run\n10||0|not run\n11|small|3|holds\n12|small|3|not testable here\n13|small|3|holds\n"
                "14|small|3|does not hold\n15|small|2|undecided\n16|small|1|does not hold\n17|small|1|holds\n"
                "18|small|3|does not hold\n19||0|not testable here\n");
    rows_expect(s,
                "SELECT outcome FROM claim WHERE paper = 'dct' AND place IN (4, 6, 9, 12, 14, 16, 17) ORDER BY place",
                "75 %: +0.0020 ± 0.0034; 90 %: +0.0090 ± 0.0017\n"
                "75 %: +0.0060 ± 0.0025 (paper +0.0004); 90 %: +0.0120 ± 0.0000 (paper +0.0007); 95 %: +0.0020 ± 0.0075"
                " (paper +0.0012)\n"
                "75 %: +0.0030, from one seed; the rest was not trained\n"
                "one, 95 %: -0.10 ± 0.17; two, 95 %: -0.20 ± 0.34; four, 90 %: -0.30 ± 0.34. BLEU of so few sentences"
                " differs by some 3 points from seed to seed, fifty times the margin.\n"
                "75 %: -0.1388 ± 0.0000; 90 %: -0.1665 ± 0.0000; 95 %: +0.0879 ± 0.0000\n"
                "0 of 2 layers over all 20 steps, at most 31 to 31 %; 0 over their second half, at most 31 to 31 %\n"
                "2 of 2 means above the next smaller share's, 40 of 40 single steps\n");
    store_close(s);
}

/* The sign of what is worse, and intervals that do not lie wholly on one side: table 4's claims with a variant's
 * measure shifted. */
static void verdicts_change_with_what_was_trained(void **state)
{
    static const struct {
        const char *measure, *variant;
        double shift;
        int place;
        const char *verdict;
    } cases[] = {
        { "bleu", "2 workers 95%", 2, 12, "not testable here\n" },
        { "bleu", "2 workers 95%", -4, 12, "does not hold\n" },
        { "test_loss", "5 workers 95%", -0.008, 13, "does not hold\n" }, /* 0.001 ± 0.0025: no 0.007 */
        { "test_loss", "5 workers 95%", -0.002, 13, "does not hold\n" }, /* -0.0010 */
        { "test_loss", "5 workers 95%", -0.004, 13, "does not hold\n" },
    };
    struct store *s = open_with(dct_runs);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char sql[512];

        snprintf(
            sql, sizeof(sql),
            "UPDATE measure SET value = value + %g WHERE name = '%s' AND point_id IN (SELECT point_id FROM run_point"
            " JOIN run ON run.id = run_id WHERE scenario = 'dct-small-table-4' AND variant = '%s')",
            cases[i].shift, cases[i].measure, cases[i].variant);
        support_exec(s, sql);
        snprintf(sql, sizeof(sql), "SELECT verdict FROM claim WHERE paper = 'dct' AND place = %d", cases[i].place);
        rows_expect(s, sql, cases[i].verdict);
    }
    store_close(s);
}

/* Only training runs of one seed are compared; a changed run is none of the paper's. */
static void seeds_apart_tell_nothing(void **state)
{
    struct store *s = open_with(dct_runs);

    (void)state;
    support_exec(s, "UPDATE training SET seed = seed + 10 * (SELECT min(position) FROM run_point p WHERE p.point_id ="
                    " training.point_id)");
    rows_expect(s, "SELECT DISTINCT verdict FROM claim WHERE paper = 'dct' AND place <= 15", "not run\n");
    support_exec(s, "UPDATE run SET scenario = scenario || '+changes'");
    rows_expect(s, "SELECT * FROM dct_claim_part", "");
    store_close(s);
}

static void a_quick_look_says_nothing_of_the_paper(void **state)
{
    static const char *const trained[] = { "dct/training-runs",
                                           "dct/table-1",
                                           "dct/table-2",
                                           "dct/table-3",
                                           "dct/table-4",
                                           "dct/table-5-losses",
                                           "dct/order",
                                           "dct_claim_part",
                                           "dct_derived",
                                           "dct-fig2/data",
                                           "dct-fig5/data",
                                           "dct-trained-loss/data",
                                           "dct-fig7b/data",
                                           "dct-fig7d/data",
                                           "dct-table5-loss/data",
                                           "dct-trained-translation/data",
                                           "dct/trained/title",
                                           NULL };
    struct store *s = open_with(NULL);

    rows_expect_none(s, trained);
    store_close(s);
    support_teardown(state);
    support_setup(state);
    s = open_with(dct_runs_quickly);
    rows_expect_none(s, trained);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = { TEST(differences_are_those_of_pairs_of_seeds),
                                        TEST(verdicts_follow_from_intervals),
                                        TEST(verdicts_change_with_what_was_trained), TEST(seeds_apart_tell_nothing),
                                        TEST(a_quick_look_says_nothing_of_the_paper) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
