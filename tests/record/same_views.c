/* same_views.c - do two databases say the same? Every view but those that list all runs or points there are, row by
 * row: texts and whole numbers equal, numbers within a share of each other. Rows are compared in the order of what is
 * equal in both, so views need none. use: same_views A.db B.db MOST [GLOB...]    exit 0 where no number differs by more
 * than MOST; a line for each view in which one does */
#include <math.h>
#include <sqlite3.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 64 };

struct value {
    int type;
    double number;
    char *text;
};

struct rows {
    struct value *values;
    size_t n, ncolumns;
};

/* What they hold of one training is there twice where it is recorded too; the others are not of results. */
static const char views_sql[] =
    "SELECT name FROM sqlite_schema WHERE type = 'view' AND name NOT GLOB 'trace_*' AND name NOT GLOB 'record_*'"
    " AND name NOT IN ('training_final', 'chosen_run', 'newest_run', 'run_axis', 'run_variant', 'cell_value',"
    " 'bench_run', 'cell_seed',"
    " 'latest_run', 'own_run', 'run_source', '/quick', '/source', 'trained_source',"
    " '*/trained-source')"
    " ORDER BY name";

static void stop(sqlite3 *db, const char *what)
{
    fprintf(stderr, "same_views: %s: %s: %s\n", sqlite3_db_filename(db, "main"), what, sqlite3_errmsg(db));
    exit(2);
}

static sqlite3_stmt *prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *st;

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        stop(db, sql);
    return st;
}

static bool is_number_of_row(const char *column)
{
    return !strcmp(column, "run_id") || !strcmp(column, "point_id") || !strcmp(column, "recorded");
}

/* Not of numbers first, so that rows which differ a little in one number stay next to each other. */
static size_t columns_of;

static int compare(const void *left, const void *right)
{
    const struct value *a = left, *b = right;

    for (int reals = 0; reals < 2; reals++)
        for (size_t c = 0; c < columns_of; c++) {
            if ((a[c].type == SQLITE_FLOAT && b[c].type == SQLITE_FLOAT) != reals)
                continue;
            int order =
                reals ? (a[c].number > b[c].number) - (a[c].number < b[c].number) : strcmp(a[c].text, b[c].text);
            if (order)
                return order;
        }
    return 0;
}

static struct rows read_view(sqlite3 *db, const char *view)
{
    char sql[256];
    struct rows r = { 0 };
    size_t capacity = 0;

    snprintf(sql, sizeof(sql), "SELECT * FROM \"%s\"", view);
    sqlite3_stmt *st = prepare(db, sql);
    int n = sqlite3_column_count(st), code;
    while ((code = sqlite3_step(st)) == SQLITE_ROW) {
        if ((r.n + 1) * MOST_COLUMNS > capacity)
            r.values = realloc(r.values, (capacity = 2 * capacity + 64 * MOST_COLUMNS) * sizeof(*r.values));
        r.ncolumns = 0;
        for (int c = 0; c < n; c++) {
            if (is_number_of_row(sqlite3_column_name(st, c)))
                continue;
            const char *text = (const char *)sqlite3_column_text(st, c);
            int type = sqlite3_column_type(st, c);
            r.values[r.n * MOST_COLUMNS + r.ncolumns++] = (struct value){ type, sqlite3_column_double(st, c),
                                                                          strdup(type == SQLITE_FLOAT ? ""
                                                                                 : text               ? text
                                                                                                      : "NULL") };
        }
        r.n++;
    }
    if (code != SQLITE_DONE)
        stop(db, view);
    sqlite3_finalize(st);
    columns_of = r.ncolumns;
    if (r.n)
        qsort(r.values, r.n, MOST_COLUMNS * sizeof(*r.values), compare);
    return r;
}

static void free_rows(struct rows *r)
{
    for (size_t i = 0; i < r->n; i++)
        for (size_t c = 0; c < r->ncolumns; c++)
            free(r->values[i * MOST_COLUMNS + c].text);
    free(r->values);
}

static double apart(const struct value *a, const struct value *b)
{
    if (a->type == SQLITE_FLOAT && b->type == SQLITE_FLOAT)
        return a->number == b->number ? 0 : fabs(a->number - b->number) / fmax(fabs(a->number), fabs(b->number));
    return a->type == b->type && !strcmp(a->text, b->text) ? 0 : INFINITY;
}

/* 1 where it says something else. */
static int check(sqlite3 *a, sqlite3 *b, const char *view, double most, size_t *nrows)
{
    struct rows x = read_view(a, view), y = read_view(b, view);
    double worst = 0;

    for (size_t i = 0; x.n == y.n && i < x.n; i++)
        for (size_t c = 0; c < x.ncolumns; c++)
            worst = fmax(worst, apart(&x.values[i * MOST_COLUMNS + c], &y.values[i * MOST_COLUMNS + c]));
    if (x.n != y.n)
        printf("%-24s %zu rows, there %zu\n", view, x.n, y.n);
    else if (worst > 0)
        printf("%-24s %zu rows, at most %.1e apart\n", view, x.n, worst);
    *nrows += x.n;
    int differs = x.n != y.n || worst > most;
    free_rows(&x);
    free_rows(&y);
    return differs;
}

static bool wanted(const char *view, int nglobs, char **globs)
{
    bool yes = nglobs == 0;

    for (int i = 0; i < nglobs; i++)
        yes |= !sqlite3_strglob(globs[i], view);
    return yes;
}

int main(int argc, char **argv)
{
    sqlite3 *db[2];
    int ndiffering = 0, nviews = 0;
    size_t nrows = 0;

    if (argc < 4) {
        fputs("use: same_views A.db B.db MOST [GLOB...]\n", stderr);
        return 2;
    }
    for (int i = 0; i < 2; i++)
        if (sqlite3_open_v2(argv[1 + i], &db[i], SQLITE_OPEN_READONLY, NULL) != SQLITE_OK)
            stop(db[i], "open");
    sqlite3_stmt *st = prepare(db[0], views_sql);
    while (sqlite3_step(st) == SQLITE_ROW) {
        const char *view = (const char *)sqlite3_column_text(st, 0);
        if (!wanted(view, argc - 4, argv + 4))
            continue;
        ndiffering += check(db[0], db[1], view, strtod(argv[3], NULL), &nrows);
        nviews++;
    }
    sqlite3_finalize(st);
    sqlite3_close(db[0]);
    sqlite3_close(db[1]);
    printf("%d views, %zu rows: %d say something else\n", nviews, nrows, ndiffering);
    return ndiffering || !nrows ? 1 : 0;
}
