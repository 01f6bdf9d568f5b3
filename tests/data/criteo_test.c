/* criteo_test.c - Criteo's file: lines by number whatever the blocks, days, values and rows, and every error with its
 * line. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/data/criteo_line.h"
#include "tests/data/files.h"
#include "tests/test.h"
#include "tests/train/data/help.h"

enum { LINES = 1003 };

static struct data_options options_of(const char *path)
{
    struct data_options o = data_options_of(DATA_CRITEO);

    o.path = path;
    return o;
}

/* The line of the file that the sample is, read once more in a plain way. */
static void check_sample(const struct sample *sample, int line)
{
    char text[1024], *column = text;
    int64_t before = 0;

    text[criteo_text(line, text, sizeof(text) - 1)] = '\0';
    for (int i = 0; i < 1 + CRITEO_DENSE + CRITEO_TABLES; i++) {
        char *value = strsep(&column, "\t");

        if (!i) {
            assert_int_equal(sample->labels[0], atoi(value));
        } else if (i <= CRITEO_DENSE) {
            double x = *value && atoi(value) > 0 ? log(1 + atof(value)) : 0;

            if (fabs(sample->values[i - 1] - x) > 1e-6)
                fail_msg("line %d, column %d: %g, expected %g", line + 1, i + 1, sample->values[i - 1], x);
        } else {
            int64_t row = sample->ids[i - 1 - CRITEO_DENSE] - before;

            if (row < !!*value || row >= (*value ? criteo_rows[i - 1 - CRITEO_DENSE] : 1))
                fail_msg("line %d, column %d ('%s'): row %lld", line + 1, i + 1, value, (long long)row);
            before += criteo_rows[i - 1 - CRITEO_DENSE];
        }
    }
}

static void lines_are_read(void **state)
{
    const char *path = file_path("train.txt");
    struct data_options o = options_of(path);
    struct data_source *s;
    struct sample sample;

    (void)state;
    criteo_write(path, LINES);
    s = data_open_or_fail(&o);
    assert_true(s->count[DATA_TRAIN] == 860 && s->count[DATA_TEST] == 143);
    assert_true(s->shape.channels == 13 && s->shape.ids == 26 && s->shape.labels == 1 && s->shape.classes == 2);
    sample = sample_room(s);
    for (int i = 0; i < LINES; i++) {
        int line = i * 17 % LINES;

        sample_read(s, line < 860 ? DATA_TRAIN : DATA_TEST, line < 860 ? line : line - 860, 0, &sample);
        check_sample(&sample, line);
    }
    s->close(s);
    o.train = 86;
    s = data_open_or_fail(&o);
    sample_read(s, DATA_TRAIN, 5, 0, &sample);
    check_sample(&sample, 50);
    sample_free(&sample);
    s->close(s);
}

/* Equal values have equal rows, others seldom; tables of one row have no capacity for any but it. */
static void values_are_hashed(void **state)
{
    enum { ROWS = 1000 };
    const char *path = file_path("hashed.txt");
    struct data_options o = options_of(path);
    int64_t rows[CRITEO_TABLES];
    struct data_source *s;
    struct sample a, b;

    (void)state;
    for (int t = 0; t < CRITEO_TABLES; t++)
        rows[t] = t ? ROWS : 1;
    o.rows = rows;
    criteo_write(path, 60);
    s = data_open_or_fail(&o);
    a = sample_room(s);
    b = sample_room(s);
    /* Lines 31 and 32 have the same categories, and empty ones elsewhere; 34 has others. */
    for (int line = 32; line <= 34; line += 2) {
        int alike = 0, compared = 0;

        sample_read(s, DATA_TRAIN, 31, 0, &a);
        sample_read(s, DATA_TRAIN, line, 0, &b);
        assert_true(a.ids[0] == 0 && b.ids[0] == 0);
        for (int t = 1; t < CRITEO_TABLES; t++) {
            int64_t row = a.ids[t] - 1 - (int64_t)ROWS * (t - 1), other = b.ids[t] - 1 - (int64_t)ROWS * (t - 1);

            assert_true(row >= 0 && row < ROWS && other >= 0 && other < ROWS);
            compared += row && other;
            alike += row && other && row == other;
        }
        assert_true(compared > 15 && (line == 32 ? alike == compared : alike <= 1));
    }
    sample_free(&a);
    sample_free(&b);
    s->close(s);
}

static void write_with(const char *path, int lines, int at, const char *text)
{
    FILE *f = fopen(path, "wb");
    char line[1024];

    assert_non_null(f);
    for (int i = 0; i < lines; i++) {
        line[criteo_text(i, line, sizeof(line) - 1)] = '\0';
        fprintf(f, "%s%s", i == at ? text : line, i + 1 < lines ? "\n" : "");
    }
    assert_int_equal(fclose(f), 0);
}

#define INTEGERS "1\t1\t2\t3\t4\t5\t6\t7\t8\t9\t10\t11\t12\t13\t"
#define TAIL "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t"

/* Lines on their own. */
static const struct {
    const char *text, *message; /* NULL: fine */
} lines[] = {
    { INTEGERS TAIL "\tx", "column 40: expected the last of 40 columns, got '?x'" },
    { INTEGERS TAIL, NULL },
    { INTEGERS "0a\tFFFFFFFF\t"
               "\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t",
      NULL },
    { "", "column 1: expected 40 columns separated by tabs, got ''" },
    { "2\t", "column 1: expected a label, 0 or 1, got '2'" },
    { "01\t", "column 1: expected a label, 0 or 1, got '01'" },
    { "\t", "column 1: expected a label, 0 or 1, got ''" },
    { "1\t-\t", "column 2: expected an integer or nothing, got '-'" },
    { "1\t1.5\t", "column 2: expected an integer or nothing, got '1.5'" },
    { "1\t\t\t1234567890123456789\t", "column 4: expected an integer or nothing, got '1234567890123456789'" },
    { INTEGERS "\t12 4\t", "column 16: expected a hexadecimal number of at most 8 digits or nothing, got '12 4'" },
    { INTEGERS "123456789\t",
      "column 15: expected a hexadecimal number of at most 8 digits or nothing, got '123456789'" },
    { INTEGERS "-1\t", "column 15: expected a hexadecimal number of at most 8 digits or nothing, got '-1'" },
    { INTEGERS "68fd1e64\t80e26c9b", "column 16: expected 40 columns separated by tabs, got '80e26c9b'" },
    { "a line of something else altogether",
      "column 1: expected 40 columns separated by tabs, got 'a line of something else...'" },
};

static void errors_name_their_line(void **state)
{
    const char *path = file_path("faulty.txt");
    struct data_options o = options_of(path);

    (void)state;
    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++) {
        struct data_source *s;
        struct sample sample;

        write_with(path, 90, 35, lines[i].text);
        s = data_open_or_fail(&o);
        sample = sample_room(s);
        if (lines[i].message)
            assert_unreadable(s, DATA_TRAIN, 35, "%s: line 36: %s", path, lines[i].message);
        else
            sample_read(s, DATA_TRAIN, 35, 0, &sample);
        sample_read(s, DATA_TRAIN, 34, 0, &sample);
        check_sample(&sample, 34);
        sample_read(s, DATA_TRAIN, 36, 0, &sample);
        check_sample(&sample, 36);
        sample_free(&sample);
        s->close(s);
    }
}

static void other_files_are_refused_at_once(void **state)
{
    const char *path = file_path("refused.txt");
    struct data_options o = options_of(path);
    char text[1100];

    (void)state;
    write_with(path, 20, 0, "label,I1,I2");
    assert_refused(&o, "%s: line 1: column 1: expected 40 columns separated by tabs, got 'label,I1,I2'", path);
    write_with(path, 20, 19, "1\t2\t");
    assert_refused(&o, "%s: line 20: column 3: expected 40 columns separated by tabs, got ''", path);
    memset(text, 'x', sizeof(text));
    text[1024] = '\0';
    write_with(path, 20, 17, text);
    assert_refused(&o, "%s: line 18: expected at most 1024 bytes, got more", path);
    criteo_write(path, 6);
    assert_refused(&o, "%s: expected 7 lines or more, a day each at least, got 6", path);
    file_write(path, "", 0);
    assert_refused(&o, "%s: expected lines, got nothing", path);
    file_remove(path);
    assert_refused(&o, "%s: No such file or directory", path);
    o.path = ".";
    assert_refused(&o, ".: expected a file, got a folder or a device");
    o.tables = 25;
    assert_refused(&o, "tables: expected 26 to 26, got 25");
}

/* A file that changes while it is open gives an error, no crash. */
static void files_that_shrink_are_reported(void **state)
{
    const char *path = file_path("shrinks.txt");
    struct data_options o = options_of(path);
    struct data_source *s;
    int first_lines = 0;
    char text[1024];

    (void)state;
    criteo_write(path, 70);
    for (int i = 0; i < 16; i++)
        first_lines += (int)criteo_text(i, text, sizeof(text)) + 1;
    s = data_open_or_fail(&o);
    assert_int_equal(truncate(path, 100), 0);
    assert_unreadable(s, DATA_TRAIN, 0, "%s: offset 100: expected %d more bytes, got its end: it has shrunk", path,
                      first_lines - 100);
    s->close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read),
        cmocka_unit_test(values_are_hashed),
        cmocka_unit_test(errors_name_their_line),
        cmocka_unit_test(other_files_are_refused_at_once),
        cmocka_unit_test(files_that_shrink_are_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
