/* Records from one database to another: all facts arrive, once, as a record's, and a killed import leaves nothing. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/record/file.h"
#include "harness/record/tables.h"
#include "harness/status.h"
#include "tests/record/support.h"
#include "tests/test.h"

static const double three[] = { 90, 92, 97 };

static int count(struct store *s, const char *table)
{
    char sql[128];

    snprintf(sql, sizeof(sql), "SELECT count(*) FROM %s", table);
    return (int)support_int(s, sql);
}

/* A column of the table's rows in the order that ids do not change, as SQL to be compared in two files. */
static void column_of(const struct record_table *t, const struct record_column *c, const char *file, char *sql,
                      size_t size)
{
    snprintf(sql, size, "SELECT %s AS x FROM %s.%s ORDER BY %s", c->name, file, t->name, t->order);
}

/* How many rows of a column differ in main and there, and by how much at most, as a share. */
static void compare_column(struct store *s, const struct record_table *t, const struct record_column *c)
{
    char here[512], there[512], sql[2048];
    double error, most = c->dropped ? ldexp(1, c->dropped - 53) : 0;

    column_of(t, c, "main", here, sizeof(here));
    column_of(t, c, "there", there, sizeof(there));
    snprintf(sql, sizeof(sql),
             "SELECT coalesce(max(CASE WHEN a.x IS b.x THEN 0 WHEN a.x IS NULL OR b.x IS NULL OR typeof(b.x) <> 'real'"
             " THEN 1"
             " ELSE abs(a.x - b.x) / abs(b.x) END), 0)"
             " FROM (SELECT row_number() OVER () AS i, x FROM (%s)) a JOIN (SELECT row_number() OVER () AS i, x FROM"
             " (%s)) b USING (i)",
             here, there);
    error = support_real(s, sql);
    if (!(error <= most))
        fail_msg("%s.%s: %g off, at most %g", t->name, c->name, error, most);
    if (c->dropped && !(error > 0))
        fail_msg("%s.%s: is not rounded, so that nothing was tried", t->name, c->name);
}

static void every_fact_arrives(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    struct record_counts counts;
    char sql[1024];

    const char *path = record_write(from, record_train(from, three, 3, 1), "a.record");
    assert_int_equal(record_import(to, path, &counts), 1);
    assert_int_equal(counts.runs, 1);
    assert_int_equal(counts.training_runs, 3);
    snprintf(sql, sizeof(sql), "ATTACH '%s' AS there", support_path("from.db"));
    support_exec(to, sql);
    for (const struct record_table *t = record_tables; t->name; t++) {
        char there[64];
        snprintf(there, sizeof(there), "there.%s", t->name);
        assert_true(count(to, t->name) > 0);
        assert_int_equal(count(to, t->name), count(to, there));
        for (const struct record_column *c = t->columns; c->name; c++)
            if (c->role == COLUMN_VALUE)
                compare_column(to, t, c);
    }
    assert_int_equal(count(to, "pragma_foreign_key_check"), 0);
    store_close(from);
    store_close(to);
}

/* Every column of the schema is listed, so that a new one is not forgotten. */
static void every_column_is_listed(void **state)
{
    (void)state;
    struct store *s = record_open("n.db");

    for (const struct record_table *t = record_tables; t->name; t++) {
        char sql[256];
        int n = 0;
        for (; t->columns[n].name; n++) {
            snprintf(sql, sizeof(sql), "SELECT count(*) FROM pragma_table_info('%s') WHERE name = '%s'", t->name,
                     t->columns[n].name);
            assert_int_equal(support_int(s, sql), 1);
        }
        snprintf(sql, sizeof(sql), "SELECT count(*) FROM pragma_table_info('%s')", t->name);
        assert_int_equal(support_int(s, sql), n);
        assert_ptr_equal(record_table(t->name), t);
    }
    store_close(s);
}

static void folders_stay_where_they_are(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    struct record_counts counts;

    assert_int_equal(record_import(to, record_write(from, record_train(from, three, 1, 1), "a.record"), &counts), 1);
    assert_int_equal(support_int(to, "SELECT command = 'narrows run a.yaml --db=a b.db' AND"
                                     " file = 'scenarios/training/3lc/small/table-1.yaml' FROM run"),
                     1);
    store_close(from);
    store_close(to);
}

/* Next to runs of the database's own, which keep their numbers, and into the database that it came from. */
static void what_was_computed_here_stays_so(void **state)
{
    (void)state;
    struct store *s = record_open("n.db");
    struct record_counts counts;
    int64_t own = record_train(s, three, 3, 1);
    const char *path = record_write(s, own, "a.record");
    assert_int_equal(record_import(s, path, &counts), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run"), 2);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_record"), 1);
    assert_int_equal(support_int(s, "SELECT run_id FROM run_record"), own + 1);
    assert_int_equal(support_int(s, "SELECT count(DISTINCT key) FROM point"), 6);
    assert_int_equal(
        support_int(s, "SELECT count(*) FROM run_point r JOIN point p ON p.id = r.point_id WHERE p.run_id <> r.run_id"),
        0);
    assert_int_equal(count(s, "pragma_foreign_key_check"), 0);
    store_close(s);
}

static void once_is_enough(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    struct record_counts counts;
    int64_t run = record_train(from, three, 3, 1);
    const char *path = record_write(from, run, "a.record");

    assert_int_equal(record_import(to, path, &counts), 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(record_import(to, path, &counts), 0);
        assert_int_equal(counts.runs, 0);
        path = record_write(from, run, "b.record"); /* the same by another name */
    }
    assert_int_equal(count(to, "record"), 1);
    assert_int_equal(count(to, "run"), 1);
    assert_int_equal(count(to, "training"), 3);
    /* Another machine's are another record, though its points had the same keys there. */
    support_exec(from, "UPDATE run SET machine = 'a third one'");
    assert_int_equal(record_import(to, record_write(from, run, "c.record"), &counts), 1);
    assert_int_equal(count(to, "record"), 2);
    assert_int_equal(count(to, "training"), 6);
    store_close(from);
    store_close(to);
}

/* With the record, and to a record that is there already. */
static void who_checked_it_comes_with_it(void **state)
{
    struct store *from = record_open("from.db"), *to = record_open("to.db"), *later = record_open("later.db");
    const char *path = record_write(from, record_train(from, three, 3, 1), "a.record");
    struct record_stamp stamp = { "ffeeddccbbaa9988", 40 };
    struct record_counts counts;
    struct record_head head;

    (void)state;
    assert_int_equal(record_import(to, path, &counts), 1);
    assert_int_equal(count(to, "record_check"), 0);
    assert_int_equal(record_file_head(path, &head), 0);
    assert_int_equal(record_file_stamp(path, head.digest, &stamp), 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(record_import(to, path, &counts), 0);
    assert_int_equal(count(to, "run"), 1);
    assert_int_equal(record_import(later, path, &counts), 1);
    for (struct store *s = to; s; s = s == to ? later : NULL) {
        assert_int_equal(count(s, "record_check"), 1);
        assert_int_equal(
            support_int(s, "SELECT trainer = 'ffeeddccbbaa9988' AND steps = 40 AND record_id = 1 FROM record_check"),
            1);
    }
    store_close(from);
    store_close(to);
    store_close(later);
}

/* Points that an earlier run computed, and their times, come with what is said of that run; it lists none of them
 * itself. */
static void who_computed_a_point_comes_with_it(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    struct record_counts counts;
    int64_t first = record_train(from, three, 3, 0);

    support_exec(
        from, "INSERT INTO run SELECT 9, 2, command, scenario, title, notes, baseline, figure, file, revision, build,"
              " machine,"
              " seed, npoints FROM run; INSERT INTO run_end VALUES (9, 3);"
              "INSERT INTO run_point SELECT 9, position, combination, variant, point_id FROM run_point");
    assert_int_equal(first, 1);
    assert_int_equal(record_import(to, record_write(from, 9, "a.record"), &counts), 1);
    assert_int_equal(count(to, "run"), 2);
    assert_int_equal(count(to, "run_record"), 2);
    assert_int_equal(count(to, "run_point"), 3);
    assert_int_equal(support_int(to, "SELECT count(*) FROM point WHERE run_id = 1"), 3);
    assert_int_equal(support_int(to, "SELECT run_id FROM chosen_run"), 2);
    store_close(from);
    store_close(to);
}

static int countdown;

static int die(void *unused)
{
    (void)unused;
    return --countdown ? 0 : (_exit(9), 0);
}

/* Killed after so many thousand operations of SQLite, or when all is done but for the commit. */
static void import_and_die(const char *db, const char *path, int after)
{
    struct record_counts counts;
    struct store *s;

    if (store_open(db, &s))
        _exit(1);
    countdown = after ? after : 1;
    if (after)
        sqlite3_progress_handler(store_handle(s), 100, die, NULL);
    else
        sqlite3_commit_hook(store_handle(s), die, NULL);
    _exit(record_import(s, path, &counts) == 1 ? 0 : 1);
}

static void a_killed_import_leaves_nothing(void **state)
{
    (void)state;
    struct store *from = record_open("from.db"), *to;
    const char *path = record_write(from, record_train(from, three, 3, 1), "a.record");
    char db[512];
    int killed = 0, died, after = 1;
    struct record_counts counts;

    snprintf(db, sizeof(db), "%s", support_path("to.db"));
    store_close(from);
    to = record_open("to.db");
    record_train(to, three, 1, 1);
    store_close(to);
    do {
        pid_t pid = fork();
        int how;
        assert_true(pid >= 0);
        if (!pid)
            import_and_die(db, path, after == 1 ? 0 : after);
        assert_int_equal(waitpid(pid, &how, 0), pid);
        died = WIFEXITED(how) && WEXITSTATUS(how) == 9;
        assert_true(died || WEXITSTATUS(how) == 0);
        to = record_open("to.db");
        assert_int_equal(count(to, "record"), !died);
        assert_int_equal(count(to, "training"), died ? 1 : 4);
        assert_int_equal(count(to, "run"), died ? 1 : 2);
        if (died && after % 3 == 0)
            assert_int_equal(support_int(to, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
        store_close(to);
        killed += died;
        after += 1 + after / 2;
    } while (died);
    assert_true(killed > 3);
    to = record_open("to.db");
    assert_int_equal(record_import(to, path, &counts), 0);
    store_close(to);
}

/* A process of its own that imports once 'go' is closed; it ends with what record_import() answers. */
static pid_t start_import(const char *db, const char *path, const int go[2])
{
    pid_t pid = fork();
    struct record_counts counts;
    struct store *s;
    char byte;

    assert_true(pid >= 0);
    if (pid)
        return pid;
    close(go[1]);
    if (read(go[0], &byte, 1) != 0 || store_open(db, &s))
        _exit(9);
    int rc = record_import(s, path, &counts);
    _exit(rc < 0 ? 8 : rc);
}

/* All find that it is not there and wait for the lock; the first that has it adds the record, the others see that it is
 * there now. */
static void several_imports_at_once_add_it_once(void **state)
{
    enum { CHILDREN = 3 };
    (void)state;
    struct store *from = record_open("from.db"), *to = record_open("to.db");
    const char *path = record_write(from, record_train(from, three, 3, 1), "a.record");
    pid_t children[CHILDREN];
    int added = 0, go[2];
    char db[512];

    snprintf(db, sizeof(db), "%s", support_path("to.db"));
    store_close(from);
    store_close(to); /* SQLite's handles do not survive a fork */
    assert_int_equal(pipe(go), 0);
    for (int i = 0; i < CHILDREN; i++)
        children[i] = start_import(db, path, go);
    to = record_open("to.db");
    support_exec(to, "BEGIN IMMEDIATE");
    close(go[1]);
    usleep(300000); /* so that they come to wait; what is asked holds if they do not */
    support_exec(to, "COMMIT");
    for (int i = 0; i < CHILDREN; i++) {
        int how;
        assert_int_equal(waitpid(children[i], &how, 0), children[i]);
        assert_true(WIFEXITED(how) && WEXITSTATUS(how) <= 1);
        added += WEXITSTATUS(how);
    }
    close(go[0]);
    assert_int_equal(added, 1);
    assert_int_equal(count(to, "record"), 1);
    assert_int_equal(count(to, "training"), 3);
    store_close(to);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_fact_arrives),
        TEST(every_column_is_listed),
        TEST(folders_stay_where_they_are),
        TEST(what_was_computed_here_stays_so),
        TEST(once_is_enough),
        TEST(who_checked_it_comes_with_it),
        TEST(who_computed_a_point_comes_with_it),
        TEST(a_killed_import_leaves_nothing),
        TEST(several_imports_at_once_add_it_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
