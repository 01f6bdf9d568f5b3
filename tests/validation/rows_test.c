/* The rows of a validation: CSV as it is written, and SQL on it. */

#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/text/csv_fields.h"
#include "harness/validation/data_table.h"
#include "tests/test.h"

static void fields_are_cut_as_they_are_meant(void **state)
{
    char text[] = "# a comment\n\n  a , \"b, \"\"c\"\"\" ,,d\r\nlast";
    char *at = text, *end = text + strlen(text);
    struct csv_fields f;
    size_t line = 0;

    (void)state;
    assert_true(csv_next(&at, end, &line, &f));
    assert_int_equal(line, 3);
    assert_int_equal(f.n, 4);
    assert_string_equal(f.fields[0], "a");
    assert_string_equal(f.fields[1], "b, \"c\"");
    assert_string_equal(f.fields[2], "");
    assert_string_equal(f.fields[3], "d");
    assert_true(csv_next(&at, end, &line, &f));
    assert_int_equal(f.n, 1);
    assert_string_equal(f.fields[0], "last");
    assert_false(csv_next(&at, end, &line, &f));
}

static struct data *table(const char *text)
{
    struct data *t = NULL;

    assert_int_equal(data_new(&t), NW_OK);
    assert_int_equal(data_load(t, "rows", text, strlen(text)), NW_OK);
    return t;
}

static double number(struct data *t, const char *expression, size_t row)
{
    struct cell_value out[8];
    char why[256];

    if (data_evaluate(t, NULL, expression, out, why, sizeof(why)))
        fail_msg("%s: %s", expression, why);
    assert_int_equal(out[row].kind, CELL_NUMBER);
    return out[row].number;
}

static void values_are_what_they_look_like(void **state)
{
    struct data *t = table("whole,mixed,text\n7,1116,8bit\n8,0.5,\n");
    struct cell_value out[2];
    char why[256];

    (void)state;
    assert_int_equal(data_rows(t), 2);
    assert_true(number(t, "whole / 2", 0) == 3);
    /* Of a column with 0.5 no number is whole. */
    assert_true(number(t, "256 / mixed > 0.2", 0) == 1);
    assert_int_equal(data_evaluate(t, NULL, "text", out, why, sizeof(why)), NW_OK);
    assert_int_equal(out[0].kind, CELL_TEXT);
    assert_string_equal(out[0].text, "8bit");
    assert_int_equal(out[1].kind, CELL_NULL);
    data_free(t);
}

static void computed_columns_see_those_before_them(void **state)
{
    struct data *t = table("a\n3\n5\n");
    char why[256];

    (void)state;
    assert_int_equal(data_compute(t, "real", "2.0", why, sizeof(why)), NW_OK);
    assert_int_equal(data_compute(t, "b", "a / r.real + (SELECT max(d.a) FROM data d)", why, sizeof(why)), NW_OK);
    assert_true(number(t, "b", 0) == 6.5);
    assert_int_equal(data_compute(t, "c", "c + 1", why, sizeof(why)), NW_EINPUT);
    assert_non_null(strstr(why, "no such column"));
    data_free(t);
}

static void expressions_only_read(void **state)
{
    static const char *const wrong[] = { "a) FROM data; DROP TABLE data --", "a) FROM data AS r; --", "a), (a", "" };
    struct data *t = table("a\n3\n");
    struct cell_value out[1];
    char why[256];

    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++)
        if (data_evaluate(t, NULL, wrong[i], out, why, sizeof(why)) != NW_EINPUT ||
            data_compute(t, "b", wrong[i], why, sizeof(why)) != NW_EINPUT)
            fail_msg("taken: %s", wrong[i]);
    assert_true(number(t, "a", 0) == 3);
    data_free(t);
}

static void rows_of_two_files_stand_together(void **state)
{
    struct data *t = table("a,b\n1,2\n");
    bool out[2];
    char why[256];

    (void)state;
    assert_int_equal(data_load(t, "more", "b,c\n5,6\n", 8), NW_OK);
    assert_int_equal(data_rows(t), 2);
    assert_true(number(t, "b", 1) == 5);
    assert_int_equal(data_test(t, "a IS NULL", out, why, sizeof(why)), NW_OK);
    assert_false(out[0]);
    assert_true(out[1]);
    data_free(t);
}

static void wrong_files_are_refused(void **state)
{
    static const char *const wrong[] = { "", "a,b\n", "a,a\n1,2\n", "a,\n1,2\n", "row\n1\n", "a,b\n1\n", "a\n1,2\n" };

    (void)state;
    for (size_t i = 0; i < COUNT(wrong); i++) {
        struct data *t = NULL;
        assert_int_equal(data_new(&t), NW_OK);
        if (data_load(t, "wrong.csv", wrong[i], strlen(wrong[i])) != NW_EINPUT)
            fail_msg("taken: '%s'", wrong[i]);
        data_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_cut_as_they_are_meant),       cmocka_unit_test(values_are_what_they_look_like),
        cmocka_unit_test(computed_columns_see_those_before_them), cmocka_unit_test(expressions_only_read),
        cmocka_unit_test(rows_of_two_files_stand_together),       cmocka_unit_test(wrong_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
