#include "harness/report/part/part.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/style/number.h"
#include "harness/status.h"
#include "harness/text/csv.h"
#include "harness/text/json.h"

enum { MOST_WORDS = 48, WORD = 48, SAID = 1024 };

int part_faulty(const struct part *p, const char *what)
{
    fprintf(stderr, "narrows report: report_part (%s, %s): %s\n", p->paper, p->name, what);
    return NW_EDB;
}

/* The words of a list's format; their number, or -1. */
static int words_of(const char *format, char words[MOST_WORDS][WORD])
{
    int n = 0;

    while (*(format += strspn(format, " "))) {
        size_t length = strcspn(format, " ");

        if (n == MOST_WORDS || length >= WORD)
            return -1;
        snprintf(words[n], WORD, "%.*s", (int)length, format);
        if (strcmp(words[n], "s") != 0 && !number_format_ok(words[n]))
            return -1;
        n++;
        format += length;
    }
    return n;
}

/* Columns that say something about a row, and are not printed. */
static bool is_hidden(struct query *q, int column)
{
    const char *name = sqlite3_column_name(q->st, column);

    return !strcmp(name, "rule") || !strcmp(name, "of_paper");
}

static void list_heads(struct table *t, struct query *q, char words[MOST_WORDS][WORD])
{
    for (int i = 0, word = 0; i < sqlite3_column_count(q->st); i++) {
        const char *name = sqlite3_column_name(q->st, i), *bar = strchr(name, '|');
        char group[128] = "";

        if (is_hidden(q, i))
            continue;
        if (bar)
            snprintf(group, sizeof(group), "%.*s", (int)(bar - name), name);
        table_column(t, group, bar ? bar + 1 : name, strcmp(words[word], "s") != 0);
        word++;
    }
}

static void list_row(struct table *t, struct query *q, int rule, char words[MOST_WORDS][WORD])
{
    table_row(t, t->nrows > 0 && rule >= 0 && query_real(q, rule) != 0);
    for (int i = 0, column = 0; i < sqlite3_column_count(q->st); i++) {
        char number[NUMBER_SIZE];

        if (is_hidden(q, i))
            continue;
        if (query_null(q, i)) {
            table_text(t, table_cell(t, (size_t)column), "-");
        } else if (!strcmp(words[column], "s") || sqlite3_column_type(q->st, i) == SQLITE_TEXT) {
            table_text(t, table_cell(t, (size_t)column), "%s", query_text(q, i));
        } else {
            number_print(number, words[column], query_real(q, i));
            table_text(t, table_cell(t, (size_t)column), "%s", number);
        }
        column++;
    }
}

static int list_read(sqlite3 *db, const struct part *p, struct table **out)
{
    static char words[MOST_WORDS][WORD];
    struct query q = query_open(db, p->query, NULL);
    int rule = query_column(&q, "rule"), n = words_of(p->format, words), columns = 0, rc = NW_OK;
    struct table *t = NULL;

    for (int i = 0; q.st && i < sqlite3_column_count(q.st); i++)
        columns += !is_hidden(&q, i);
    if (q.st && n != columns)
        rc = part_faulty(p, "expected a format for each column: s, or text around one of %e %f %g");
    while (!rc && query_next(&q)) {
        if (!t) {
            t = table_new();
            if (!t)
                break;
            list_heads(t, &q, words);
        }
        list_row(t, &q, rule, words);
    }
    *out = t;
    return query_close(&q) ? NW_EDB : rc;
}

/* A paragraph for each line. */
static void paragraphs(const struct style *style, FILE *out, const char *text)
{
    char *copy = strdup(text), *rest = copy, *line;

    while (copy && (line = strsep(&rest, "\n")) != NULL)
        if (*line)
            style->paragraph(out, line);
    free(copy);
}

static void begin(const struct part *p, const struct style *style, int level, FILE *out)
{
    char anchor[160] = "", name[128];

    html_slug(name, sizeof(name), p->name);
    snprintf(anchor, sizeof(anchor), "%s-%s", p->paper, name);
    if (*p->heading)
        style->heading(out, level, p->heading, anchor);
    paragraphs(style, out, p->before);
}

static int text_write(sqlite3 *db, const struct part *p, const struct style *style, int level, FILE *out)
{
    struct query q = query_open(db, p->query, NULL);
    int rows = 0;

    while (query_next(&q)) {
        if (query_null(&q, 0))
            continue;
        if (!rows++)
            begin(p, style, level, out);
        paragraphs(style, out, query_text(&q, 0));
    }
    if (rows)
        paragraphs(style, out, p->after);
    return query_close(&q);
}

int part_write(sqlite3 *db, const struct part *p, const struct style *style, int level, FILE *out)
{
    struct table *t = NULL;
    char said[SAID] = "";
    int rc;

    if (!strcmp(p->shape, "text"))
        return text_write(db, p, style, level, out);
    rc = !strcmp(p->shape, "cells") ? grid_read(db, p, &t, said, sizeof(said)) : list_read(db, p, &t);
    if (!rc && t && table_bad(t))
        rc = NW_ENOMEM;
    if (!rc && t) {
        begin(p, style, level, out);
        style->table(out, t);
        if (*said)
            style->paragraph(out, said);
        paragraphs(style, out, p->after);
    }
    table_free(t);
    return rc;
}

static void json_value(FILE *out, struct query *q, int column)
{
    switch (sqlite3_column_type(q->st, column)) {
    case SQLITE_NULL: fputs("null", out); break;
    case SQLITE_TEXT: json_text(query_text(q, column), out); break;
    default: /* JSON knows no infinity */
        if (isfinite(query_real(q, column)))
            fprintf(out, "%.15g", query_real(q, column));
        else
            fputs("null", out);
    }
}

static void csv_value(FILE *out, struct query *q, int column)
{
    if (sqlite3_column_type(q->st, column) == SQLITE_TEXT)
        csv_text(out, query_text(q, column));
    else if (!query_null(q, column))
        fprintf(out, "%.15g", query_real(q, column));
}

static void row(FILE *out, struct query *q, bool json, bool first)
{
    int n = sqlite3_column_count(q->st);

    if (json)
        fputs(first ? "{" : ",\n{", out);
    for (int i = 0; i < n; i++) {
        if (i)
            fputs(json ? ", " : ",", out);
        if (json) {
            json_text(sqlite3_column_name(q->st, i), out);
            fputs(": ", out);
            json_value(out, q, i);
        } else {
            csv_value(out, q, i);
        }
    }
    fputs(json ? "}" : "\n", out);
}

int part_rows(sqlite3 *db, const struct part *p, bool json, FILE *out)
{
    struct query q = query_open(db, p->query, p->paper, NULL);
    bool first = true;

    if (json)
        fputs("[\n", out);
    for (int i = 0; !json && q.st && i < sqlite3_column_count(q.st); i++) {
        fputs(i ? "," : "", out);
        csv_text(out, sqlite3_column_name(q.st, i));
    }
    if (!json)
        fputc('\n', out);
    for (; query_next(&q); first = false)
        row(out, &q, json, first);
    if (json)
        fputs("\n]\n", out);
    return query_close(&q);
}
