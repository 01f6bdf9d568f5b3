#include "tests/report/rows.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

static void print_value(FILE *out, sqlite3_stmt *st, int column)
{
    switch (sqlite3_column_type(st, column)) {
    case SQLITE_NULL: fputc('-', out); break;
    case SQLITE_TEXT: fputs((const char *)sqlite3_column_text(st, column), out); break;
    default: fprintf(out, "%.6g", sqlite3_column_double(st, column)); break;
    }
}

static char *rows_of(struct store *s, const char *sql)
{
    sqlite3_stmt *st;
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    assert_non_null(out);
    if (sqlite3_prepare_v2(store_handle(s), sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(store_handle(s)));
    while (sqlite3_step(st) == SQLITE_ROW)
        for (int i = 0, n = sqlite3_column_count(st); i < n; i++) {
            print_value(out, st, i);
            fputc(i + 1 < n ? '|' : '\n', out);
        }
    assert_int_equal(sqlite3_finalize(st), SQLITE_OK);
    fclose(out);
    return text;
}

void rows_expect(struct store *s, const char *sql, const char *want)
{
    char *got = rows_of(s, sql);

    if (strcmp(got, want) != 0)
        fail_msg("%s\nexpected\n%sgot\n%s", sql, want, got);
    free(got);
}

void rows_expect_none(struct store *s, const char *const *views)
{
    char sql[256];

    for (; *views; views++) {
        snprintf(sql, sizeof(sql), "SELECT * FROM \"%s\"", *views);
        rows_expect(s, sql, "");
    }
}
