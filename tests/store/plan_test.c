/* Memory plans: stored once for a point, summed by the views, and variants compared by what they lose and can train. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

#define KEY_A "0123456789abcdef0123456789abcdef"
#define KEY_B "fedcba9876543210fedcba9876543210"

static const struct plan_step_fact steps[] = {
    { "cut [0,0]", "", 0, 1000000000, 0, 1000, 0, 500 },
    { "conv1 [0,0]", "conv1", 0, 2000000000, 3000000000, 2000000000, 1000000000, 4000000000 },
    { "fc1", "fc1", 0, 500000000, 7, 500000000, 0, 4000000007 },
    { "fc1 backward", "fc1", 1, 1000000000, 0, 0, 0, 4000000000 },
};
static const struct plan_fact all = { steps, COUNT(steps) };

/* Two variants of one combination, the first the baseline. */
static struct store *open_new(void)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    synthetic_run(s, "x", "a", "");
    support_exec(
        s,
        "INSERT INTO point(key, run_id) VALUES ('" KEY_A "', 1), ('" KEY_B "', 1);"
        "INSERT INTO run_point(run_id, position, combination, variant, point_id) VALUES (1, 0, 0, 'a', 1), (1, 1, 0,"
        " 'b', 2);"
        "INSERT INTO measure(point_id, name, value, unit) VALUES (1, 'step_ms', 100, 'ms'), (2, 'step_ms', 300, 'ms'),"
        " (1, 'sample_us', 1000, 'us'), (2, 'sample_us', 1250, 'us'),"
        " (1, 'largest_batch', 100, ''), (2, 'largest_batch', 240, '')");
    return s;
}

static void a_plan_is_stored_as_told_and_once(void **state)
{
    (void)state;
    struct store *s = open_new();
    const struct plan_fact other = { steps + 1, 2 };

    assert_int_equal(store_plan(s, KEY_B, &all), 0);
    assert_int_equal(store_plan(s, KEY_B, &other), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM plan_step"), COUNT(steps));
    assert_int_equal(
        support_int(s, "SELECT count(*) FROM plan_step WHERE point_id = 2 AND step = 1 AND"
                       " name = 'conv1 [0,0]' AND layer = 'conv1' AND backward = 0 AND duration_ps = 2000000000"
                       " AND generated_bytes = 3000000000 AND offloadable_bytes = 2000000000 AND"
                       " offloaded_bytes = 1000000000 AND live_bytes = 4000000000"),
        1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM plan_step WHERE backward = 1 AND step = 3"), 1);
    assert_int_equal(store_plan(s, "00000000000000000000000000000000", &all), NW_EDB);
    store_close(s);
}

static void sums_run_from_the_first_operation(void **state)
{
    (void)state;
    struct store *s = open_new();

    assert_int_equal(store_plan(s, KEY_A, &all), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM plan_curve WHERE scenario = 'x' AND variant = 'a'"),
                     COUNT(steps));
    assert_int_equal(support_int(s, "SELECT round(1e9 * generated_so_far_GB) FROM plan_curve WHERE step = 2"),
                     3000000007);
    assert_int_equal(support_int(s, "SELECT round(1e9 * offloadable_so_far_GB) FROM plan_curve WHERE step = 2"),
                     2500001000);
    assert_int_equal(support_int(s, "SELECT round(1e6 * end_ms) FROM plan_curve WHERE step = 3"), 4500000);
    assert_int_equal(support_int(s, "SELECT round(1e9 * live_GB) FROM plan_curve WHERE step = 0"), 500);
    store_close(s);
}

/* b takes 1.25 times the time for a sample: a fifth of the throughput is lost; and trains 2.4 times the batch. */
static void variants_are_compared(void **state)
{
    (void)state;
    struct store *s = open_new();

    support_exec(s, "INSERT INTO cell(run_id, position, paper, table_id, row_key, column_key, measure) VALUES"
                    " (1, 1, 'p', 't', 'r', 'loss', 'loss_pct'), (1, 1, 'p', 't', 'r', 'batch', 'batch_ratio'),"
                    " (1, 1, 'p', 't', 'r', 'gain', 'gain_pct'), (1, 0, 'p', 't', 'r', 'own', 'loss_pct')");
    assert_int_equal(
        support_int(s, "SELECT round(1000 * ours) FROM cell_value WHERE column_key = 'loss' AND unit = '%'"), 20000);
    assert_int_equal(
        support_int(s, "SELECT round(1000 * ours) FROM cell_value WHERE column_key = 'batch' AND unit = 'x'"), 2400);
    assert_int_equal(support_int(s, "SELECT round(1000 * ours) FROM cell_value WHERE column_key = 'gain'"), -25000);
    assert_int_equal(support_int(s, "SELECT ours IS NULL FROM cell_value WHERE column_key = 'own'"), 1);
    /* No batch fits the baseline: no ratio, and no error. */
    support_exec(s, "UPDATE measure SET value = 0 WHERE point_id = 1 AND name = 'largest_batch'");
    assert_int_equal(support_int(s, "SELECT ours IS NULL FROM cell_value WHERE column_key = 'batch'"), 1);
    store_close(s);
}

/* A run of two places, each with a baseline, 'in place' and 'c'; the measures of place 1 are twice those of place 0, so
 * that a plan held against another place's would show. The last point trains nothing: no plan. */
static void fill_summary(struct store *s, const char *scenario, const char *baseline, int times)
{
    static const char *const variants[] = { "a", "in place", "c", "other" };
    static const double rate[] = { 100, 125, 80 }, batch[] = { 100, 150, 240 };
    int64_t run = synthetic_run(s, scenario, baseline, "");

    for (size_t i = 0; i < 7; i++) {
        size_t v = i == 6 ? 3 : i % 3;
        double k = (i < 3 ? 1 : 2) * times;
        struct measure_fact none = { "step_ms", 1, "ms" };
        struct measure_fact m[] = {
            { "samples_per_s", v < 3 ? k * rate[v] : 0, "1/s" },
            { "largest_batch", v < 3 ? k * batch[v] : 0, "" },
            { "stall_forward_ms", 1.5 * k, "ms" },
            { "stall_turn_ms", 2.5 * k, "ms" },
            { "stall_backward_ms", 3.5 * k, "ms" },
            { "slowed_ms", 4.5 * k, "ms" },
            { "generated_bytes", 5.5e9 * k, "B" },
            { "offloadable_bytes", 6.5e9 * k, "B" },
            { "offloaded_bytes", 7.5e9 * k, "B" },
            { "live_bytes", 8.5e9 * k, "B" },
            { "peak_bytes", 9.5e9 * k, "B" },
            { "host_bytes", 10.5e9 * k, "B" },
            { "gap_pct", 11.5 * k, "%" },
        };
        char key[33], text[64];
        struct point_fact p = { .key = key,
                                .variant = variants[v],
                                .index = i,
                                .combination = i / 3,
                                .measures = v < 3 ? m : &none,
                                .nmeasures = v < 3 ? COUNT(m) : 1 };
        snprintf(text, sizeof(text), "%s %d %zu", scenario, times, i);
        synthetic_key(key, text);
        assert_int_equal(store_point(s, run, &p), 0);
    }
}

static void plans_are_summed_up(void **state)
{
    static const struct {
        const char *what;
        double first, second; /* of c at the two places */
    } columns[] = {
        { "samples_per_s", 80, 160 },
        { "largest_batch", 240, 480 },
        { "stall_forward_ms", 1.5, 3 },
        { "stall_turn_ms", 2.5, 5 },
        { "stall_backward_ms", 3.5, 7 },
        { "slowed_ms", 4.5, 9 },
        { "generated_GB", 5.5, 11 },
        { "offloadable_GB", 6.5, 13 },
        { "offloaded_GB", 7.5, 15 },
        { "live_GB", 8.5, 17 },
        { "peak_GB", 9.5, 19 },
        { "host_GB", 10.5, 21 },
        { "gap_pct", 11.5, 23 },
        { "loss_pct", 20, 20 },
        { "in_place_loss_pct", 36, 36 },
        { "batch_ratio", 2.4, 2.4 },
        { "in_place_batch_ratio", 1.6, 1.6 },
    };

    (void)state;
    struct store *s = NULL;
    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    fill_summary(s, "plans", "a", 3); /* an earlier run, which does not count */
    fill_summary(s, "plans", "a", 1);
    fill_summary(s, "plans+changes", "a", 5);
    assert_int_equal(support_int(s, "SELECT count(*) FROM plan_summary"), 6);
    for (size_t i = 0; i < COUNT(columns); i++) {
        char sql[128];

        for (int at = 0; at < 2; at++) {
            snprintf(sql, sizeof(sql), "SELECT %s FROM plan_summary WHERE variant = 'c' AND combination = %d",
                     columns[i].what, at);
            support_near(support_real(s, sql), at ? columns[i].second : columns[i].first, 1e-9, columns[i].what,
                         __FILE__, __LINE__);
        }
    }
    assert_near(support_real(s, "SELECT max(abs(loss_pct)) FROM plan_summary WHERE variant = 'a'"), 0, 1e-9);
    assert_near(support_real(s, "SELECT loss_pct FROM plan_summary WHERE variant = 'in place'"), -25, 1e-9);
    store_close(s);
}

/* Without a baseline, without 'in place', with a baseline that nothing fits: no loss, no ratio, and the line is
 * there. */
static void a_plan_without_its_like_is_summed_up(void **state)
{
    (void)state;
    struct store *s = open_new();

    support_exec(s, "INSERT INTO measure(point_id, name, value, unit) VALUES (1, 'generated_bytes', 3e9, 'B'),"
                    " (2, 'generated_bytes', 4e9, 'B'), (1, 'samples_per_s', 1000, '1/s'),"
                    " (2, 'samples_per_s', 800, '1/s')");
    assert_near(support_real(s, "SELECT loss_pct FROM plan_summary WHERE variant = 'b'"), 20, 1e-9);
    assert_int_equal(support_int(s, "SELECT count(*) FROM plan_summary WHERE in_place_loss_pct IS NULL AND"
                                    " in_place_batch_ratio IS NULL AND live_GB IS NULL AND samples_per_s IS NOT NULL"),
                     2);
    support_exec(s, "UPDATE measure SET value = 0 WHERE point_id = 1 AND name = 'largest_batch'");
    assert_int_equal(support_int(s, "SELECT batch_ratio IS NULL FROM plan_summary WHERE variant = 'b'"), 1);
    fill_summary(s, "alone", "", 1);
    assert_int_equal(support_int(s,
                                 "SELECT count(*) FROM plan_summary WHERE scenario = 'alone' AND loss_pct IS NULL AND"
                                 " batch_ratio IS NULL AND in_place_loss_pct IS NOT NULL"),
                     6);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_plan_is_stored_as_told_and_once),
        TEST(sums_run_from_the_first_operation),
        TEST(variants_are_compared),
        TEST(plans_are_summed_up),
        TEST(a_plan_without_its_like_is_summed_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
