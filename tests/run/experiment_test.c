/* experiment_test.c - running a scenario: once only, the same at any number of threads, errors reported by point,
 * constants fitted. */

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/host/identity.h"
#include "harness/run/experiment.h"
#include "harness/status.h"
#include "tests/test.h"

static char *new_db(const char *name)
{
    const char *folder = getenv("NARROWS_TEST_TMP");
    char *path = malloc(4096);

    snprintf(path, 4096, "%s/%s.db", folder ? folder : "/tmp", name);
    unlink(path);
    return path;
}

static struct scenario_file *open_with(const char *path, const char *set)
{
    struct scenario_file *file;

    assert_int_equal(scenario_open(path, &set, set != NULL, NULL, 0, stderr, &file), NW_OK);
    return file;
}

static struct experiment_result play(const char *db, const char *path, const char *set, int jobs, int want_rc)
{
    struct experiment x = { .command = "test", .jobs = jobs, .altered = set != NULL };
    struct experiment_result result = { 0 };
    struct scenario_file *file = open_with(path, set);

    x.calibrations = calibrations_new();
    assert_int_equal(store_open(db, &x.store), NW_OK);
    assert_int_equal(experiment_run(&x, file, &result), want_rc);
    store_close(x.store);
    calibrations_free(x.calibrations);
    scenario_close(file);
    return result;
}

/* One text of everything a query returns. */
static char *dump(const char *db, const char *sql)
{
    sqlite3 *handle;
    sqlite3_stmt *q;
    char *text = calloc(1, 1 << 20);
    size_t used = 0;

    assert_int_equal(sqlite3_open_v2(db, &handle, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &q, NULL), SQLITE_OK);
    while (sqlite3_step(q) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(q); i++)
            used += (size_t)snprintf(text + used, (1 << 20) - used, "%s%c", (const char *)sqlite3_column_text(q, i),
                                     i + 1 < sqlite3_column_count(q) ? '|' : '\n');
    sqlite3_finalize(q);
    sqlite3_close(handle);
    return text;
}

static const char tiny[] = "tests/run/data/tiny.yaml";
static const char everything[] =
    "SELECT p.key, r.position, r.variant, m.name, hex(CAST(printf('%!.17g', m.value) AS BLOB))"
    "  FROM point p JOIN measure m ON m.point_id = p.id"
    "  JOIN run_point r ON r.point_id = p.id ORDER BY r.run_id, r.position, m.name";

static void a_second_run_does_nothing_twice(void **state)
{
    char *db = new_db("twice");

    (void)state;
    struct experiment_result first = play(db, tiny, NULL, 2, NW_OK), second = play(db, tiny, NULL, 2, NW_OK);
    assert_int_equal(first.computed, 12);
    assert_int_equal(first.present, 0);
    assert_int_equal(second.computed, 0);
    assert_int_equal(second.present, 12);
    char *points = dump(db, "SELECT count(*), count(DISTINCT key) FROM point");
    char *cells = dump(db, "SELECT row_key, round(ours, 6) = round((SELECT gain_pct FROM gain g JOIN point_param a "
                           "ON a.run_id = g.run_id AND a.position = g.position AND a.path = 'batch' JOIN point_param b "
                           "ON b.run_id = g.run_id AND b.position = g.position AND b.text = '1 GB/s' WHERE g.variant = "
                           "'packed' AND a.value = 16 LIMIT 1), 6) FROM comparison WHERE row_key = 'vgg-a 16'");
    assert_string_equal(points, "12|12\n");
    assert_string_equal(cells, "vgg-a 16|1\n");
    free(points);
    free(cells);
    free(db);
}

static void any_number_of_threads_writes_the_same(void **state)
{
    char *one = new_db("one"), *many = new_db("many");

    (void)state;
    play(one, tiny, NULL, 1, NW_OK);
    play(many, tiny, NULL, 7, NW_OK);
    char *a = dump(one, everything), *b = dump(many, everything);
    assert_true(strlen(a) > 1000);
    assert_string_equal(a, b);
    free(a);
    free(b);
    free(one);
    free(many);
}

static void changes_from_outside_speak_to_no_paper(void **state)
{
    char *db = new_db("altered");

    (void)state;
    play(db, tiny, "platform.gpu.peak=2 TFlop/s", 2, NW_OK);
    char *text = dump(db, "SELECT scenario, (SELECT count(*) FROM cell), (SELECT count(*) FROM point) FROM run");
    assert_string_equal(text, "tiny+changes|0|12\n");
    free(text);
    free(db);
}

static void a_refused_point_keeps_what_was_done(void **state)
{
    char *db = new_db("refused");

    (void)state;
    /* The second batch size is smaller than the number of GPUs. */
    struct experiment x = { .command = "test", .jobs = 2 };
    struct experiment_result result = { 0 };
    struct scenario_file *file;
    const char *sweep = "batch=[8, 1]";
    assert_int_equal(scenario_open(tiny, NULL, 0, &sweep, 1, stderr, &file), NW_OK);
    x.calibrations = calibrations_new();
    assert_int_equal(store_open(db, &x.store), NW_OK);
    assert_int_equal(experiment_run(&x, file, &result), NW_ESIM);
    store_close(x.store);
    calibrations_free(x.calibrations);
    scenario_close(file);
    char *text = dump(db, "SELECT (SELECT count(*) FROM point), (SELECT count(*) FROM run_end)");
    assert_string_equal(text, "2|0\n");
    free(text);
    free(db);
}

static void constants_are_fitted_to_their_cells(void **state)
{
    char *db = new_db("fitted");

    (void)state;
    play(db, "scenarios/papers/a2dtwp/table-ii.yaml", NULL, 2, NW_OK);
    char *fits = dump(db, "SELECT count(*), max(abs(reached / observed - 1)) < 2.1e-9 FROM calibration");
    char *kinds = dump(db, "SELECT column_key, kind, count(*) FROM comparison WHERE table_id = 'II' GROUP BY 1, 2");
    assert_string_equal(fits, "5|1\n");
    assert_string_equal(kinds, "32-bit FP|calibrated|5\nA2DTWP|predicted|4\nA2DTWP|replayed|4\n");
    free(fits);
    free(kinds);
    free(db);
}

/* Nothing is stored of a scenario that names no measure, or that only a forbidden constant would fit. */
static void what_cannot_be_meant_is_refused(void **state)
{
    static const char *const files[] = { "typo", "fit-typo", "fit-forbidden" };
    char *db = new_db("refused-names");

    (void)state;
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char path[256];
        snprintf(path, sizeof(path), "tests/run/data/%s.yaml", files[i]);
        play(db, path, NULL, 1, NW_EINPUT);
    }
    char *text = dump(db, "SELECT (SELECT count(*) FROM point), (SELECT count(*) FROM calibration)");
    assert_string_equal(text, "0|0\n");
    free(text);
    free(db);
}

/* A rate timed by an earlier run is used again: the same points, nothing timed, nothing simulated twice. */
static void a_measured_codec_resumes(void **state)
{
    char *db = new_db("measured"), variant[64];
    struct store *store;
    int64_t run_id;
    struct run_fact run = { "test", "", "", "", "", "", "", "", "", identity_machine(), 0, 0 };

    (void)state;
    snprintf(variant, sizeof(variant), "keep=2 threads=%ld", sysconf(_SC_NPROCESSORS_ONLN));
    struct calibration_fact fact = { .platform = "box",
                                     .constant = "platform.cpu.codec",
                                     .value = 12.5e9,
                                     .unit = "B/s",
                                     .scenario = "earlier",
                                     .cell = { "", "", variant, "", "adt_pack" },
                                     .observed = 12.5e9,
                                     .reached = 12.5e9,
                                     .measured_on = identity_machine() };
    assert_int_equal(store_open(db, &store), NW_OK);
    assert_int_equal(store_run(store, &run, &run_id), NW_OK);
    assert_int_equal(store_calibration(store, run_id, &fact), NW_OK);
    store_close(store);
    struct experiment_result first = play(db, tiny, "platform.cpu.codec=measured", 2, NW_OK);
    struct experiment_result second = play(db, tiny, "platform.cpu.codec=measured", 2, NW_OK);
    assert_int_equal(first.computed, 12);
    assert_int_equal(second.computed, 0);
    assert_int_equal(second.present, 12);
    char *rows = dump(db, "SELECT count(*) FROM calibration");
    assert_string_equal(rows, "1\n");
    /* 216 + 5120 weights, 4 + 2 bytes each, at 12.5 GB/s. */
    char *pack = dump(db, "SELECT round(max(value) * 1e6, 3) FROM measure WHERE name = 'pack_ms'");
    assert_string_equal(pack, "2561.28\n");
    free(rows);
    free(pack);
    free(db);
}

/* What the project promises of A2DTWP: every cell of the tables next to ours; the predicted ones, none of them
 * fitted, at most 12 % off on average, those that are no replay of what was fitted at most 17 %; the bytes per flop of
 * both machines; all gains of Figure 4 and their averages. */
static void the_paper_is_met_as_promised(void **state)
{
    char *db = new_db("promise");

    (void)state;
    play(db, "scenarios/papers/a2dtwp/table-ii.yaml", NULL, 2, NW_OK);
    play(db, "scenarios/papers/a2dtwp/table-iii.yaml", NULL, 2, NW_OK);
    play(db, "scenarios/papers/a2dtwp/figure-4.yaml", NULL, 2, NW_OK);
    char *cells =
        dump(db, "SELECT column_key, kind, count(*) FROM comparison WHERE table_id IN ('II', 'III') GROUP BY 1, 2");
    char *error = dump(db, "SELECT avg(abs(error_pct)) <= 12.0, avg(abs(error_pct)) > 1.0 FROM cell_error"
                           " WHERE table_id IN ('II', 'III') AND kind IN ('predicted', 'replayed')");
    char *alone = dump(db, "SELECT count(*), avg(abs(error_pct)) <= 17.0, avg(abs(error_pct)) > 12.0 FROM cell_error"
                           " WHERE table_id IN ('II', 'III') AND kind = 'predicted'");
    char *replayed = dump(db, "SELECT row_key, count(*) FROM comparison WHERE kind = 'replayed' GROUP BY 1 ORDER BY 1");
    char *computed = dump(db, "SELECT row_key, count(*) FROM comparison WHERE kind = 'computed' GROUP BY 1");
    char *flop =
        dump(db, "SELECT column_key, round(ours, 2) FROM comparison WHERE row_key = 'bytes per flop' ORDER BY 1");
    char *gains = dump(db, "SELECT column_key, count(*), count(DISTINCT row_key) FROM comparison"
                           " WHERE table_id = 'fig4' GROUP BY 1");
    assert_string_equal(cells, "32-bit FP|calibrated|10\nA2DTWP|predicted|8\nA2DTWP|replayed|8\n");
    assert_string_equal(alone, "8|1|1\n");
    assert_string_equal(replayed, "Convolution|2\nData Transfer GPU→CPU|2\nFully-connected|2\nGradient update|2\n");
    assert_string_equal(computed, "bytes per flop|2\n");
    assert_string_equal(error, "1|1\n");
    assert_string_equal(flop, "power9-v100|0.87\nx86-k80|1.22\n");
    assert_string_equal(gains, "power9-v100|10|10\nx86-k80|10|10\n");
    free(cells);
    free(alone);
    free(replayed);
    free(computed);
    free(error);
    free(flop);
    free(gains);
    free(db);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_second_run_does_nothing_twice),
        cmocka_unit_test(any_number_of_threads_writes_the_same),
        cmocka_unit_test(changes_from_outside_speak_to_no_paper),
        cmocka_unit_test(a_refused_point_keeps_what_was_done),
        cmocka_unit_test(constants_are_fitted_to_their_cells),
        cmocka_unit_test(what_cannot_be_meant_is_refused),
        cmocka_unit_test(a_measured_codec_resumes),
        cmocka_unit_test(the_paper_is_met_as_promised),
    };
    return cmocka_run_group_tests_name("experiment", tests, NULL, NULL);
}
