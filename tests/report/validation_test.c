/* Predictions held against executions, as a report tells of them: errors by class, what is furthest off, what did not
 * end and why, where and when; nothing of it where nothing was executed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/report.h"
#include "harness/status.h"
#include "tests/report/golden.h"
#include "tests/report/rows.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

/* A run of a set has one point for each: predicted, then two repetitions, in ms, with the load before; 0: it was not
 * executed to the end. */
struct executed {
    const char *variant;
    double predicted_ms, first_ms, second_ms, load;
    const char *outcome, *reason; /* outcome NULL: no end was written; "missing": it was not begun */
};

/* On a machine with one core; flows on one of which nothing is known. */
static const struct executed rings[] = {
    { "ring", 101, 100, 100, 1, "done", "" }, { "ring", 90, 98, 102, 1.25, "done", "" },
    { "tree", 80, 70, 130, 2, "done", "" },   { "tree", 50, 0, 0, 0, "failed", "rank 2 <ended> by signal 9" },
    { "tree", 40, 0, 0, 0, NULL, "" },        { "tree", 30, 0, 0, 0, "missing", "" },
};
static const struct executed flows[] = { { "a", 480, 450, 550, 3, "done", "" } };

static void execute(struct store *s, int64_t run, size_t position, const struct executed *e)
{
    char sql[1024];
    int64_t id;

    if (e->outcome && !strcmp(e->outcome, "missing"))
        return;
    snprintf(sql, sizeof(sql),
             "INSERT INTO execution(run_id, position, point_id, setting, begun_ns) SELECT run_id, position, point_id,"
             " 'x', 1000000000 FROM run_point WHERE run_id = %lld AND position = %zu",
             (long long)run, position);
    support_exec(s, sql);
    if (!e->outcome)
        return;
    id = support_int(s, "SELECT max(id) FROM execution");
    snprintf(sql, sizeof(sql), "INSERT INTO execution_end VALUES (%lld, 2000000000, '%s', NULL, '%s')", (long long)id,
             e->outcome, e->reason);
    support_exec(s, sql);
    if (strcmp(e->outcome, "done") != 0)
        return;
    snprintf(sql, sizeof(sql),
             "INSERT INTO executed_point VALUES (%lld, 4, 'model', 'own', 'Open MPI v9', '', '', %.0f, 0, 0, %g, 9);"
             " INSERT INTO executed_step VALUES (%lld, 0, %.0f), (%lld, 1, %.0f)",
             (long long)id, 1e6 * e->predicted_ms, e->load, (long long)id, 1e6 * e->first_ms, (long long)id,
             1e6 * e->second_ms);
    support_exec(s, sql);
}

static int64_t put(struct store *s, const char *scenario, const struct executed *e, size_t n)
{
    int64_t run = synthetic_run(s, scenario, "", "");

    for (size_t i = 0; i < n; i++) {
        char key[33], text[64];
        const struct param_fact params[] = { { "method.workers", text, (double)i, "" },
                                             { "platform.link.eth.bandwidth", "8 Mbit/s", 1e6, "B/s" },
                                             { "platform.link.eth.burst", "4096 B", 4096, "B" } };
        struct measure_fact m = { "step_ms", e[i].predicted_ms, "ms" };
        struct point_fact p = { .key = key,
                                .variant = e[i].variant,
                                .index = i,
                                .combination = i,
                                .params = params,
                                .nparams = COUNT(params),
                                .measures = &m,
                                .nmeasures = 1 };
        snprintf(text, sizeof(text), "%s %zu", scenario, i);
        synthetic_key(key, text);
        snprintf(text, sizeof(text), "%zu", i);
        assert_int_equal(store_point(s, run, &p), 0);
        execute(s, run, i, &e[i]);
    }
    return run;
}

static void calibrate(struct store *s)
{
    const struct calibration_fact c = { .platform = "shaped-lab",
                                        .constant = "platform.network.message_latency",
                                        .value = 0.0002,
                                        .unit = "s",
                                        .scenario = "shaped-calibration-messages",
                                        .cell = { "", "", "shaped-calibration-messages", "", "step_ms" },
                                        .observed = 2.5,
                                        .reached = 2.5,
                                        .measured_on = "a machine" };

    assert_int_equal(store_calibration(s, put(s, "shaped-calibration-messages", flows, 1), &c), 0);
}

static void put_set(struct store *s)
{
    char sql[128];

    calibrate(s);
    for (int i = 0; i < 2; i++) {
        int64_t run = i ? put(s, "shaped-flows", flows, COUNT(flows)) : put(s, "shaped-rings", rings, COUNT(rings));
        snprintf(sql, sizeof(sql), "INSERT INTO validation_run VALUES (%lld, 'shaped')", (long long)run);
        support_exec(s, sql);
    }
    support_exec(s, "UPDATE run SET file = '/a/scenarios/validation/shaped/b.yaml'");
    synthetic_run(s, "mine", "", "");
    support_exec(
        s, "UPDATE run SET machine = 'X 16-Core, 1 core, 2.0 GiB', notes = 'So many.' WHERE scenario GLOB '*rings'");
}

static char *print(struct store *s, enum report_format format, int want)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    assert_int_equal(report_validation(s, format, out), want);
    fclose(out);
    return text;
}

static void nothing_is_told_of_nothing(void **state)
{
    struct store *s = NULL;

    (void)state;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    assert_int_equal(report_validated(s), 0);
    support_listen();
    char *text = print(s, REPORT_TEXT, NW_EDB);
    assert_non_null(strstr(support_heard(), "first: narrows validate shaped"));
    assert_string_equal(text, "");
    free(text);
    /* A calibration alone is no validation. */
    calibrate(s);
    assert_int_equal(report_validated(s), 0);
    rows_expect_none(s, (const char *const[]){ "/validation", "/validation-errors", "/validation-worst",
                                               "/validation-undone", "/validation-constants", "/validation-notes",
                                               "validation-points/data", NULL });
    support_listen();
    assert_int_equal(report_page(s, NULL, golden_plots(), support_path("empty"), support_path("empty.html")), 0);
    char *page = support_read(support_path("empty.html"), NULL);
    assert_null(strstr(page, "alidation"));
    assert_null(strstr(support_heard(), "validation"));
    free(page);
    store_close(s);
}

static void parts_have_what_was_executed(void **state)
{
    static const struct {
        const char *sql, *want;
    } rows[] = {
        { "SELECT says FROM \"/validation\" LIMIT 1",
          "7 points were simulated, and the predictions stored, before they were executed over MPI on links that one"
          " machine shapes: 4 done, 1 failed, 1 killed, 1 missing. Error: median 4.0 %, 95 % of the points within 20.0"
          " %, worst 20.0 %.\n" },
        { "SELECT says FROM \"/validation\" LIMIT -1 OFFSET 1",
          "3 points: executed on X 16-Core, 1 core, 2.0 GiB, 1970-01-01 00:00 to 1970-01-01 00:00 UTC, by narrows 0"
          " with Open MPI v9; load 1.0 to 2.0.\n"
          "1 point: executed on a machine, 1970-01-01 00:00 to 1970-01-01 00:00 UTC, by narrows 0 with Open MPI v9;"
          " load 3.0 to 3.0.\n" },
        { "SELECT * FROM \"/validation-errors\"",
          "flows a|1|4|4|4|0\nrings ring|2|1|10|10|0\nrings tree|1|20|20|20|0\nall|4|4|20|20|1\n" },
        { "SELECT * FROM \"/validation-worst\"", "rings tree: workers 2, 8 Mbit/s|80|100|-20|30|2|both\n"
                                                 "rings ring: workers 1, 8 Mbit/s|90|100|-10|2|1.25|load\n"
                                                 "flows a: workers 0, 8 Mbit/s|480|500|-4|10|3|spread\n"
                                                 "rings ring: workers 0, 8 Mbit/s|101|100|1|0|1|-\n" },
        { "SELECT * FROM \"/validation-undone\"",
          "rings tree: workers 3, 8 Mbit/s|failed|rank 2 <ended> by signal 9\n"
          "rings tree: workers 4, 8 Mbit/s|killed|-\nrings tree: 1 point|missing|-\n" },
        { "SELECT constant, value, unit, \"from\", \"on\" FROM \"/validation-constants\"",
          "network.message_latency|0.0002|s|shaped-calibration-messages|a machine\n" },
        { "SELECT * FROM \"/validation-notes\"",
          "calibration-messages, 2 points: made up.\nflows, 2 points: made up.\nrings, 2 points: made up. So many.\n" },
        /* They are no runs of one's own. */
        { "SELECT scenario FROM own_run", "mine\n" },
        { "SELECT * FROM \"validation-points/data\"",
          "flows|500|480|-4\nrings|100|80|-20\nrings|100|90|-10\nrings|100|101|1\n" },
    };
    struct store *s = NULL;

    (void)state;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    put_set(s);
    assert_int_equal(report_validated(s), 1);
    for (size_t i = 0; i < COUNT(rows); i++)
        rows_expect(s, rows[i].sql, rows[i].want);
    store_close(s);
}

static void it_is_printed_and_is_on_the_page(void **state)
{
    static const struct {
        enum report_format format;
        const char *says[3];
    } printed[] = {
        { REPORT_TEXT, { "Errors of the prediction", "rings tree", "rank 2 <ended> by signal 9" } },
        { REPORT_MARKDOWN, { "| rings tree | 1 |", "# What was calibrated before", "network.message\\_latency" } },
        { REPORT_CSV,
          { "set_name,kind,row_key,predicted,measured,unit,error,spread,load,outcome,reason\n", "killed",
            "shaped,flows a,\"shaped-flows a: 0, 8 Mbit/s, 4096 B\",480,500,ms," } },
        { REPORT_JSON, { "\"row_key\": \"shaped-rings tree: 2, 8 Mbit/s, 4096 B\"", "\"failed\"", "\"missing\"" } },
    };
    const char *dir = support_path("out");
    struct store *s = NULL;

    (void)state;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    put_set(s);
    for (size_t i = 0; i < COUNT(printed); i++) {
        char *text = print(s, printed[i].format, NW_OK);
        for (size_t k = 0; k < COUNT(printed[i].says); k++)
            if (!strstr(text, printed[i].says[k]))
                fail_msg("no '%s' in:\n%s", printed[i].says[k], text);
        free(text);
    }
    support_listen();
    assert_int_equal(report_page(s, NULL, golden_plots(), dir, support_path("out/index.html")), 0);
    support_heard();
    golden_says(dir, "index.html",
                (const char *const[]){ "href=\"#validation\"", "<h2 id=\"validation\"", "7 points were simulated",
                                       "rank 2 &lt;ended&gt; by signal 9", "network.message_latency", NULL });
    if (golden_gnuplot()) {
        golden_says(dir, "index.html",
                    (const char *const[]){ "figure-validation-points", "narrows validate shaped", NULL });
        golden_says(dir, "validation-points.svg",
                    (const char *const[]){ "predicted (ms)", ">flows<", ">rings<", ">within 10 %<",
                                           "error of the prediction (% of executed)", "executed (ms)", NULL });
    }
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nothing_is_told_of_nothing, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(parts_have_what_was_executed, support_setup, support_teardown),
        cmocka_unit_test_setup_teardown(it_is_printed_and_is_on_the_page, support_setup, support_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
