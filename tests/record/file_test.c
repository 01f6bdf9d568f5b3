/* Records that are not what they should be: refused with the reason, and the database stays as it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/record/file.h"
#include "harness/status.h"
#include "tests/record/support.h"
#include "tests/test.h"

static const double three[] = { 90, 92, 97 };

/* The test's folder, and a name in it: support_path() keeps few. */
static const char *path_of(const char *name)
{
    static char path[512];

    snprintf(path, sizeof(path), "%s", support_path(name));
    return path;
}

static void put(const char *path, const char *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");

    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static const char *a_record(void)
{
    struct store *from = record_open("from.db");
    const char *path = record_write(from, record_train(from, three, 2, 1), "a.record");

    store_close(from);
    return path;
}

/* Refused with these words, and nothing came into the database. */
static void check_refused(struct store *s, const char *path, const char *words)
{
    struct record_counts counts;

    support_listen();
    int rc = record_import(s, path, &counts);
    const char *heard = support_heard();
    if (rc != NW_EINPUT && rc != NW_EIO)
        fail_msg("%s: answers %d", path, rc);
    if (!strstr(heard, words) || !strstr(heard, path))
        fail_msg("expected '%s' of %s, heard: %s", words, path, heard);
    assert_int_equal(
        support_int(s,
                    "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM record) + (SELECT count(*) FROM point)"),
        0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM training"), 0);
}

static void what_is_no_record_is_refused(void **state)
{
    static const struct {
        const char *bytes, *words;
    } cases[] = {
        { "", "is no record" },
        { "narrows record", "is no record" },
        { "SQLite format 3", "is no record" },
        { "narrows record 3\ndigest", "has version '3' of the format, this program knows versions 1 and 2" },
        { "narrows record 10\ndigest", "has version '10'" },
        { "narrows record 1", "has version" },
        { "narrows record 1\n", "first lines" },
        { "narrows record 1\ndigest 0123\ntrainer", "first lines" },
        { "narrows record 2\n", "first lines" },
        { "narrows record 2\ndigest 0123\ntrainer", "first lines" },
        { "narrows record 2\nchecked 00112233445566aa ", "first lines" },
        { "narrows record 2\nchecked 00112233445566aa 40", "first lines" },
        { "narrows record 2\nchecked 00112233445566aa 040 00112233445566aa\n", "first lines" },
        { "narrows record 2\nchecked 00112233445566aa -4 00112233445566aa\n", "first lines" },
        { "narrows record 2\nchecked 00112233445566aa 1234567890 00112233445566aa\n", "first lines" },
    };
    struct store *s = record_open("to.db");
    const char *path = path_of("x.record");

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        put(path, cases[i].bytes, strlen(cases[i].bytes));
        check_refused(s, path, cases[i].words);
    }
    check_refused(s, path_of("none.record"), "cannot be read: No such file");
    check_refused(s, path_of("."), "expected a file");
    store_close(s);
}

/* Every byte changed, every length: the digest is of all of it, and of its own line each digit counts. */
static void check_damage(struct store *s, const char *path, size_t most)
{
    size_t n;
    char *bytes = support_read(path, &n);

    assert_true(n > 300);
    for (size_t i = 0; i < n && i < most; i += i < 200 ? 1 : 7) {
        bytes[i] ^= 1;
        put(path, bytes, n);
        check_refused(s, path, i < 15 ? "is no record" : i < 17 ? "version" : "damaged");
        bytes[i] ^= 1;
    }
    for (size_t length = 0; length < n && length < most; length += length < 200 ? 1 : 13) {
        put(path, bytes, length);
        check_refused(s, path, "");
    }
    bytes = realloc(bytes, n + 2);
    put(path, bytes, n + 1);
    check_refused(s, path, "damaged");
    free(bytes);
}

static void stamp(const char *path, const char *trainer, int32_t steps)
{
    struct record_stamp stamp = { .steps = steps };
    struct record_head head;

    snprintf(stamp.trainer, sizeof(stamp.trainer), "%s", trainer);
    assert_int_equal(record_file_head(path, &head), 0);
    assert_int_equal(record_file_stamp(path, head.digest, &stamp), 0);
}

static void what_was_damaged_is_refused(void **state)
{
    const char *path = a_record();
    struct store *s = record_open("to.db");
    size_t n;
    char *bytes = support_read(path, &n);

    (void)state;
    check_damage(s, path, SIZE_MAX);
    put(path, bytes, n);
    stamp(path, "ffeeddccbbaa9988", 40);
    check_damage(s, path, 200); /* the lines: what follows is as before */
    free(bytes);
    store_close(s);
}

/* The line that says so, and nothing else: a later stamp takes the place of an earlier one, what is written afresh has
 * none, and one that is meant for other contents is refused. */
static void a_stamp_leaves_the_contents_alone(void **state)
{
    static const char other[] = "00000000000000000000000000000000";
    const char *path = a_record();
    struct record_head before, after;
    struct record_stamp unused = { "ffeeddccbbaa9988", 1 };
    struct record_file f;
    size_t n, m;
    char *plain = support_read(path, &n), *stamped;

    (void)state;
    assert_int_equal(record_file_head(path, &before), 0);
    assert_int_equal(before.checked.steps, 0);
    stamp(path, "0123456789abcdef", 3);
    stamp(path, "ffeeddccbbaa9988", 999999999);
    assert_int_equal(record_file_head(path, &after), 0);
    assert_string_equal(after.digest, before.digest);
    assert_string_equal(after.checked.trainer, "ffeeddccbbaa9988");
    assert_int_equal(after.checked.steps, 999999999);
    stamped = support_read(path, &m);
    assert_int_equal(m, n + strlen("checked 0123456789abcdef 999999999 0123456789abcdef\n"));
    assert_memory_equal(stamped + m - (n - 17), plain + 17, n - 17);
    support_listen();
    assert_int_equal(record_file_stamp(path, other, &unused), NW_EINPUT);
    assert_non_null(strstr(support_heard(), "is another file than the one that was checked"));
    assert_int_equal(record_file_read(path, &f), 0);
    assert_int_equal(f.head.checked.steps, 999999999);
    assert_int_equal(record_file_write(path, &f), 0);
    record_file_free(&f);
    free(stamped);
    stamped = support_read(path, &m);
    assert_int_equal(m, n);
    assert_memory_equal(stamped, plain, n);
    free(stamped);
    free(plain);
}

/* The file again after 'change', with a digest that fits: as somebody who means it would have it. */
static void change_it(const char *path, void (*change)(struct record_file *f))
{
    struct record_file f;

    assert_int_equal(record_file_read(path, &f), 0);
    change(&f);
    assert_int_equal(record_file_write(path, &f), 0);
    record_file_free(&f);
}

static struct record_rows *table(struct record_file *f, const char *name)
{
    for (size_t t = 0; t < f->ntables; t++)
        if (!strcmp(f->tables[t].table->name, name))
            return &f->tables[t];
    fail_msg("%s is missing", name);
    return NULL;
}

static int64_t *values(struct record_file *f, const char *name, const char *column)
{
    struct record_rows *t = table(f, name);

    for (size_t c = 0; c < t->ncolumns; c++)
        if (!strcmp(t->kinds[c]->name, column))
            return t->columns[c].values;
    fail_msg("%s.%s is missing", name, column);
    return NULL;
}

static void a_step_before_the_first(struct record_file *f)
{
    values(f, "trace_step", "step")[0] = -1;
}

static void a_point_that_is_not_there(struct record_file *f)
{
    values(f, "measure", "point_id")[3] += 100;
}

static void a_run_that_is_not_there(struct record_file *f)
{
    values(f, "point", "run_id")[0] = 0;
}

static void numbers_that_fall(struct record_file *f)
{
    int64_t *id = values(f, "point", "id"), first = id[0];

    id[0] = id[1];
    id[1] = first;
}

static void a_text_for_a_number(struct record_file *f)
{
    struct column *c = &table(f, "training")->columns[0], *text = &table(f, "training")->columns[1];

    assert_int_equal(text->type, COLUMN_TEXT);
    column_free(c);
    c->type = COLUMN_TEXT;
    c->n = table(f, "training")->nrows;
    c->values = calloc(c->n, sizeof(*c->values));
    c->words = calloc(1, sizeof(*c->words));
    c->words[c->nwords++] = strdup("1");
}

static void two_points_of_one_key(struct record_file *f)
{
    int64_t *key = values(f, "point", "key");

    key[1] = key[0];
}

static void no_scenario(struct record_file *f)
{
    struct record_rows *t = table(f, "run");

    column_free(&t->columns[--t->ncolumns]);
}

static void what_no_database_can_hold_is_refused(void **state)
{
    static const struct {
        void (*change)(struct record_file *f);
        const char *words;
    } cases[] = {
        { a_step_before_the_first, "trace_step: no such row can be: CHECK" },
        { a_point_that_is_not_there, "a row of measure refers to what is not there" },
        { a_run_that_is_not_there, "a row of point refers to" },
        { numbers_that_fall, "a row of point refers to what is not there, or lacks its number" },
        { a_text_for_a_number, "a row of training refers to" },
        { two_points_of_one_key, "point: no such row can be: UNIQUE" },
        { no_scenario, "run: no such row can be: NOT NULL" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char name[16];
        snprintf(name, sizeof(name), "from%zu.db", i);
        struct store *from = record_open(name), *s = record_open("to.db");
        const char *path = record_write(from, record_train(from, three, 2, 1), "a.record");
        change_it(path, cases[i].change);
        check_refused(s, path, cases[i].words);
        store_close(from);
        store_close(s);
    }
}

/* The bytes of a whole file with a table, or a column, that is not listed. */
static void put_unknown(const char *path, const char *table_name, const char *column)
{
    struct record_table kind = { .name = table_name, .columns = { { column, 0, 0 } } };
    struct record_file f = { .head = { .trainer = TRAINER, .simulator = SIMULATOR }, .ntables = 1 };

    f.tables[0].table = &kind;
    f.tables[0].ncolumns = 1;
    f.tables[0].kinds[0] = &kind.columns[0];
    assert_int_equal(record_file_write(path, &f), 0);
}

static void a_newer_programs_is_refused(void **state)
{
    struct store *s = record_open("to.db");
    const char *path = path_of("x.record");

    (void)state;
    put_unknown(path, "trace_sparkle", "point_id");
    check_refused(s, path, "holds trace_sparkle, which this program does not know: use a newer one");
    put_unknown(path, "trace_step", "sparkle");
    check_refused(s, path, "holds trace_step.sparkle, which this program does not know: use a newer one");
    store_close(s);
}

/* An older program's lacks columns and tables that came later: what they would hold is not known. */
static void lack_ema(struct record_file *f)
{
    struct record_rows *t = table(f, "trace_step");

    assert_string_equal(t->kinds[t->ncolumns - 1]->name, "ema");
    column_free(&t->columns[--t->ncolumns]);
    f->ntables--; /* trace_timing_step */
    column_free(&f->tables[f->ntables].columns[0]);
    column_free(&f->tables[f->ntables].columns[1]);
    column_free(&f->tables[f->ntables].columns[2]);
}

static void an_older_programs_is_taken(void **state)
{
    const char *path = a_record();
    struct store *s = record_open("to.db");
    struct record_counts counts;

    (void)state;
    change_it(path, lack_ema);
    assert_int_equal(record_import(s, path, &counts), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM trace_step WHERE ema IS NULL"), 80);
    assert_int_equal(support_int(s, "SELECT count(*) FROM trace_timing_step"), 0);
    store_close(s);
}

/* A file that was there stays where the new one cannot be written. */
static void writing_is_all_or_nothing(void **state)
{
    struct store *from = record_open("from.db");
    const struct record_sources sources = { TRAINER, SIMULATOR };
    int64_t run = record_train(from, three, 1, 1);
    struct record_counts counts;

    (void)state;
    support_listen();
    assert_int_equal(record_export(from, &run, 1, &sources, support_path("no/folder.record"), &counts), NW_EIO);
    assert_non_null(strstr(support_heard(), "cannot be written: No such file"));
    /* The same facts are the same bytes. */
    size_t n, m;
    char *a = support_read(record_write(from, run, "a.record"), &n),
         *b = support_read(record_write(from, run, "a.record"), &m);
    assert_int_equal(n, m);
    assert_memory_equal(a, b, n);
    free(a);
    free(b);
    store_close(from);
}

int main(void)
{
#define TEST(f) cmocka_unit_test_setup_teardown(f, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_record_is_refused),         TEST(what_was_damaged_is_refused),
        TEST(what_no_database_can_hold_is_refused), TEST(a_newer_programs_is_refused),
        TEST(an_older_programs_is_taken),           TEST(writing_is_all_or_nothing),
        TEST(a_stamp_leaves_the_contents_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
