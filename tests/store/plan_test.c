/* Memory plans: stored once for a point, summed by the views, and variants compared by what they lose and can train. */
#include <setjmp.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "harness/status.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"

#define KEY_A "0123456789abcdef0123456789abcdef"
#define KEY_B "fedcba9876543210fedcba9876543210"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

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
        "INSERT INTO run_point(run_id, position, combination, variant, point_id) VALUES (1, 0, 0, 'a', 1), (1, 1, 0, 'b', 2);"
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
    /* No batch fits the baseline: no ratio, and no fault. */
    support_exec(s, "UPDATE measure SET value = 0 WHERE point_id = 1 AND name = 'largest_batch'");
    assert_int_equal(support_int(s, "SELECT ours IS NULL FROM cell_value WHERE column_key = 'batch'"), 1);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_plan_is_stored_as_told_and_once),
        TEST(sums_run_from_the_first_operation),
        TEST(variants_are_compared),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
