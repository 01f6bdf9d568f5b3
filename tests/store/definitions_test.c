/* Definitions in a database: one of an older program keeps every fact and gets the views of this one, whoever opens it
 * and whatever is killed meanwhile; definitions of one's own come whole or not at all, and go when the program opens
 * the database again. */
#include <setjmp.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/store/definitions.h"
#include "harness/store/schema.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { OLD = 31, MOST_TABLES = 80 };

/* What programs up to version 31 held as facts and is a definition now. */
#define OLD_DEFINITIONS                                                                                      \
    "('paper_value', 'paper_row', 'paper_system', 'paper_note', 'paper_chosen', 'dct_student', 'dct_claim'," \
    " 'dct_claim_part', 'a2dtwp_training')"

static sqlite3 *open_plain(const char *path)
{
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    sqlite3_busy_timeout(db, 10000);
    return db;
}

static void exec_plain(const char *path, const char *sql)
{
    sqlite3 *db = open_plain(path);
    char *said = NULL;

    if (sqlite3_exec(db, sql, NULL, NULL, &said) != SQLITE_OK)
        fail_msg("%s: %s", path, said);
    sqlite3_close(db);
}

static void make_old(const char *path)
{
    const char *home = getenv("NARROWS_HOME");
    char file[512];

    snprintf(file, sizeof(file), "%s/tests/store/data/version-31.sql", home && *home ? home : ".");
    char *sql = support_read(file, NULL);
    exec_plain(path, "PRAGMA synchronous = OFF; PRAGMA journal_mode = WAL");
    exec_plain(path, sql);
    free(sql);
}

/* Rows of a query as one text, for the caller to free. */
static char *rows_of(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *st;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    while (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(st); i++)
            fprintf(out, "%d %s%c", sqlite3_column_type(st, i), (const char *)sqlite3_column_text(st, i),
                    i + 1 < sqlite3_column_count(st) ? '|' : '\n');
    sqlite3_finalize(st);
    fclose(out);
    return text;
}

struct facts {
    int n;
    char *name[MOST_TABLES], *rows[MOST_TABLES];
};

static struct facts facts_of(const char *path)
{
    sqlite3 *db = open_plain(path);
    sqlite3_stmt *st;
    struct facts f = { 0 };

    assert_int_equal(
        sqlite3_prepare_v2(db, "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN " OLD_DEFINITIONS,
                           -1, &st, NULL),
        SQLITE_OK);
    for (; sqlite3_step(st) == SQLITE_ROW; f.n++) {
        char sql[128];

        assert_true(f.n < MOST_TABLES);
        f.name[f.n] = strdup((const char *)sqlite3_column_text(st, 0));
        snprintf(sql, sizeof(sql), "SELECT * FROM %s", f.name[f.n]);
        f.rows[f.n] = rows_of(db, sql);
    }
    sqlite3_finalize(st);
    sqlite3_close(db);
    return f;
}

static void free_facts(struct facts *f)
{
    for (int i = 0; i < f->n; i++) {
        free(f->name[i]);
        free(f->rows[i]);
    }
}

/* Every table that was there has the same rows still. */
static void expect_facts(const struct facts *f, const char *path, const char *why)
{
    sqlite3 *db = open_plain(path);

    for (int i = 0; i < f->n; i++) {
        char sql[128];

        snprintf(sql, sizeof(sql), "SELECT * FROM %s", f->name[i]);
        char *now = rows_of(db, sql);
        if (strcmp(now, f->rows[i]) != 0)
            fail_msg("%s: table %s held\n%s\nand holds\n%s", why, f->name[i], f->rows[i], now);
        free(now);
    }
    sqlite3_close(db);
}

static void expect_same(const char *path, const char *other, const char *sql)
{
    sqlite3 *db = open_plain(path), *of = open_plain(other);
    char *got = rows_of(db, sql), *want = rows_of(of, sql);

    if (strcmp(got, want) != 0)
        fail_msg("%s: %s:\n%.2000s\ninstead of\n%.2000s", path, sql, got, want);
    free(got);
    free(want);
    sqlite3_close(db);
    sqlite3_close(of);
}

/* Its definitions and the shape of its facts are those of a database that this program just made. */
static void expect_current(const char *path)
{
    const char *fresh = support_path("fresh.db");
    struct store *s = NULL;

    if (access(fresh, F_OK) != 0) {
        assert_int_equal(store_open(fresh, &s), 0);
        store_close(s);
    }
    expect_same(path, fresh, "SELECT * FROM pragma_user_version");
    expect_same(path, fresh, "SELECT name, sql FROM sqlite_schema WHERE type = 'view' ORDER BY name");
    expect_same(path, fresh, "SELECT name, digest FROM definition ORDER BY name");
    expect_same(path, fresh, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name");
    expect_same(
        path, fresh,
        "SELECT t.name, c.cid, c.name, c.type, c.\"notnull\", c.pk FROM sqlite_schema t, pragma_table_info(t.name) c"
        " WHERE t.type = 'table' ORDER BY t.name, c.cid");
    expect_same(path, fresh, "SELECT * FROM paper_value ORDER BY 1, 2, 3, 4");
    expect_same(path, fresh, "SELECT * FROM report_part ORDER BY 1, 4");
}

static void an_old_database_keeps_its_facts(void **state)
{
    const char *path = support_path("old.db");
    struct store *s = NULL;

    (void)state;
    make_old(path);
    struct facts f = facts_of(path);
    assert_int_equal(f.n, 27);
    for (int i = 0; i < f.n; i++)
        if (!*f.rows[i])
            fail_msg("table %s has no row to keep", f.name[i]);
    assert_int_equal(store_open(path, &s), 0);
    assert_true(support_int(s, "PRAGMA user_version") > OLD);
    assert_int_equal(support_int(s, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    /* The new views read the old facts. */
    assert_near(
        support_real(s, "SELECT speedup FROM gain WHERE scenario = 'splitcnn-section-6-4' AND variant = 'Split-CNN'"),
        2.0978, 1e-4);
    assert_near(support_real(s, "SELECT ours FROM comparison WHERE paper = 'splitcnn' AND table_id = 'fig11'"), 2.0978,
                1e-4);
    /* What was no fact is no more than this program defines. */
    assert_int_equal(support_int(s, "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name = 'splitcnn_run'"
                                    " AND instr(sql, 'chosen_run')"),
                     1);
    assert_int_equal(
        support_int(s, "SELECT count(*) FROM sqlite_schema t WHERE type = 'table' AND name IN " OLD_DEFINITIONS
                       " AND NOT EXISTS (SELECT 1 FROM definition d WHERE d.name = t.name)"),
        0);
    store_close(s);
    expect_facts(&f, path, "opened");
    expect_current(path);
    free_facts(&f);
}

/* A file as a program of each version since left it: its facts, no definitions. */
static void every_version_is_brought_up(void **state)
{
    (void)state;
    for (const struct migration *last = migrations; last->file; last++) {
        char name[32], sql[320];
        struct store *s = NULL;

        snprintf(name, sizeof(name), "v%d.db", last->version);
        const char *path = support_path(name);
        exec_plain(path, "PRAGMA synchronous = OFF");
        for (const struct migration *m = migrations; m <= last; m++)
            exec_plain(path, m->sql);
        snprintf(sql, sizeof(sql),
                 "PRAGMA application_id = %d; PRAGMA user_version = %d; INSERT INTO run(started_ns, command, scenario,"
                 " title, notes, baseline, figure, file, revision, build, machine, seed, npoints)"
                 " VALUES (1, '', 'kept', '', '', '', '', '', '', '', '', 0, 0)",
                 NARROWS_APPLICATION_ID, last->version);
        exec_plain(path, sql);
        assert_int_equal(store_open(path, &s), 0);
        assert_int_equal(support_int(s, "PRAGMA user_version"), schema_version);
        assert_int_equal(support_int(s, "SELECT count(*) FROM run WHERE scenario = 'kept'"), 1);
        store_close(s);
    }
}

static void make_stale(const char *path)
{
    struct store *s = NULL;

    assert_int_equal(store_open(path, &s), 0);
    synthetic_run(s, "kept", "", "");
    store_close(s);
    exec_plain(path, "UPDATE definition SET digest = 'of another program' WHERE name = '';"
                     "DROP VIEW gain; CREATE VIEW gain AS SELECT 1 AS stale; CREATE VIEW left_over AS SELECT 1 AS one;"
                     "DELETE FROM report_part; UPDATE paper_value SET published = 4711;"
                     "CREATE TABLE defined(x); INSERT INTO definition VALUES ('defined', 99, '')");
}

static void another_digest_makes_definitions_anew(void **state)
{
    const char *path = support_path("n.db");
    struct store *s = NULL;

    (void)state;
    make_stale(path);
    struct facts f = facts_of(path);
    assert_int_equal(store_open(path, &s), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run WHERE scenario = 'kept'"), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM sqlite_schema WHERE name IN ('left_over', 'defined')"), 0);
    int64_t cookie = support_int(s, "PRAGMA schema_version");
    store_close(s);
    expect_current(path);
    /* With the program's own nothing is made again. */
    assert_int_equal(store_open(path, &s), 0);
    assert_int_equal(support_int(s, "PRAGMA schema_version"), cookie);
    store_close(s);
    free_facts(&f);
}

static void make_empty(const char *path)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fclose(f);
}

/* Run 'what' in a process of its own that may write nothing: root may write anywhere. Its exit status. */
static int as_reader(void (*what)(const char *path), const char *path)
{
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        if (geteuid() == 0 && (setgid(65534) || setuid(65534)))
            _exit(100);
        what(path);
        _exit(101);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 102;
}

static void read_it(const char *path)
{
    struct store *s = NULL;
    int rc = store_open_readonly(path, &s);

    _exit(rc == NW_EDB ? 1 : rc ? 2 : 0);
}

static void a_reader_of_other_definitions_is_refused(void **state)
{
    static const struct {
        const char *name;
        void (*make)(const char *path);
        int status;
        const char *said;
    } cases[] = { { "dir-stale", make_stale, 1,
                    "with this program's views: a command that may write to it brings it up" },
                  { "dir-old", make_old, 1, "has schema version 31 and needs" },
                  { "dir-empty", make_empty, 1, "has schema version 0 and needs" },
                  { "dir-current", NULL, 0, "" } };

    (void)state;
    assert_int_equal(chmod(support_path("."), 0755), 0);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const char *dir = support_path(cases[i].name);
        char path[600];
        size_t nbefore, nafter;

        assert_int_equal(mkdir(dir, 0777), 0);
        snprintf(path, sizeof(path), "%s/n.db", dir);
        if (cases[i].make)
            cases[i].make(path);
        struct store *s = NULL;
        if (!cases[i].make)
            assert_int_equal(store_open(path, &s), 0);
        store_close(s);
        assert_int_equal(chmod(path, 0444), 0);
        assert_int_equal(chmod(dir, 0555), 0);
        char *before = support_read(path, &nbefore);
        support_listen();
        int status = as_reader(read_it, path);
        const char *said = support_heard();
        if (status != cases[i].status || (*cases[i].said ? !strstr(said, cases[i].said) || !strstr(said, path) : *said))
            fail_msg("%s: ended with %d and said: %s", cases[i].name, status, said);
        char *after = support_read(path, &nafter);
        assert_int_equal(nafter, nbefore);
        assert_memory_equal(after, before, nbefore);
        assert_int_equal(chmod(dir, 0777), 0);
        free(before);
        free(after);
    }
}

static void processes_open_an_old_one_at_once(void **state)
{
    enum { PROCESSES = 4 };
    const char *path = support_path("old.db");
    int go[2], status;
    char byte;

    (void)state;
    make_old(path);
    struct facts f = facts_of(path);
    assert_int_equal(pipe(go), 0);
    for (int i = 0; i < PROCESSES; i++) {
        pid_t pid = fork();

        assert_true(pid >= 0);
        if (pid == 0) {
            struct store *s = NULL;

            close(go[1]);
            if (read(go[0], &byte, 1) < 0 || (i % 2 ? store_open(path, &s) : store_open_readonly(path, &s)) ||
                support_int(s, "SELECT count(*) FROM comparison WHERE paper = 'splitcnn'") != 1)
                _exit(1);
            store_close(s);
            _exit(0);
        }
    }
    close(go[0]);
    close(go[1]); /* all of them begin */
    for (int i = 0; i < PROCESSES; i++) {
        assert_true(wait(&status) > 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
    expect_facts(&f, path, "opened by several");
    expect_current(path);
    free_facts(&f);
}

/* --- killed in between --- */

static int statements_left;

static int count_down(unsigned what, void *context, void *statement, void *sql)
{
    (void)what;
    (void)context;
    (void)statement;
    (void)sql;
    if (--statements_left == 0)
        kill(getpid(), SIGKILL);
    return 0;
}

static int watch(sqlite3 *db, const char **said, const void *thunk)
{
    (void)said;
    (void)thunk;
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, count_down, NULL);
}

/* Open it and die before the n-th statement. Was it killed? */
static bool killed_after(const char *path, int n)
{
    int status;
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0) {
        struct store *s = NULL;

        statements_left = n;
        if (sqlite3_auto_extension((void (*)(void))watch) != SQLITE_OK)
            _exit(1);
        _exit(store_open(path, &s) ? 2 : 0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (WIFEXITED(status))
        assert_int_equal(WEXITSTATUS(status), 0);
    return WIFSIGNALED(status);
}

static void a_killed_one_is_opened_again(void **state)
{
    const char *path = support_path("old.db");
    int kills = 0;

    (void)state;
    make_old(path);
    struct facts f = facts_of(path);
    for (int n = 1; killed_after(path, n); n += SANITIZED ? n / 2 + 20 : n / 4 + 1, kills++) {
        struct store *s = NULL;

        expect_facts(&f, path, "killed");
        /* All of it or nothing: the old views are there until the new ones are. */
        sqlite3 *db = open_plain(path);
        char *version = rows_of(db, "SELECT * FROM pragma_user_version"),
             *views = rows_of(
                 db, "SELECT count(*) FROM sqlite_schema WHERE type = 'view' AND name IN ('speaking', 'derived')"
                     " AND NOT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'report_part')");
        sqlite3_close(db);
        if (strcmp(version, "1 31\n") != 0 || strcmp(views, "1 2\n") != 0)
            fail_msg("killed before statement %d: version %s, old views %s", n, version, views);
        free(version);
        free(views);
        if (kills % 8 == 7) { /* what a kill left is opened, too, and then a fresh one is killed later */
            assert_int_equal(store_open(path, &s), 0);
            store_close(s);
            expect_current(path);
            assert_int_equal(remove(path), 0);
            make_old(path);
        }
    }
    assert_true(kills > (SANITIZED ? 5 : 15));
    expect_facts(&f, path, "opened in the end");
    expect_current(path);
    free_facts(&f);
}

/* --- definitions of one's own --- */

#define SIXTH \
    "INSERT INTO paper(paper, place, label, title, authors, summary) VALUES ('sixth', 6, 'Sixth', 't', 'a', 's');"

static void definitions_come_whole_and_go(void **state)
{
    static const char *const faulty[] = {
        SIXTH
        "CREATE TABLE half(x); INSERT INTO half VALUES (1); CREATE VIEW half_claim_part AS SELECT 1 AS paper; SELEC",
        SIXTH SIXTH,
        SIXTH "INSERT INTO paper_note VALUES ('sixth', '1', 'a', 'b', 'of no cell')",
        "INSERT INTO paper(paper, place, label, title, authors, summary) VALUES ('The sixth', 6, 'Sixth', 't', 'a',"
        " 's')",
        /* the view of all claims' parts cannot be made of this one */
        SIXTH "CREATE VIEW half_claim_part AS SELECT 'sixth' AS paper",
    };
    char path[512];
    struct store *s = NULL;
    static const char everything[] = "SELECT name, sql FROM sqlite_schema ORDER BY name";

    (void)state;
    snprintf(path, sizeof(path), "%s", support_path("n.db")); /* many paths are asked for below */
    assert_int_equal(store_open(path, &s), 0);
    synthetic_run(s, "kept", "", "");
    char *before = rows_of(store_handle(s), everything);
    for (size_t i = 0; i < sizeof(faulty) / sizeof(faulty[0]); i++) {
        support_listen();
        int rc = store_define(s, "mine/paper.sql", faulty[i]);
        const char *said = support_heard();
        char *after = rows_of(store_handle(s), everything);

        if (rc != NW_EDB || !strstr(said, "n.db"))
            fail_msg("faulty %zu: answered %d and said: %s", i, rc, said);
        if (strcmp(after, before) != 0)
            fail_msg("faulty %zu left\n%s", i, after);
        assert_int_equal(support_int(s, "SELECT count(*) FROM paper WHERE paper LIKE '%sixth'"), 0);
        assert_int_equal(support_int(s, "SELECT length(digest) FROM definition WHERE name = ''"), 64);
        free(after);
    }
    int64_t claims = support_int(s, "SELECT count(*) FROM claim");
    assert_int_equal(
        store_define(
            s, "mine/paper.sql",
            SIXTH
            "CREATE TABLE mine(x); INSERT INTO paper_claim(paper, place, says, section, form, sense, effect, margin,"
            " unit, digits, parts, why, untestable, size) VALUES ('sixth', 1, 's', 'x', 'count', 0, NULL, 0, '',"
            " '%.0f', 1, 'c', '', '');"
            "CREATE VIEW mine_claim_part AS SELECT 'sixth' AS paper, 1 AS place, '' AS size, 1 AS part, '' AS label,"
            " NULL AS estimate, NULL AS error, 3 AS n, NULL AS effect, 1 AS holds, 'o' AS shown, NULL AS censored"),
        0);
    assert_int_equal(support_int(s, "SELECT hold FROM scoreboard WHERE paper = 'sixth'"), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM claim"), claims + 1);
    store_close(s);
    assert_int_equal(store_open(path, &s), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run WHERE scenario = 'kept'"), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM paper WHERE paper = 'sixth'"), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'mine%'"), 0);
    store_close(s);
    expect_current(path);
    free(before);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(an_old_database_keeps_its_facts),       TEST(every_version_is_brought_up),
        TEST(another_digest_makes_definitions_anew), TEST(a_reader_of_other_definitions_is_refused),
        TEST(processes_open_an_old_one_at_once),     TEST(a_killed_one_is_opened_again),
        TEST(definitions_come_whole_and_go),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
