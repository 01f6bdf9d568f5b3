/* leave_out_test.c - a fit without one of its cells, and what the points then come out as: the same at any number of
 * threads, and the same as a run with these constants set by hand. */

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/experiment.h"
#include "harness/status.h"
#include "tests/test.h"

static const char figure[] = "scenarios/papers/a2dtwp/figure-4.yaml", table[] = "scenarios/papers/a2dtwp/table-ii.yaml";

static struct store *open_new(const char *name)
{
    const char *folder = getenv("NARROWS_TEST_TMP");
    struct store *s = NULL;
    char path[4096];

    snprintf(path, sizeof(path), "%s/%s.db", folder ? folder : "/tmp", name);
    unlink(path);
    assert_int_equal(store_open(path, &s), NW_OK);
    return s;
}

static void play(struct store *s, const char *path, const char *set, int jobs)
{
    struct experiment x = { .store = s, .command = "test", .jobs = jobs, .altered = set != NULL };
    struct experiment_result result;
    struct scenario_file *file;

    x.calibrations = calibrations_new();
    assert_int_equal(scenario_open(path, &set, set != NULL, NULL, 0, stderr, &file), NW_OK);
    assert_int_equal(experiment_run(&x, file, &result), NW_OK);
    scenario_close(file);
    calibrations_free(x.calibrations);
}

/* The first column of the first row. */
static double ask(struct store *s, const char *sql)
{
    sqlite3_stmt *q;

    if (sqlite3_prepare_v2(store_handle(s), sql, -1, &q, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(store_handle(s)));
    if (sqlite3_step(q) != SQLITE_ROW)
        fail_msg("%s: no row", sql);
    double value = sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    return value;
}

static void near(double got, double want, double share)
{
    if (!(fabs(got - want) <= share * fabs(want)))
        fail_msg("got %.12g, want %.12g", got, want);
}

#define CONVOLUTION "'platform.gpu.efficiency.convolution'"
#define WITHOUT "(SELECT run_id, place FROM refit WHERE table_id = 'II' AND row_key = 'Convolution')"

/* Three of the five constants are shares of something on both machines; what the links lose is not said alike. */
static void the_other_machine_stands_in(void **state)
{
    struct store *s = open_new("elsewhere");

    (void)state;
    play(s, table, NULL, 2);
    near(ask(s, "SELECT count(*) FROM refit"), 3, 0);
    near(ask(s, "SELECT count(*) FROM refit_constant"), 15, 0);
    near(ask(s, "SELECT count(*) FROM refit WHERE row_key LIKE 'Data Transfer%'"), 0, 0);
    double fitted = ask(s, "SELECT value FROM calibration WHERE constant = " CONVOLUTION);
    double other =
        ask(s, "SELECT value FROM refit_constant WHERE constant = " CONVOLUTION " AND (run_id, place) IN " WITHOUT);
    /* What is left is fitted as before, and a time is inverse to its constant. */
    near(ask(s,
             "SELECT max(abs(r.value / c.value - 1)) < 1e-8 FROM refit_constant r JOIN calibration c USING (constant)"
             " WHERE r.constant <> " CONVOLUTION " AND (r.run_id, r.place) IN " WITHOUT),
         1, 0);
    near(ask(s, "SELECT ours FROM refit_cell WHERE row_key = 'Convolution' AND column_key = 'A2DTWP'"
                " AND (run_id, place) IN " WITHOUT),
         128.72 * fitted / other, 1e-6);
    play(s, "scenarios/papers/a2dtwp/table-iii.yaml", NULL, 2);
    near(other, ask(s, "SELECT value FROM calibration WHERE platform = 'power9-v100' AND constant = " CONVOLUTION), 0);
    store_close(s);
}

/* Figure 4 has gains: of the variant and of its baseline, both with the other constants. */
static void it_is_a_run_with_these_constants(void **state)
{
    struct store *s = open_new("by-hand");
    char set[128];

    (void)state;
    play(s, figure, NULL, 2);
    near(ask(s, "SELECT count(*) FROM refit"), 6, 0);
    near(ask(s, "SELECT count(*) FROM refit_cell"), 2 * 9 * 3, 0);
    snprintf(
        set, sizeof(set), "platform.gpu.efficiency.convolution=%.17g",
        ask(s, "SELECT value FROM refit_constant WHERE constant = " CONVOLUTION " AND (run_id, place) IN " WITHOUT));
    play(s, figure, set, 2);
    near(ask(s, "SELECT count(*) FROM refit"), 6, 0); /* what was altered is compared with nothing */
    near(ask(s, "SELECT max(abs(c.ours - g.gain_pct)) < 1e-6 FROM refit_cell c JOIN gain g ON g.position = c.position"
                " AND g.run_id = 2 WHERE c.run_id = 1 AND (c.run_id, c.place) IN " WITHOUT),
         1, 0);
    near(ask(s, "SELECT min(abs(c.ours - g.gain_pct)) > 0.001 FROM refit_cell c JOIN gain g ON g.position = c.position"
                " AND g.run_id = 1 WHERE c.run_id = 1 AND (c.run_id, c.place) IN " WITHOUT),
         1, 0);
    store_close(s);
}

static void threads_change_nothing(void **state)
{
    struct store *s = open_new("threads");

    (void)state;
    play(s, figure, NULL, 1);
    play(s, figure, NULL, 4);
    near(ask(s, "SELECT count(*) FROM refit_cell a JOIN refit_cell b USING (place, position, paper, table_id, row_key,"
                " column_key, ours) WHERE a.run_id = 1 AND b.run_id = 2"),
         2 * 9 * 3, 0);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_machine_stands_in),
        cmocka_unit_test(it_is_a_run_with_these_constants),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests_name("leave_out", tests, NULL, NULL);
}
