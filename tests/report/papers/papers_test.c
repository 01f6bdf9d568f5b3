/* The reports of the cluster papers, of made-up databases: tables hold what was simulated, what is missing is said. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/status.h"
#include "harness/store/trace.h"
#include "tests/report/golden.h"
#include "tests/report/papers/filled.h"
#include "tests/report/rows.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

/* What report_print says of a paper, or of one of its tables. */
static char *print(struct store *s, const char *paper, const char *table, enum report_format format, int want)
{
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int rc;

    assert_non_null(out);
    rc = report_print(s, &(struct report_choice){ .paper = paper, .table = table }, format, out);
    fclose(out);
    if (rc != want)
        fail_msg("%s: answered %d, not %d", paper, rc, want);
    return text;
}

static void rows_are_golden(void **state)
{
    static const struct {
        const char *name, *paper, *table;
        unsigned parts;
        enum report_format format;
    } cases[] = {
        { "3lc.csv", "3lc", NULL, THREELC | DCT, REPORT_CSV },
        { "3lc-killed.csv", "3lc", "1", THREELC_KILLED, REPORT_CSV },
        { "3lc-step.csv", "3lc", "step", THREELC, REPORT_CSV },
        { "dct.json", "dct", NULL, DCT, REPORT_JSON },
        { "splitcnn.csv", "splitcnn", NULL, SPLITCNN, REPORT_CSV },
        { "splitcnn-memory.csv", "splitcnn", NULL, SPLITCNN | MEMORY, REPORT_CSV },
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct store *s = open_filled(cases[i].parts);
        char *text = print(s, cases[i].paper, cases[i].table, cases[i].format, NW_OK);

        golden_expect(cases[i].name, text);
        free(text);
        store_close(s);
        support_teardown(state);
        support_setup(state);
    }
}

/* DCT's tables, with and without its curves, and what the papers' own numbers say of themselves. */
static void tables_hold_what_was_simulated(void **state)
{
    static const struct {
        const char *sql, *want;
    } cases[] = {
        { "SELECT row_label, published, ours, kind FROM \"dct/figure-7a\"",
          "L = 1|-11|-9|predicted\nL = 1000|23|23.5|calibrated\nL = 10000|23|23.75|predicted\n" },
        { "SELECT row_label, published, ours, kind FROM \"dct/table-5\"",
          "75 % dropped|7.04|8.5|predicted\n90 % dropped|13.95|12.25|predicted\n95 % dropped|14.43|14.5|predicted\n" },
        { "SELECT row_label, published, ours, kind FROM \"dct/both\"",
          "DCT-MP 90 % + DCT-DP 99 %|37.1|36|predicted\n" },
        { "SELECT row_label, column_label, published, ours, kind FROM \"dct/utilisation\"",
          "Network|before|0.942|0.94|predicted\nNetwork|after|0.493|0.75|predicted\nCPU|before|0.487|0.48|calibrated\n"
          "CPU|after|0.911|0.8|predicted\n" },
        { "SELECT * FROM \"dct/curve-7a\"", "1|-9\n2|19\n10|22.5\n1000|23.5\n10000|23.75\n" },
        { "SELECT * FROM \"dct/figure-7c\"", "0.01|25\n0.05|23.5\n0.1|20.5\n0.25|12\n" },
        { "SELECT predicted, round(mean_error_points, 6), worst_points_cell, calibrated, missing > 80 FROM"
          " scoreboard WHERE paper = 'dct'",
          /* 2, 0.75; 1.46, 1.7, 0.07; 1.1; and of shares 0.2, 25.7, 11.1 */
          "9|4.89778|utilisation, network, after|2|1\n" },
        { "SELECT predicted, calibrated, missing FROM scoreboard WHERE paper = '3lc'",
          /* Table 2, accuracies, a step's time */ "28|2|33\n" },
        { "WITH u(said) AS (SELECT * FROM \"dct/utilisations\") SELECT instr(said, 'make 0.310 and 0.573.') > 0,"
          " instr(said, 'of about 0.59, not 0.31.') > 0 FROM u",
          "1|1\n" },
    };
    struct store *s = open_filled(THREELC | DCT | DCT_CURVES);

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        rows_expect(s, cases[i].sql, cases[i].want);
    store_close(s);
}

static int silent_but_for_dct(const char *paper, void *store)
{
    char want[64];
    bool ran = !strcmp(paper, "dct");

    support_listen();
    free(print(store, paper, NULL, REPORT_TEXT, ran ? NW_OK : NW_EDB));
    snprintf(want, sizeof(want), "covers paper %s; first: narrows reproduce %s", paper, paper);
    if (!strstr(support_heard(), want) != ran)
        fail_msg("%s: what to run must be said where nothing ran, and only there", paper);
    return 0;
}

static void what_nobody_ran_is_said(void **state)
{
    struct store *s = open_filled(DCT);

    (void)state;
    assert_int_equal(report_papers(s, silent_but_for_dct, s), 0);
    store_close(s);
}

/* A scenario changed on the command line is another experiment: the paper's tables and figures are not its. */
static void changed_runs_do_not_count(void **state)
{
    struct store *s = open_filled(THREELC);
    struct param_fact param = { "platform.link.eth.bandwidth", "10 Mbit/s", 1.25e6, "bytes/s" };
    int64_t run = synthetic_run(s, "3lc-table-1+changes", "32-bit float", "");

    (void)state;
    for (int i = 0; i < 2; i++) {
        struct measure_fact m[] = { { "step_ms", i ? 1 : 9, "ms" }, { "exposed_ms", 0, "ms" } };
        struct point_fact p = { .key = i ? "00000000000000000000000000000001" : "00000000000000000000000000000002",
                                .variant = i ? "8-bit int" : "32-bit float",
                                .index = (size_t)i,
                                .params = &param,
                                .nparams = 1,
                                .measures = m,
                                .nmeasures = 2 };
        assert_int_equal(store_point(s, run, &p), 0);
    }
    rows_expect(s, "SELECT count(*), max(step) FROM \"3lc/step\"", "33|6380\n");
    store_close(s);
}

/* What was trained on other data than the paper's is marked, said, and counted with nothing. */
static void scaled_cells_are_marked(void **state)
{
    static const struct {
        const char *column, *measure, *unit;
        double value;
    } cells[] = { { "1 Gbit/s", "trained", "x", 1.5 }, { "Accuracy", "accuracy_pct", "%", 50 } };
    const struct training_fact training = { .model = "m", .data = "d", .workers = 1, .batch = 1 };
    struct store *s = open_filled(THREELC);
    int64_t run = synthetic_run(s, "trained", "", "");

    (void)state;
    for (size_t i = 0; i < sizeof(cells) / sizeof(*cells); i++) {
        struct measure_fact m = { cells[i].measure, cells[i].value, cells[i].unit };
        struct cell_fact cell = { "3lc", "1", "3LC (s=1.00)", cells[i].column, cells[i].measure };
        struct point_fact p = { .key = i ? "00000000000000000000000000000001" : "00000000000000000000000000000002",
                                .variant = "3LC",
                                .index = i,
                                .measures = &m,
                                .nmeasures = 1,
                                .cells = &cell,
                                .ncells = 1,
                                .training = &training };
        assert_int_equal(store_point(s, run, &p), 0);
    }
    rows_expect(s, "SELECT ours, kind FROM \"3lc/table-1\" WHERE row_key = '3LC (s=1.00)' AND column_key = '1 Gbit/s'",
                "1.5|scaled\n");
    rows_expect(s, "SELECT ours, kind FROM comparison WHERE paper = '3lc' AND column_key = 'Accuracy'", "50|scaled\n");
    rows_expect(s, "SELECT predicted, calibrated, scaled FROM scoreboard WHERE paper = '3lc'", "27|2|2\n");
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(rows_are_golden),           TEST(tables_hold_what_was_simulated), TEST(what_nobody_ran_is_said),
        TEST(changed_runs_do_not_count), TEST(scaled_cells_are_marked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
