/* What is said of records: which run speaks, which are stale, and whether a record and what was trained here agree. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "narrows_build.h"
#include "tests/record/support.h"
#include "tests/test.h"

static const double there[] = { 90, 92, 97 };

static int64_t import(struct store *s, const double *pct, size_t n, const char *name, int64_t started)
{
    char db[64], sql[128];
    struct record_counts counts;
    struct store *from;
    int64_t run;

    snprintf(db, sizeof(db), "%s.db", name);
    from = record_open(db);
    run = record_train(from, pct, n, 1);
    snprintf(sql, sizeof(sql), "UPDATE run SET started_ns = %lld", (long long)started);
    support_exec(from, sql);
    assert_int_equal(record_import(s, record_write(from, run, name), &counts), 1);
    store_close(from);
    return support_int(s, "SELECT max(run_id) FROM run_record");
}

static void check_chosen(struct store *s, int64_t run, int recorded)
{
    assert_int_equal(support_int(s, "SELECT run_id FROM chosen_run WHERE scenario = '" SCENARIO "'"), run);
    assert_int_equal(support_int(s, "SELECT recorded FROM chosen_run WHERE scenario = '" SCENARIO "'"), recorded);
    assert_int_equal(support_int(s, "SELECT count(*) FROM chosen_run WHERE scenario = '" SCENARIO "'"), 1);
    assert_int_equal(support_int(s, "SELECT run_id FROM newest_run WHERE scenario = '" SCENARIO "'"), run);
}

static void what_was_trained_here_comes_first(void **state)
{
    struct store *s = record_open("n.db");

    (void)state;
    record_train(s, NULL, 0, 0); /* killed before its first training */
    int64_t record = import(s, there, 3, "a.record", 1000);
    check_chosen(s, record, 1);
    int64_t killed = record_train(s, there, 1, 0);
    check_chosen(s, record, 1);
    int64_t own = record_train(s, there, 2, 1);
    check_chosen(s, own, 0);
    record_train(s, there, 2, 0);
    check_chosen(s, own, 0);
    /* A record that comes later has a greater number, and is no newer for that. */
    import(s, there, 2, "b.record", 2000);
    check_chosen(s, own, 0);
    assert_true(killed > record);
    store_close(s);
}

/* Without a record all is as before there were any: a killed run counts for the points that it lists. */
static void without_records_the_newest_run_speaks(void **state)
{
    struct store *s = record_open("n.db");

    (void)state;
    check_chosen(s, record_train(s, there, 2, 1), 0);
    check_chosen(s, record_train(s, there, 1, 0), 0);
    store_close(s);
}

static void of_records_the_newest_that_fits_comes_first(void **state)
{
    struct store *s = record_open("n.db");

    (void)state;
    int64_t newer = import(s, there, 3, "newer.record", 2000);
    int64_t older = import(s, there, 2, "older.record", 1000);
    check_chosen(s, newer, 1);
    support_exec(s, "UPDATE program SET value = '" TRAINER "' WHERE name = 'trainer'");
    check_chosen(s, newer, 1);
    support_exec(s, "UPDATE record SET trainer = 'other' WHERE file = 'newer.record'");
    check_chosen(s, older, 1);
    store_close(s);
}

#define STATE(what) "SELECT " what " FROM record_state"

static void a_record_of_another_trainer_is_stale(void **state)
{
    struct store *s = record_open("n.db");

    (void)state;
    import(s, there, 3, "a.record", 86400 * (int64_t)1000000000);
    assert_int_equal(support_int(s, STATE("paper = '3lc' AND scenario = '" SCENARIO "' AND digest = '" TRAINER "'")),
                     1);
    assert_int_equal(
        support_int(s, STATE("revision = 'abc1234' AND machine = 'another machine' AND day = '1970-01-02'")), 1);
    assert_int_equal(support_int(s, STATE("training_runs = 3 AND steps = 120 AND file = 'a.record' AND timed")), 1);
    assert_int_equal(support_int(s, STATE("stale AND stale_time")), 1);
    support_exec(s, "UPDATE program SET value = '" SIMULATOR "' WHERE name = 'simulator'");
    assert_int_equal(support_int(s, STATE("stale AND NOT stale_time")), 1);
    support_exec(s, "UPDATE program SET value = '" TRAINER "' WHERE name = 'trainer'");
    assert_int_equal(support_int(s, STATE("NOT stale AND NOT stale_time")), 1);
    store_close(s);
    /* Whoever opens the file says what it is, to read too; where it cannot, it reads all the same. */
    assert_int_equal(store_open_readonly(support_path("n.db"), &s), 0);
    assert_int_equal(support_int(s, STATE("stale AND stale_time")), 1);
    assert_int_equal(
        support_int(s, "SELECT count(*) FROM program WHERE value IN ('" NW_TRAIN_DIGEST "', '" NW_SIM_DIGEST "')"), 2);
    support_exec(s, "PRAGMA query_only = OFF; UPDATE program SET value = 'x'");
    store_close(s);
    if (geteuid() == 0)
        return;
    assert_int_equal(chmod(support_path("n.db"), 0444), 0);
    assert_int_equal(store_open_readonly(support_path("n.db"), &s), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM program WHERE value = 'x'"), 2);
    store_close(s);
}

/* Of a stamp counts who checked and how far; several may have. */
static void a_record_that_was_checked_is_not_stale(void **state)
{
    struct store *s = record_open("n.db");

    (void)state;
    import(s, there, 3, "a.record", 1000);
    assert_int_equal(support_int(s, STATE("state = 'stale' AND stale AND checked_steps IS NULL")), 1);
    support_exec(s, "INSERT INTO record_check SELECT id, 'someone else', 90, 1 FROM record");
    assert_int_equal(support_int(s, STATE("state = 'stale' AND stale AND checked_steps IS NULL")), 1);
    support_exec(s, "INSERT INTO record_check SELECT id, '" NW_TRAIN_DIGEST "', 40, 1 FROM record;"
                    "INSERT INTO record_check SELECT id, '" NW_TRAIN_DIGEST "', 7, 1 FROM record");
    assert_int_equal(support_int(s, STATE("state = 'checked' AND NOT stale AND checked_steps = 40")), 1);
    support_exec(s, "UPDATE program SET value = 'a third one' WHERE name = 'trainer'");
    assert_int_equal(support_int(s, STATE("state = 'stale' AND stale AND checked_steps IS NULL")), 1);
    support_exec(s, "UPDATE program SET value = '" TRAINER "' WHERE name = 'trainer'");
    assert_int_equal(support_int(s, STATE("state = 'fresh' AND NOT stale AND checked_steps IS NULL")), 1);
    store_close(s);
}

/* Until they are simulated here: by a run that came with no record. */
static void old_times_give_way_to_new_ones(void **state)
{
    struct store *s = record_open("n.db");

    (void)state;
    import(s, there, 2, "a.record", 1000);
    assert_int_equal(support_int(s, STATE("timed AND stale_time")), 1);
    support_exec(
        s, "INSERT INTO run SELECT 50, 2, command, scenario || '+time', title, notes, baseline, figure, file, revision,"
           " build,"
           " machine, seed, npoints FROM run;"
           "INSERT INTO trace_timing(run_id, point_id, label, simulated, key) SELECT 50, point_id, label, simulated,"
           " substr(key, 17) || substr(key, 1, 16) FROM trace_timing ORDER BY id LIMIT 1");
    assert_int_equal(support_int(s, STATE("timed AND stale_time")), 1); /* one of its two points */
    support_exec(
        s, "INSERT INTO trace_timing(run_id, point_id, label, simulated, key) SELECT 50, point_id, label, simulated,"
           " substr(key, 17) || substr(key, 1, 16) FROM trace_timing WHERE run_id <> 50 ORDER BY id DESC LIMIT 1");
    assert_int_equal(support_int(s, STATE("timed AND NOT stale_time AND stale")), 1);
    store_close(s);
}

#define AGREEMENT(what) "SELECT " what " FROM record_agreement"

/* 90, 92, 97: mean 93, standard error sqrt(26 / 2 / 3). Here three that lie as far apart, moved by 'by'. */
static void check_agreement(const double *here, size_t n, double mean, int agrees)
{
    struct store *s = record_open("n.db");

    assert_int_equal(support_int(s, AGREEMENT("count(*)")), 0);
    import(s, there, 3, "a.record", 1000);
    assert_int_equal(support_int(s, AGREEMENT("count(*)")), 0);
    record_train(s, here, n, 1);
    assert_int_equal(support_int(s, AGREEMENT("count(*)")), 1);
    assert_int_equal(
        support_int(
            s, AGREEMENT("paper = '3lc' AND table_id = '1' AND row_key = '3LC (s=1.00)' AND column_key = 'Accuracy'")),
        1);
    assert_near(support_real(s, AGREEMENT("recorded")), 93, 1e-12);
    assert_near(support_real(s, AGREEMENT("here")), mean, 1e-12);
    assert_int_equal(support_int(s, AGREEMENT("n")), n < 3 ? n : 3);
    assert_int_equal(support_int(s, AGREEMENT("coalesce(agrees, -1)")), agrees);
    if (n == 3)
        assert_near(support_real(s, AGREEMENT("spread")), 3 * sqrt(2 * 13.0 / 3), 1e-9);
    store_close(s);
    assert_int_equal(unlink(support_path("n.db")), 0);
    assert_int_equal(unlink(support_path("a.record.db")), 0);
}

static void means_agree_within_three_standard_errors(void **state)
{
    static const double near[] = { 90 - 8.8, 92 - 8.8, 97 - 8.8 }, far[] = { 90 - 8.9, 92 - 8.9, 97 - 8.9 };

    (void)state;
    check_agreement(there, 3, 93, 1);
    check_agreement(near, 3, 84.2, 1); /* the limit is 8.83 */
    check_agreement(far, 3, 84.1, 0);
    check_agreement(there, 1, 90, -1); /* of one seed nothing is known */
}

static void one_scenario_says_nothing_of_another(void **state)
{
    struct store *s = record_open("n.db");

    (void)state;
    import(s, there, 3, "a.record", 1000);
    record_train(s, there, 3, 1);
    support_exec(s, "UPDATE run SET scenario = '3lc-quick' WHERE id NOT IN (SELECT run_id FROM run_record)");
    assert_int_equal(support_int(s, AGREEMENT("count(*)")), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM chosen_run"), 2);
    store_close(s);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_was_trained_here_comes_first),           TEST(without_records_the_newest_run_speaks),
        TEST(of_records_the_newest_that_fits_comes_first), TEST(a_record_of_another_trainer_is_stale),
        TEST(a_record_that_was_checked_is_not_stale),      TEST(old_times_give_way_to_new_ones),
        TEST(means_agree_within_three_standard_errors),    TEST(one_scenario_says_nothing_of_another),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
