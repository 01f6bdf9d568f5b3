/* A record's training runs as a database's own: a sweep goes on from them, and only by the trainer that made them. */
#include "harness/status.h"
#include "tests/record/support.h"
#include "tests/test.h"

static const double three[] = { 90, 92, 97 };

static int points(struct store *s)
{
    return (int)support_int(s, "SELECT count(*) FROM point");
}

static void the_points_keep_their_keys(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    struct record_counts counts;
    char sql[1024];
    const char *path = record_write(from, record_train(from, three, 3, 1), "a.record");

    assert_int_equal(record_resume(to, path, TRAINER, &counts), NW_OK);
    assert_int_equal(counts.runs, 1);
    assert_int_equal(counts.training_runs, 3);
    snprintf(sql, sizeof(sql), "ATTACH '%s' AS there", support_path("from.db"));
    support_exec(to, sql);
    assert_int_equal(support_int(to, "SELECT count(*) FROM point JOIN there.point USING (key)"), 3);
    assert_int_equal(support_int(to, "SELECT count(*) FROM run_record"), 0);
    assert_int_equal(support_int(to, "SELECT count(*) FROM record"), 0);
    assert_int_equal(support_int(to, "SELECT count(*) FROM run_end"), 1);
    assert_int_equal(support_int(to, "SELECT count(*) FROM run JOIN there.run USING (machine, revision, started_ns)"),
                     1);
    store_close(from);
    store_close(to);
}

static void twice_is_once(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    struct record_counts counts;
    const char *path = record_write(from, record_train(from, three, 3, 1), "a.record");

    for (int i = 0; i < 3; i++)
        assert_int_equal(record_resume(to, path, TRAINER, &counts), NW_OK);
    assert_int_equal(points(to), 3);
    assert_int_equal(support_int(to, "SELECT count(*) FROM run"), 1);
    assert_int_equal(support_int(to, "SELECT count(*) FROM run_end"), 1);
    assert_int_equal(support_int(to, "SELECT count(*) FROM trace_timing"), 3);
    store_close(from);
    store_close(to);
}

/* Two of the three were trained here, too: what was computed here stays, the third is added, both runs list theirs. */
static void what_was_trained_here_stays(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    struct record_counts counts;
    const char *path = record_write(from, record_train(from, three, 3, 1), "a.record");
    int64_t own = record_train(to, three, 2, 1);

    assert_int_equal(record_resume(to, path, TRAINER, &counts), NW_OK);
    assert_int_equal(points(to), 3);
    assert_int_equal(support_int(to, "SELECT count(*) FROM training"), 3);
    assert_int_equal(support_int(to, "SELECT count(*) FROM run"), 2);
    assert_int_equal(support_int(to, "SELECT count(*) FROM run_point"), 5);
    assert_int_equal(support_int(to, "SELECT count(*) FROM trace_timing"), 3);
    assert_int_equal(support_int(to, "SELECT count(*) FROM point WHERE run_id = 1"), 2);
    assert_int_equal(own, 1);
    assert_int_equal(support_int(to, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    store_close(from);
    store_close(to);
}

static void another_trainer_is_refused(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    struct record_counts counts;
    const char *path = record_write(from, record_train(from, three, 3, 1), "a.record");

    assert_int_equal(record_resume(to, path, "00112233445566ab", &counts), NW_EINPUT);
    assert_int_equal(points(to), 0);
    store_close(from);
    store_close(to);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(the_points_keep_their_keys),
        TEST(twice_is_once),
        TEST(what_was_trained_here_stays),
        TEST(another_trainer_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
