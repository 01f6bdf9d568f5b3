/* Timelines: stored once for a point, and read through views. */
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

#define KEY_A "0123456789abcdef0123456789abcdef"
#define KEY_B "fedcba9876543210fedcba9876543210"

/* A database with the two points. */
static struct store *open_new(void)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    synthetic_run(s, "x", "", "");
    support_exec(s, "INSERT INTO point(key, run_id) VALUES ('" KEY_A "', 1), ('" KEY_B "', 1)");
    return s;
}

/* gpu 0 works 0..4 and 6..7 ms, another slot of it 1..3 and 2..5: busy 0..5 and 6..7. eth 1 carries 4 MB in 2 ms and
 * nothing in no time. */
static const struct task_fact tasks[] = {
    { 10, "forward", "gpu 0", 0, 0, 4000000000, -1 },
    { 11, "encode", "gpu 0", 1, 1000000000, 3000000000, -1 },
    { 14, "push", "eth 1", 0, 1000000000, 3000000000, 4000000 },
    { 12, "decode", "gpu 0", 2, 2000000000, 5000000000, -1 },
    { 15, "pull", "eth 1", 0, 3000000000, 3000000000, 0 },
    { 13, "update", "gpu 0", 0, 6000000000, 7000000000, -1 },
};
static const struct timeline_fact all = { .tasks = tasks, .ntasks = COUNT(tasks) };

static void tasks_are_stored_as_told(void **state)
{
    (void)state;
    struct store *s = open_new();
    const struct timeline_fact window = { 5, 9000000000, 17, tasks, 2 };

    assert_int_equal(store_tasks(s, KEY_B, &all), 0);
    assert_int_equal(store_tasks(s, KEY_A, &window), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM task WHERE point_id = 2"), COUNT(tasks));
    assert_int_equal(support_int(s, "SELECT count(*) FROM task WHERE point_id = 2 AND place = 2 AND id = 14 AND"
                                    " name = 'push' AND track = 'eth 1' AND slot = 0 AND start_ps = 1000000000 AND"
                                    " end_ps = 3000000000 AND bytes = 4000000"),
                     1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM task WHERE point_id = 2 AND bytes IS NULL AND slot = 2"), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM timeline WHERE point_id = 2 AND from_ps = 0 AND to_ps IS NULL"
                                    " AND left_out = 0"),
                     1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM timeline WHERE point_id = 1 AND from_ps = 5 AND"
                                    " to_ps = 9000000000 AND left_out = 17"),
                     1);
    store_close(s);
}

static void a_timeline_that_is_there_stays(void **state)
{
    (void)state;
    struct store *s = open_new();
    const struct timeline_fact other = { .tasks = tasks + 1, .ntasks = 3 }, empty = { 0 };

    assert_int_equal(store_tasks(s, KEY_A, &all), 0);
    assert_int_equal(store_tasks(s, KEY_A, &other), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM task"), COUNT(tasks));
    assert_int_equal(support_int(s, "SELECT id FROM task WHERE place = 0"), 10);
    /* One without tasks is a timeline too. */
    assert_int_equal(store_tasks(s, KEY_B, &empty), 0);
    assert_int_equal(store_tasks(s, KEY_B, &all), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM task"), COUNT(tasks));
    assert_int_equal(support_int(s, "SELECT count(*) FROM timeline"), 2);
    store_close(s);
}

static void what_is_refused_leaves_nothing(void **state)
{
    static const struct {
        const char *what, *key, *said;
        struct task_fact task;
        int64_t from_ps, to_ps;
    } cases[] = {
        { "no such point",
          "00000000000000000000000000000000",
          "there is no point 0000",
          { 1, "a", "b", 0, 0, 1, -1 },
          0,
          0 },
        { "an end before its start", KEY_A, "CHECK", { 1, "a", "b", 0, 5, 4, -1 }, 0, 0 },
        { "a start before all time", KEY_A, "CHECK", { 1, "a", "b", 0, -1, 4, -1 }, 0, 0 },
        { "no track", KEY_A, "CHECK", { 1, "a", "", 0, 0, 1, -1 }, 0, 0 },
        { "a slot below zero", KEY_A, "CHECK", { 1, "a", "b", -1, 0, 1, -1 }, 0, 0 },
        { "a window that ends before it begins", KEY_A, "CHECK", { 1, "a", "b", 0, 0, 1, -1 }, 5, 5 },
    };

    (void)state;
    struct store *s = open_new();
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct task_fact pair[] = { tasks[0], cases[i].task };
        const struct timeline_fact timeline = { cases[i].from_ps, cases[i].to_ps, 0, pair, 2 };
        support_listen();
        int rc = store_tasks(s, cases[i].key, &timeline);
        const char *said = support_heard();

        if (rc != NW_EDB || !strstr(said, cases[i].said) || !strstr(said, "n.db") ||
            support_int(s, "SELECT (SELECT count(*) FROM task) + (SELECT count(*) FROM timeline)"))
            fail_msg("%s: answered %d and said: %s", cases[i].what, rc, said);
    }
    assert_int_equal(store_tasks(s, KEY_A, &all), 0);
    store_close(s);
}

static void views_sum_up(void **state)
{
    static const struct {
        const char *sql;
        double value;
    } cases[] = {
        { "SELECT count(*) FROM task_track", 4 },
        { "SELECT busy_ms FROM task_track WHERE point_id = 1 AND track = 'gpu 0'", 6 },
        { "SELECT task_ms FROM task_track WHERE point_id = 1 AND track = 'gpu 0'", 10 },
        { "SELECT tasks FROM task_track WHERE point_id = 1 AND track = 'gpu 0'", 4 },
        { "SELECT last_ms FROM task_track WHERE point_id = 1 AND track = 'gpu 0'", 7 },
        { "SELECT bytes IS NULL FROM task_track WHERE point_id = 1 AND track = 'gpu 0'", 1 },
        { "SELECT busy_ms FROM task_track WHERE point_id = 1 AND track = 'eth 1'", 2 },
        { "SELECT first_ms FROM task_track WHERE point_id = 1 AND track = 'eth 1'", 1 },
        { "SELECT bytes FROM task_track WHERE point_id = 1 AND track = 'eth 1'", 4e6 },
        { "SELECT count(*) FROM task_transfer WHERE point_id = 1", 2 },
        { "SELECT GBps FROM task_transfer WHERE point_id = 1 AND id = 14", 2 },
        { "SELECT took_ms FROM task_transfer WHERE point_id = 1 AND id = 14", 2 },
        { "SELECT GBps IS NULL FROM task_transfer WHERE point_id = 1 AND id = 15", 1 },
        /* Two tasks that are almost all of what can be counted: their sum is no integer any more. */
        { "SELECT task_ms FROM task_track WHERE track = 'long'", 1.8e10 },
    };
    static const struct task_fact longest[] = {
        { 1, "a", "long", 0, 0, 9000000000000000000, -1 },
        { 2, "b", "long", 1, 0, 9000000000000000000, -1 },
        { 3, "c", "eth 1", 0, 0, 2500000000, 8000000000000000000 },
        { 4, "d", "eth 1", 0, 2500000000, 2500000001, 8000000000000000000 },
    };

    (void)state;
    struct store *s = open_new();
    assert_int_equal(store_tasks(s, KEY_A, &all), 0);
    assert_int_equal(store_tasks(s, KEY_B, &(struct timeline_fact){ .tasks = longest, .ntasks = COUNT(longest) }), 0);
    for (size_t i = 0; i < COUNT(cases); i++) {
        double value = support_real(s, cases[i].sql);
        if (!(value > cases[i].value - 1e-9 * (1 + cases[i].value) &&
              value < cases[i].value + 1e-9 * (1 + cases[i].value)))
            fail_msg("%s: %.12g, not %.12g", cases[i].sql, value, cases[i].value);
    }
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(tasks_are_stored_as_told),
        TEST(a_timeline_that_is_there_stays),
        TEST(what_is_refused_leaves_nothing),
        TEST(views_sum_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
