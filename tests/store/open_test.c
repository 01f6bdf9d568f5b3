/* Opening: a fresh file is migrated, anything that is not ours or not ready is refused with a reason. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/store/definitions.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

static struct store *open_new(void)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    return s;
}

/* SQLite works out the columns of every view before it lists tables, which takes long: it lists them without views. */
static int64_t loose_tables(struct store *s)
{
    int64_t n;

    support_exec(s, "BEGIN");
    assert_int_equal(definitions_each(store_handle(s),
                                      "SELECT 'DROP VIEW \"' || name || '\"' FROM sqlite_schema WHERE type = 'view'",
                                      NULL),
                     SQLITE_OK);
    n = support_int(s, "SELECT count(*) FROM pragma_table_list WHERE type = 'table' AND NOT strict"
                       " AND name NOT LIKE 'sqlite%'");
    support_exec(s, "ROLLBACK");
    return n;
}

static void a_fresh_file_is_migrated(void **state)
{
    (void)state;
    struct store *s = open_new();
    int64_t version = support_int(s, "PRAGMA user_version");

    assert_true(version > 0);
    assert_int_equal(support_int(s, "PRAGMA application_id"), 0x4e525753);
    assert_int_equal(support_int(s, "PRAGMA foreign_keys"), 1);
    assert_int_equal(support_int(s, "PRAGMA trusted_schema"), 0);
    assert_int_equal(support_int(s, "PRAGMA synchronous"), 1);
    assert_int_equal(support_int(s, "PRAGMA busy_timeout"), 10000);
    assert_int_equal(support_int(s, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
    assert_int_equal(loose_tables(s), 0);
    support_exec(s, "CREATE TABLE loose(n INTEGER)");
    assert_int_equal(loose_tables(s), 1);
    support_exec(s, "DROP TABLE loose");
    store_close(s);
    /* A second opening applies nothing twice. */
    s = open_new();
    assert_int_equal(support_int(s, "PRAGMA user_version"), version);
    assert_int_equal(support_int(s, "SELECT count(*) FROM comparison"), 0);
    store_close(s);
}

/* Every view answers on an empty database: none names a column that is not there. All of it is SQLite's work, which
 * sanitizers do not see. */
static void every_view_can_be_read(void **state)
{
    (void)state;
    if (sampled())
        skip();
    struct store *s = open_new();
    sqlite3_stmt *names;
    int n = 0;

    assert_int_equal(
        sqlite3_prepare_v2(store_handle(s), "SELECT name FROM sqlite_schema WHERE type = 'view'", -1, &names, NULL),
        SQLITE_OK);
    for (; sqlite3_step(names) == SQLITE_ROW; n++) {
        char sql[128];

        snprintf(sql, sizeof(sql), "SELECT * FROM \"%s\"", (const char *)sqlite3_column_text(names, 0));
        support_exec(s, sql);
    }
    sqlite3_finalize(names);
    assert_true(n > 10);
    store_close(s);
}

static void exec_plain(const char *path, const char *sql)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void make_newer(const char *path)
{
    struct store *s;

    assert_int_equal(store_open(path, &s), 0);
    store_close(s);
    exec_plain(path, "PRAGMA user_version = 4711");
}

static void make_foreign(const char *path)
{
    exec_plain(path, "CREATE TABLE recipes(name TEXT)");
}

static void make_marked(const char *path)
{
    exec_plain(path, "PRAGMA application_id = 7; PRAGMA user_version = 1");
}

static void make_garbage(const char *path)
{
    write_text(path, "This is no database, and it is long enough to hold a header of one hundred bytes, which a file "
                     "must have before SQLite looks at it at all.\n");
}

/* A mistyped path makes no folders: only that of the default is made. */
static void folders_are_not_made(void **state)
{
    struct store *s = NULL;
    char here[4096];

    (void)state;
    assert_int_equal(store_open(support_path("far/away/x.db"), &s), NW_EIO);
    assert_null(s);
    assert_int_not_equal(access(support_path("far"), F_OK), 0);
    assert_int_equal(store_open(support_path("near/x.db"), &s), NW_EIO);
    assert_null(s);
    assert_int_not_equal(access(support_path("near"), F_OK), 0);
    assert_non_null(getcwd(here, sizeof(here)));
    assert_int_equal(chdir(support_path("")), 0);
    assert_int_equal(store_open(STORE_DEFAULT, &s), 0);
    store_close(s);
    assert_int_equal(access(STORE_DEFAULT, F_OK), 0);
    assert_int_equal(chdir(here), 0);
}

static void make_directory(const char *path)
{
    assert_int_equal(mkdir(path, 0777), 0);
}

static void refused_files(void **state)
{
    static const struct {
        const char *what;
        void (*make)(const char *path);
        const char *said[2];
    } cases[] = {
        { "a newer schema", make_newer, { "4711", "versions up to" } },
        { "another program's tables", make_foreign, { "another program", "" } },
        { "another program's mark", make_marked, { "another program", "application_id 7" } },
        { "text", make_garbage, { "no database", "" } },
        { "a directory", make_directory, { "unable to open", "" } },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        for (int readonly = 0; readonly < 2; readonly++) {
            struct store *s = NULL;
            char name[32];
            const char *path, *said;
            char *before = NULL, *after = NULL;
            size_t nbefore = 0, nafter = 0;
            bool file = cases[i].make != make_directory;
            int rc;

            snprintf(name, sizeof(name), "case-%zu-%d", i, readonly);
            path = support_path(name);
            cases[i].make(path);
            if (file)
                before = support_read(path, &nbefore);
            support_listen();
            rc = readonly ? store_open_readonly(path, &s) : store_open(path, &s);
            said = support_heard();
            if (rc != NW_EDB || s || !strstr(said, cases[i].said[0]) || !strstr(said, cases[i].said[1]) ||
                !strstr(said, name))
                fail_msg("%s, readonly %d: answered %d and said: %s", cases[i].what, readonly, rc, said);
            if (file)
                after = support_read(path, &nafter);
            if (file && (nbefore != nafter || memcmp(before, after, nbefore) != 0))
                fail_msg("%s, readonly %d: was changed", cases[i].what, readonly);
            free(before);
            free(after);
        }
    }
}

static void a_missing_file_is_not_made_by_a_reader(void **state)
{
    (void)state;
    struct store *s = NULL;

    support_listen();
    assert_int_equal(store_open_readonly(support_path("none.db"), &s), NW_EDB);
    assert_non_null(strstr(support_heard(), "No such file"));
    assert_int_not_equal(access(support_path("none.db"), F_OK), 0);
    write_text(support_path("empty.db"), "");
    assert_int_equal(store_open_readonly(support_path("empty.db"), &s),
                     0); /* by one who may write it: it is brought up */
    assert_true(support_int(s, "PRAGMA user_version") > 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM comparison"), 0);
    store_close(s);
}

static void a_reader_cannot_write(void **state)
{
    (void)state;
    struct store *s = open_new();
    struct run_fact run = { .scenario = "x" };
    int64_t id;

    store_close(s);
    assert_int_equal(store_open_readonly(support_path("n.db"), &s), 0);
    support_listen();
    assert_int_equal(store_run(s, &run, &id), NW_EDB);
    assert_non_null(strstr(support_heard(), "readonly"));
    store_close(s);
    assert_int_not_equal(access(support_path("n.db-wal"), F_OK), 0);
}

/* The schema refuses what cannot be: each statement with what SQLite must say. */
static void impossible_values_are_refused(void **state)
{
    static const struct {
        const char *sql, *said;
    } cases[] = {
        { "INSERT INTO run_end VALUES (1, 'soon')", "cannot store TEXT" },
        { "INSERT INTO run_end VALUES (1, 0)", "CHECK" },
        { "INSERT INTO run_end VALUES (99, 1)", "FOREIGN KEY" },
        { "INSERT INTO point(key, run_id) VALUES ('short', 1)", "CHECK" },
        { "INSERT INTO point(key, run_id) VALUES ('0123456789abcdef0123456789abcdeG', 1)", "CHECK" },
        { "INSERT INTO point(key, run_id) VALUES ('0123456789abcdef0123456789abcdef', 1)", "UNIQUE" },
        { "INSERT INTO point(key, run_id) VALUES ('0123456789abcdef0123456789abcdee', 9)", "FOREIGN KEY" },
        { "INSERT INTO measure VALUES (1, 'x', NULL, 'ms')", "NOT NULL" },
        { "INSERT INTO measure VALUES (1, 'x', 9e999, 'ms')", "CHECK" },
        { "INSERT INTO measure VALUES (1, 'x', 'fast', 'ms')", "cannot store TEXT" },
        { "INSERT INTO measure VALUES (1, '', 1, 'ms')", "CHECK" },
        { "INSERT INTO run_point VALUES (1, -1, 0, '', 1)", "CHECK" },
        { "INSERT INTO cell VALUES (1, 7, 'p', 't', 'r', 'c', 'm')", "FOREIGN KEY" },
        { "INSERT INTO sample VALUES (1, 'k', 'i', '', 1, 1, 0, 0, 0, 0)", "CHECK" },
        { "INSERT INTO paper_value VALUES ('a2dtwp', 'II', 'Convolution', 'A2DTWP', 1, 'ms', 's')", "UNIQUE" },
        { "INSERT INTO paper_note VALUES ('a2dtwp', 'II', 'Convolution', 'none', 'text')", "FOREIGN KEY" },
    };

    (void)state;
    struct store *s = open_new();

    synthetic_run(s, "x", "", "");
    support_exec(s, "INSERT INTO point(key, run_id) VALUES ('0123456789abcdef0123456789abcdef', 1)");
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *said = support_refusal(s, cases[i].sql);

        if (!strstr(said, cases[i].said))
            fail_msg("%s: expected %s, SQLite said '%s'", cases[i].sql, cases[i].said, said);
    }
    store_close(s);
}

static void paper_values_are_there(void **state)
{
    static const struct {
        const char *table, *row, *column, *unit;
        double value;
        const char *paper;
    } cases[] = {
        { "II", "Data Transfer CPU→GPU", "32-bit FP", "ms", 153.93, "a2dtwp" },
        { "II", "ADT (Bitunpack)", "A2DTWP", "ms", 4.51, "a2dtwp" },
        { "III", "Data Transfer GPU→CPU", "A2DTWP", "ms", 17.87, "a2dtwp" },
        { "III", "AWP (l²-norm)", "A2DTWP", "ms", 0.93, "a2dtwp" },
        { "fig4", "alexnet-a2dtwp 64", "x86-k80", "%", 0.59, "a2dtwp" },
        { "fig4", "vgg-a 16", "power9-v100", "%", 28.21, "a2dtwp" },
        { "fig4", "resnet-34 128", "power9-v100", "%", 11.54, "a2dtwp" },
        { "fig4", "average", "power9-v100", "%", 11.91, "a2dtwp" },
        { "fig5", "resnet-34 128 epochs 16", "x86-k80", "share", 0.777, "a2dtwp" },
        { "text", "bytes per flop", "power9-v100", "B/kFLOP", 0.86, "a2dtwp" },
        { "text", "ADT share", "x86-k80", "%", 6.60, "a2dtwp" },
        { "1", "32-bit float", "10 Mbit/s", "x", 1, "3lc" },
        { "1", "MQE 1-bit int", "1 Gbit/s", "x", 1.30, "3lc" },
        { "1", "Stoch 3-value + QE", "Accuracy", "%", 92.06, "3lc" },
        { "1", "2 local steps", "100 Mbit/s", "x", 1.87, "3lc" },
        { "1", "2 local steps", "Difference", "points", -0.34, "3lc" },
        { "1", "3LC (s=1.90)", "100 Mbit/s", "x", 9.22, "3lc" },
        { "2", "1.75", "bits", "bit", 0.298, "3lc" },
        { "2", "No ZRE", "ratio", "x", 20, "3lc" },
        { "5", "90%", "time gain", "%", 13.95, "dct" },
        { "5", "75%", "test loss gain", "%", 0.023, "dct" },
        { "5", "95%", "train loss gain", "%", -0.07, "dct" },
        { "5", "baseline", "time gain", "%", 0, "dct" },
        { "fig7a", "L=1", "time gain", "%", -11, "dct" },
        { "text", "hybrid", "time gain", "%", 37.1, "dct" },
        { "utilisation", "CPU", "after", "share", 0.911, "dct" },
        { "fig11", "10 Gbit/s", "speedup", "x", 2.1, "splitcnn" },
        { "1", "VGG19", "SSCNN", "%", 94.58, "splitcnn" },
        { "text", "deep splits", "lost at most", "points", 2, "splitcnn" },
    };
    static const struct {
        const char *paper, *table;
        int n;
    } counts[] = { { "a2dtwp", "II", 13 },   { "a2dtwp", "III", 13 },     { "a2dtwp", "fig3", 4 },
                   { "a2dtwp", "fig4", 20 }, { "a2dtwp", "fig5", 13 },    { "a2dtwp", "text", 9 },
                   { "3lc", "1", 54 },       { "3lc", "fig9", 1 },        { "3lc", "2", 10 },
                   { "3lc", "text", 2 },     { "dct", "5", 12 },          { "dct", "fig7a", 3 },
                   { "dct", "text", 1 },     { "dct", "utilisation", 4 }, { "splitcnn", "fig11", 1 } };

    (void)state;
    struct store *s = open_new();

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const char *unit = "";
        double value = 0;

        if (store_paper_value(s, cases[i].paper, cases[i].table, cases[i].row, cases[i].column, &value, &unit) != 1 ||
            fabs(value - cases[i].value) > 1e-12 || strcmp(unit, cases[i].unit) != 0)
            fail_msg("(%s, %s, %s, %s) is %g %s", cases[i].paper, cases[i].table, cases[i].row, cases[i].column, value,
                     unit);
    }
    for (size_t i = 0; i < sizeof(counts) / sizeof(*counts); i++) {
        char sql[128];

        snprintf(sql, sizeof(sql), "SELECT count(*) FROM paper_value WHERE paper = '%s' AND table_id = '%s'",
                 counts[i].paper, counts[i].table);
        if (support_int(s, sql) != counts[i].n)
            fail_msg("%s's table %s has %lld values, not %d", counts[i].paper, counts[i].table,
                     (long long)support_int(s, sql), counts[i].n);
    }
    /* Every row has its place in its table, whether or not anything is said of it yet. */
    assert_int_equal(support_int(s,
                                 "SELECT count(*) FROM paper_value v WHERE paper <> 'a2dtwp' AND NOT EXISTS (SELECT 1"
                                 " FROM paper_row r WHERE r.paper = v.paper AND r.table_id = v.table_id"
                                 " AND r.row_key = v.row_key)"),
                     0);
    assert_int_equal(store_paper_value(s, "a2dtwp", "II", "AWP (l²-norm)", "32-bit FP", &(double){ 0 }, NULL), 0);
    /* The columns add up to what the paper's own percentages imply: 3.88 ms are its 1.05 %. */
    assert_near(support_real(s, "SELECT published FROM column_sum WHERE table_id = 'II' AND column_key ="
                                " 'A2DTWP'"),
                367.08, 1e-9);
    assert_int_equal(support_int(s,
                                 "SELECT count(*) FROM paper_value p WHERE table_id IN ('II', 'III') AND column_key ="
                                 " 'A2DTWP' AND NOT EXISTS (SELECT 1 FROM paper_note n WHERE n.table_id ="
                                 " p.table_id AND n.row_key = p.row_key AND n.column_key = p.column_key)"),
                     0);
    store_close(s);
}

/* Read it as somebody who may not write there: root may write anywhere. */
static void read_archive(const char *path)
{
    struct store *s = NULL;

    if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
        _exit(1);
    if (store_open_readonly(path, &s))
        _exit(2);
    _exit(support_int(s, "SELECT count(*) FROM run WHERE scenario = 'kept'") == 1 ? 0 : 3);
}

/* A path with the characters that mean something in a URI, in a directory that cannot be written. */
static void an_archive_is_readable(void **state)
{
    struct store *s = NULL;
    const char *dir = support_path("ar?chi%ve#");
    char path[600];
    int status;
    pid_t pid;

    (void)state;
    snprintf(path, sizeof(path), "%s/n.db", dir);
    assert_int_equal(mkdir(dir, 0777), 0);
    assert_int_equal(store_open(path, &s), 0);
    synthetic_run(s, "kept", "", "");
    store_close(s);
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(dir, 0555), 0);
    assert_int_equal(chmod(support_path("."), 0755), 0);
    pid = fork();
    assert_true(pid >= 0);
    if (pid == 0)
        read_archive(path);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_int_equal(chmod(dir, 0777), 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("the reader ended with status %d", status);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_fresh_file_is_migrated),
        TEST(every_view_can_be_read),
        TEST(refused_files),
        TEST(a_missing_file_is_not_made_by_a_reader),
        TEST(a_reader_cannot_write),
        TEST(impossible_values_are_refused),
        TEST(paper_values_are_there),
        TEST(folders_are_not_made),
        TEST(an_archive_is_readable),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
