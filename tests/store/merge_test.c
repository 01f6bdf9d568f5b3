/* Databases in one: every table of facts arrives, once, in whatever order the files come; two results of one point are
 * refused; runs stay in the order of their beginnings. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/status.h"
#include "harness/store/merge/fact_tables.h"
#include "harness/store/merge/merge.h"
#include "tests/sanitized.h"
#include "tests/store/support.h"
#include "tests/test.h"

static struct store *open_file(const char *name)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path(name), &s), 0);
    return s;
}

/* A row in every table, of a run and a point of their own where 'own' is not 0. */
static const char *const everything[] = {
    "INSERT INTO run VALUES (%1$d, %3$d, 'narrows run', 'sweep', '', '', '', '', 'f.yaml', 'c', 'gcc', 'm', 0, 2)",
    "INSERT INTO run_end VALUES (%1$d, 4)",
    "INSERT INTO record VALUES (%1$d, printf('%%032x', %3$d), 'a.record', 9, 't', 's', 5)",
    "INSERT INTO record_check VALUES (%1$d, 'u', 40, 6)",
    "INSERT INTO run_record VALUES (%1$d, %1$d)",
    "INSERT INTO point VALUES (%2$d, printf('%%032x', %3$d), %1$d)",
    "INSERT INTO measure VALUES (%2$d, 'step_ms', 2.5, 'ms'), (%2$d, 'bytes', 3, 'B')",
    "INSERT INTO run_point VALUES (%1$d, 7, 3, 'v', %2$d)",
    "INSERT INTO point_param VALUES (%1$d, 7, 'a.b', '1', NULL, '')",
    "INSERT INTO cell VALUES (%1$d, 7, 'p', 't', 'r', 'c', 'm')",
    "INSERT INTO calibration VALUES (%1$d, 'p', 'a', 1, '', 's', 'p', 't', 'r', 'c', 'm', 1, 2, '')",
    "INSERT INTO assumption VALUES (%1$d, 'p', 't', 'r', 'c', 'w')",
    "INSERT INTO fit VALUES (printf('%%032x', %3$d), 0, 1.5, 2.5)",
    "INSERT INTO refit VALUES (%1$d, 0, 'p', 'p', 't', 'r', 'c')",
    "INSERT INTO refit_constant VALUES (%1$d, 0, 'a', 1)",
    "INSERT INTO refit_cell VALUES (%1$d, 0, 7, 'p', 't', 'r', 'c', 1)",
    "INSERT INTO sample VALUES (%1$d, 'k', 'i', '', 1, 1, 0, 5, 0, 0)",
    "INSERT INTO bench_work VALUES (%1$d, 'k', 'i', '', 1, 0, 'g', '', 1, '', '', 0, 0)",
    "INSERT INTO sim_case VALUES (%1$d, 'ring', 4, 'narrows', 0, 'ranks', 'flow', 1, 0, 0, 0)",
    "INSERT INTO sim_sample VALUES (%1$d, 'ring', 4, 'narrows', 0, 5, 0, 0)",
    "INSERT INTO train_case VALUES (%1$d, 'n', 1, 'narrows', '', 0, 1, 1, 1)",
    "INSERT INTO train_sample VALUES (%1$d, 'n', 1, 'narrows', 0, 5)",
    "INSERT INTO timeline VALUES (%2$d, 0, NULL, 0)",
    "INSERT INTO task VALUES (%2$d, 0, 12, 'push', 'gpu 0', 0, 1, 2, NULL)",
    "INSERT INTO plan_step VALUES (%2$d, 0, 'conv', '', 0, 1, 2, 3, 4, 5)",
    "INSERT INTO training VALUES (%2$d, 'n', 'd', 0, 1, 2, 3, 1, '')",
    "INSERT INTO trace_tensor VALUES (%2$d, 0, 'w', 5, 1)",
    "INSERT INTO trace_step(point_id, step, epoch, samples, loss, learning_rate, precision, pushed_bytes, pulled_bytes)"
    " VALUES (%2$d, 0, 0, 6, 0.25, 0.1, 'fp32', 1, 2)",
    "INSERT INTO trace_exchange VALUES (%2$d, 0, 0, 1, 2, NULL, NULL)",
    "INSERT INTO trace_bits VALUES (%2$d, 0, 0, 8)",
    "INSERT INTO trace_evaluation VALUES (%2$d, 0, 1, 0.5, NULL, NULL, NULL)",
    "INSERT INTO trace_threshold VALUES (%2$d, 0, 'l', 0.5, 0.1)",
    "INSERT INTO trace_timing VALUES (%1$d, %1$d, %2$d, 'x', 's', printf('%%032x', %3$d))",
    "INSERT INTO trace_timing_step VALUES (%1$d, 1, 0.5)",
    "INSERT INTO training_rank_time VALUES (%2$d, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8)",
    "INSERT INTO execution VALUES (%1$d, %1$d, 7, %2$d, 's', 9)",
    "INSERT INTO execution_end VALUES (%1$d, 10, 'done', NULL, '')",
    "INSERT INTO executed_point VALUES (%1$d, 2, 'model', 'own', 'l', '', '', 5, 0, NULL, 0.5, 0.5)",
    "INSERT INTO executed_step VALUES (%1$d, 0, 6)",
    "INSERT INTO executed_rank VALUES (%1$d, 0, 1, 'worker', 'h', 5, 6, 7, 8)",
    "INSERT INTO network_rank VALUES (%1$d, 0, 'h', -1, 0, 0, 0)",
    "INSERT INTO network_setting VALUES (%1$d, 'library', 'l')",
    "INSERT INTO network_sample VALUES (%1$d, 'barrier', 2, 0, 0, 0, 0, 0, 5, 0)",
    "INSERT INTO validation_run VALUES (%1$d, 'shaped')",
    "INSERT INTO measured_validation VALUES (%1$d, 'source', 'form', 0.05)",
    "INSERT INTO measured_set VALUES (%1$d, 0, 'all', 3, NULL, NULL)",
    "INSERT INTO measured_peer VALUES (%1$d, 'all', 'peer', 3, NULL, NULL, 'paper')",
    "INSERT INTO measured_row VALUES (%1$d, 0, 'a', 'all', 'predicted', 2, NULL, 'ms', 2.1, NULL, NULL, '')",
    "INSERT INTO measured_fit VALUES (%1$d, 0, 'link.eth', '', 0.9, 1, 1, 0)",
    "INSERT INTO measured_without VALUES (%1$d, 0, 'link.eth', '', 'b', 'all', 4)",
    "INSERT INTO tuned_block VALUES (printf('%%032x', %3$d), 0, 9, 1, 2, 3)",
    "INSERT INTO tuned_layout VALUES (printf('%%032x', %3$d), 0, 0, 7, 2.5e9)",
};

/* Run 'id' that began at 'moment', with point 'id' + 10 and the key of that moment, which tells it from others. */
static void fill(struct store *s, int id, int moment)
{
    char sql[512];

    for (size_t i = 0; i < COUNT(everything); i++) {
        /* Texts of this file; numbered arguments, of which a statement may take any. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-extra-args"
        snprintf(sql, sizeof(sql), everything[i], id, id + 10, moment);
#pragma GCC diagnostic pop
        support_exec(s, sql);
    }
}

/* A run that lists the point of 'key' (a number) with this step_ms, and computed it. */
static void add_point(struct store *s, int moment, int key, double step_ms)
{
    char text[33], command[32];
    struct measure_fact measures[] = { { "step_ms", step_ms, "ms" }, { "bytes", 3, "B" } };
    struct point_fact p = { .key = text, .variant = "v", .measures = measures, .nmeasures = 2 };
    struct run_fact run = { .command = command, .scenario = "sweep", .machine = "m", .npoints = 1 };
    int64_t id;
    char sql[96];

    snprintf(text, sizeof(text), "%032x", (unsigned)key);
    snprintf(command, sizeof(command), "run at %d", moment);
    assert_int_equal(store_run(s, &run, &id), 0);
    snprintf(sql, sizeof(sql), "UPDATE run SET started_ns = %d WHERE id = %lld", moment, (long long)id);
    support_exec(s, sql);
    assert_int_equal(store_point(s, id, &p), 0);
}

static void make(const char *name, int moment, int key, double step_ms)
{
    struct store *s = open_file(name);

    add_point(s, moment, key, step_ms);
    store_close(s);
}

/* Everything that a database says, whatever its numbers are: one text, for the caller to free. */
static char *dump(struct store *s)
{
    static const char *const names[FACT_NUMBERS] = {
        [FACT_RUN] = "(SELECT started_ns || command FROM run WHERE id = run_id)",
        [FACT_POINT] = "(SELECT key FROM point WHERE id = point_id)",
        [FACT_TIMING] = "(SELECT key FROM trace_timing WHERE id = timing_id)",
        [FACT_RECORD] = "(SELECT digest FROM record WHERE id = record_id)",
        [FACT_EXECUTION] = "(SELECT begun_ns FROM execution WHERE id = execution_id)",
    };
    char *all = strdup(""), sql[4096], name[64];
    sqlite3_stmt *columns, *rows;

    for (const struct fact_table *f = fact_tables; f->name; f++) {
        snprintf(sql, sizeof(sql), "SELECT ");
        snprintf(name, sizeof(name), "PRAGMA table_info(%s)", f->name);
        assert_int_equal(sqlite3_prepare_v2(store_handle(s), name, -1, &columns, NULL), SQLITE_OK);
        for (int i = 0; sqlite3_step(columns) == SQLITE_ROW; i++) {
            const char *column = (const char *)sqlite3_column_text(columns, 1);
            const char *known = names[fact_reference(column)];

            if (f->number && !i)
                continue;
            snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql), "quote(%s) || ' ' || ", known ? known : column);
        }
        sqlite3_finalize(columns);
        snprintf(sql + strlen(sql), sizeof(sql) - strlen(sql), "'' AS line FROM %s ORDER BY line", f->name);
        if (sqlite3_prepare_v2(store_handle(s), sql, -1, &rows, NULL) != SQLITE_OK)
            fail_msg("%s: %s", sql, sqlite3_errmsg(store_handle(s)));
        while (sqlite3_step(rows) == SQLITE_ROW) {
            char *more;

            assert_true(asprintf(&more, "%s%s: %s\n", all, f->name, sqlite3_column_text(rows, 0)) > 0);
            free(all);
            all = more;
        }
        sqlite3_finalize(rows);
    }
    return all;
}

static void same_dump(struct store *s, const char *want, const char *what)
{
    char *got = dump(s);

    if (strcmp(got, want) != 0)
        fail_msg("%s:\n%s\ninstead of\n%s", what, got, want);
    free(got);
}

static void every_table_is_listed(void **state)
{
    struct store *s = open_file("n.db");
    char sql[256];
    int listed = 0;

    (void)state;
    for (const struct fact_table *f = fact_tables; f->name; f++, listed++) {
        snprintf(sql, sizeof(sql), "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = '%s'", f->name);
        if (support_int(s, sql) != 1)
            fail_msg("the list has '%s', the schema has not", f->name);
        snprintf(sql, sizeof(sql), "SELECT count(*) FROM pragma_foreign_key_list('%s') WHERE \"table\" = '%s'", f->name,
                 f->name);
        assert_int_equal(support_int(s, sql), 0);
    }
    /* 'program' and 'definition' are no facts, nor are the tables that definitions make. */
    if (support_int(s, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
                       " AND name NOT IN ('program', 'definition') AND name NOT IN (SELECT name FROM definition)") !=
        listed)
        fail_msg("a table of facts is not in harness/store/merge/fact_tables.c");
    assert_int_equal(COUNT(everything), listed);
    store_close(s);
}

/* A column refers to a numbered table exactly if its name says so. */
static void references_are_known_by_name(void **state)
{
    static const char *const tables[FACT_NUMBERS] = { "", "run", "point", "trace_timing", "record", "execution" };
    struct store *s = open_file("n.db");
    sqlite3_stmt *st;
    int found = 0;

    (void)state;
    assert_int_equal(sqlite3_prepare_v2(store_handle(s),
                                        "SELECT t.name, f.\"from\", f.\"table\" FROM sqlite_schema t,"
                                        " pragma_foreign_key_list(t.name) f WHERE t.type = 'table' AND t.name NOT IN"
                                        " (SELECT name FROM definition)"
                                        " AND f.\"table\" IN ('run', 'point', 'trace_timing', 'record', 'execution')",
                                        -1, &st, NULL),
                     SQLITE_OK);
    for (; sqlite3_step(st) == SQLITE_ROW; found++)
        assert_string_equal(tables[fact_reference((const char *)sqlite3_column_text(st, 1))],
                            (const char *)sqlite3_column_text(st, 2));
    assert_true(found > 15);
    sqlite3_finalize(st);
    store_close(s);
}

static void every_table_arrives_once(void **state)
{
    const char *from[] = { support_path("a.db") };
    struct merge_counts counts;
    struct store *s = open_file("a.db"), *into;

    (void)state;
    fill(s, 1, 100);
    fill(s, 5, 200);
    char *want = dump(s);
    store_close(s);
    into = open_file("n.db");
    assert_int_equal(store_merge(into, from, 1, &counts), 0);
    same_dump(into, want, "merged");
    assert_int_equal(counts.runs, 2);
    assert_int_equal(counts.points, 2);
    int changes = sqlite3_total_changes(store_handle(into));
    assert_int_equal(store_merge(into, from, 1, &counts), 0);
    assert_int_equal(sqlite3_total_changes(store_handle(into)), changes);
    assert_int_equal(counts.runs + counts.points, 0);
    assert_int_equal(counts.present, 2);
    same_dump(into, want, "merged twice");
    assert_int_equal(support_int(into, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    store_close(into);
    free(want);
}

/* Three files that share points, and runs that began in another order than the files are given: the same facts, and the
 * same order of runs. */
static void the_order_of_files_does_not_matter(void **state)
{
    static const char *const orders[][3] = { { "a.db", "b.db", "c.db" },
                                             { "c.db", "b.db", "a.db" },
                                             { "b.db", "a.db", "c.db" } };
    char *first = NULL;

    (void)state;
    make("a.db", 300, 1, 1);
    make("a.db", 100, 2, 2);
    make("b.db", 200, 1, 1);
    make("b.db", 400, 3, 3);
    make("c.db", 150, 3, 3);
    for (size_t i = 0; i < 2 * COUNT(orders); i++) {
        char name[8];
        const char *paths[3];
        struct merge_counts counts[3];

        snprintf(name, sizeof(name), "%zu.db", i);
        struct store *s = open_file(name);
        for (int k = 0; k < 3; k++)
            paths[k] = support_path(orders[i % COUNT(orders)][k]);
        for (int k = 0; k < 3 && i >= COUNT(orders); k++) /* one after another */
            assert_int_equal(store_merge(s, &paths[k], 1, counts), 0);
        if (i < COUNT(orders))
            assert_int_equal(store_merge(s, paths, 3, counts), 0);
        assert_int_equal(support_int(s, "SELECT count(*) FROM point"), 3);
        assert_int_equal(support_int(s, "SELECT count(*) FROM run"), 5);
        assert_int_equal(support_int(s, "SELECT count(*) FROM run a JOIN run b ON a.id < b.id"
                                        " AND a.started_ns > b.started_ns"),
                         0);
        assert_int_equal(support_int(s, "SELECT r.started_ns FROM point p JOIN run r ON r.id = p.run_id"
                                        " WHERE key LIKE '%3'"),
                         150);
        assert_int_equal(support_int(s, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
        first = first ? first : dump(s);
        same_dump(s, first, name);
        store_close(s);
    }
    free(first);
}

/* What the other database says differently, and what the message must have. INTO has what fill() stores. */
static void differences_are_refused(void **state)
{
    static const struct {
        const char *sql, *said[3];
    } cases[] = {
        { "UPDATE measure SET value = 2.5000000000000004 WHERE name = 'step_ms'",
          { "point 00000000000000000000000000000064 of 'sweep', measure, name 'step_ms'",
            "value is 2.5000000000000004, but 2.5 in", "n.db" } },
        { "UPDATE measure SET unit = 's' WHERE name = 'bytes'", { "unit is 's', but 'B'", "'bytes'", "" } },
        { "DELETE FROM measure WHERE name = 'bytes'", { "one of 1 such rows, but there are 2", "'sweep'", "" } },
        { "UPDATE measure SET name = 'other' WHERE name = 'bytes'", { "name 'other'", "is not in", "" } },
        { "UPDATE trace_step SET loss = NULL", { "trace_step, step 0", "loss is unknown, but 0.25", "" } },
        { "UPDATE training SET model = 'o'", { "training", "model is 'o', but 'n'", "" } },
        { "UPDATE fit SET reached = 1", { "fit", "reached is 1, but 2.5", "" } },
        { "UPDATE sample SET elapsed_ns = 6", { "run of 'sweep' at 100 ns, sample", "elapsed_ns is 6, but 5", "" } },
        { "UPDATE run_point SET variant = 'w'", { "run_point, position 7", "variant is 'w'", "" } },
        { "UPDATE trace_timing_step SET seconds = 1", { "timing", "seconds is 1, but 0.5", "" } },
        { "UPDATE record SET trainer = 'x'", { "record", "trainer is 'x', but 't'", "" } },
        { "UPDATE executed_step SET step_ns = 7", { "executed_step, repetition 0", "step_ns is 7, but 6", "" } },
        { "UPDATE plan_step SET step = 1", { "plan_step, step 1", "is not in", "" } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i += sampled() ? 3 : 1) {
        struct merge_counts counts[2];
        struct store *s, *into;

        unlink(support_path("a.db"));
        unlink(support_path("n.db"));
        unlink(support_path("new.db"));
        make("new.db", 50, 99, 1);
        s = open_file("a.db");
        fill(s, 1, 100);
        support_exec(s, cases[i].sql);
        store_close(s);
        into = open_file("n.db");
        fill(into, 3, 100);
        char *before = dump(into);
        const char *from[] = { support_path("new.db"), support_path("a.db") };
        support_listen();
        assert_int_equal(store_merge(into, from, 2, counts), NW_EDB);
        const char *said = support_heard();
        for (int k = 0; k < 3; k++)
            if (!strstr(said, cases[i].said[k]) || !strstr(said, "a.db"))
                fail_msg("%s: said '%s', not '%s'", cases[i].sql, said, cases[i].said[k]);
        same_dump(into, before, cases[i].sql);
        free(before);
        store_close(into);
    }
}

/* What may differ: when a record was imported, and which part of a timeline was asked for. */
static void these_may_differ(void **state)
{
    const char *from[] = { support_path("a.db") };
    struct merge_counts counts;
    struct store *s = open_file("a.db"), *into = open_file("n.db");

    (void)state;
    fill(s, 1, 100);
    support_exec(s, "UPDATE record SET imported_ns = 77, file = 'b.record'");
    support_exec(s, "UPDATE timeline SET from_ps = 2");
    support_exec(s, "UPDATE task SET place = 1, start_ps = 2");
    store_close(s);
    fill(into, 2, 100);
    char *before = dump(into);
    assert_int_equal(store_merge(into, from, 1, &counts), 0);
    same_dump(into, before, "merged");
    store_close(into);
    free(before);
}

/* What a run computed elsewhere, as if another one here had: nothing of what that run listed. */
static void a_run_adopts_points(void **state)
{
    struct store *from = open_file("a.db"), *into = open_file("n.db");
    struct run_fact run = { .scenario = "all" };
    struct merge_counts counts;
    int64_t id;

    (void)state;
    fill(from, 1, 100);
    assert_int_equal(store_run(into, &run, &id), 0);
    assert_int_equal(store_adopt(into, id, from, &counts), 0);
    assert_int_equal(support_int(into, "SELECT count(*) FROM run"), 1);
    assert_int_equal(support_int(into, "SELECT count(*) FROM run_point"), 0);
    assert_int_equal(support_int(into, "SELECT count(*) FROM measure m JOIN point p ON p.id = m.point_id JOIN run r"
                                       " ON r.id = p.run_id WHERE r.scenario = 'all'"),
                     2);
    assert_int_equal(support_int(into, "SELECT count(*) FROM task"), 1);
    assert_int_equal(support_int(into, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_int_equal(store_adopt(into, id, from, &counts), 0);
    assert_int_equal(counts.points, 0);
    store_close(from);
    store_close(into);
}

/* Older runs than those that are there: their numbers change, which nobody may see who is writing under one. */
static void a_file_in_use_keeps_its_numbers(void **state)
{
    const char *from[] = { support_path("a.db") };
    struct merge_counts counts;
    struct store *into, *other;

    (void)state;
    make("a.db", 100, 1, 1);
    make("n.db", 200, 2, 2);
    into = open_file("n.db");
    other = open_file("n.db");
    support_listen();
    assert_int_equal(store_merge(into, from, 1, &counts), NW_EDB);
    assert_non_null(strstr(support_heard(), "another process has it open"));
    assert_int_equal(support_int(into, "SELECT count(*) FROM run"), 1);
    store_close(other);
    assert_int_equal(store_merge(into, from, 1, &counts), 0);
    assert_int_equal(support_int(into, "SELECT started_ns FROM run WHERE id = (SELECT max(id) FROM run)"), 200);
    assert_int_equal(support_int(into, "SELECT count(*) FROM pragma_journal_mode WHERE journal_mode = 'wal'"), 1);
    store_close(into);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(every_table_is_listed),    TEST(references_are_known_by_name),
        TEST(every_table_arrives_once), TEST(the_order_of_files_does_not_matter),
        TEST(differences_are_refused),  TEST(these_may_differ),
        TEST(a_run_adopts_points),      TEST(a_file_in_use_keeps_its_numbers),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
