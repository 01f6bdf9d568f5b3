/* outcome_rows.c - all of a run for a program to read. */
#include <sqlite3.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/report/answer/outcome.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/text/json.h"

/* Of each kind of run: its rows, the position first, then what is printed under the names that SQLite gives the columns; and the axes
 * that they lie on. */
static const char *const rows_sql[] = {
    [OUTCOME_ANSWER] =
        "SELECT position, variant, step_ms, samples_per_s, speedup, scaling, bound_by, bound_share, exposed_ms, wire_bytes,"
        " memory_bytes, memory_limit_bytes, gpus, idle_gpus FROM answer WHERE run_id = ?1 ORDER BY position",
    [OUTCOME_PLANS] =
        "SELECT position, variant, batch, largest_batch, samples_per_s, loss_pct, pool_GB, stall_ms, step_ms, fits"
        " FROM plan_point WHERE run_id = ?1 ORDER BY position",
    [OUTCOME_TRAINED] =
        "SELECT position, variant, seeds, steps, loss, test_loss, accuracy, auc, bleu, ratio AS compression_ratio, push_bytes,"
        " pull_bytes FROM trained_answer WHERE run_id = ?1 ORDER BY position",
};
static const char axes_sql[] = "SELECT path FROM point_param WHERE run_id = ?1 AND NOT (?2 AND path = 'training.seed')"
                               " GROUP BY path ORDER BY path";
static const char text_sql[] = "SELECT text FROM point_param WHERE run_id = ?1 AND position = ?2 AND path = ?3";

struct rows {
    sqlite3_stmt *rows, *axes, *text;
    int64_t run_id;
    bool trained;
};

static sqlite3_stmt *prepare(struct store *s, const char *sql, int64_t run_id)
{
    sqlite3_stmt *q = NULL;

    if (sqlite3_prepare_v2(store_handle(s), sql, -1, &q, NULL) != SQLITE_OK)
        fprintf(stderr, "narrows: cannot read the run back: %s\n", sqlite3_errmsg(store_handle(s)));
    sqlite3_bind_int64(q, 1, run_id);
    return q;
}

static bool open_rows(struct store *s, int64_t run_id, struct rows *r)
{
    enum outcome_kind kind = outcome_kind(s, run_id);

    *r = (struct rows){ .rows = prepare(s, rows_sql[kind], run_id),
                        .axes = prepare(s, axes_sql, run_id),
                        .text = prepare(s, text_sql, run_id),
                        .run_id = run_id,
                        .trained = kind == OUTCOME_TRAINED };
    if (r->axes)
        sqlite3_bind_int(r->axes, 2, r->trained);
    return r->rows && r->axes && r->text;
}

static int close_rows(struct rows *r, int code)
{
    sqlite3_finalize(r->rows);
    sqlite3_finalize(r->axes);
    sqlite3_finalize(r->text);
    return code == SQLITE_DONE ? NW_OK : NW_EDB;
}

/* The path of the next axis, NULL after the last one. */
static const char *next_axis(struct rows *r)
{
    return sqlite3_step(r->axes) == SQLITE_ROW ? (const char *)sqlite3_column_text(r->axes, 0) : NULL;
}

/* Where the row's point lies on the axis, as the scenario writes it. */
static const char *place_on(struct rows *r, const char *axis)
{
    sqlite3_reset(r->text);
    sqlite3_bind_int64(r->text, 2, sqlite3_column_int64(r->rows, 0));
    sqlite3_bind_text(r->text, 3, axis, -1, SQLITE_TRANSIENT);
    return sqlite3_step(r->text) == SQLITE_ROW ? (const char *)sqlite3_column_text(r->text, 0) : "";
}

static void csv_field(const char *t, FILE *out)
{
    bool quote = strpbrk(t, ",\"\n") != NULL;

    if (quote)
        fputc('"', out);
    for (; *t; t++)
        fprintf(out, *t == '"' ? "\"\"" : "%c", *t);
    if (quote)
        fputc('"', out);
}

static void csv_header(struct rows *r, FILE *out)
{
    const char *axis;

    fputs("variant", out);
    while ((axis = next_axis(r))) {
        fputc(',', out);
        csv_field(axis, out);
    }
    for (int i = 2; i < sqlite3_column_count(r->rows); i++)
        fprintf(out, ",%s", sqlite3_column_name(r->rows, i));
    fputc('\n', out);
}

static void csv_row(struct rows *r, FILE *out)
{
    const char *axis;

    csv_field((const char *)sqlite3_column_text(r->rows, 1), out);
    sqlite3_reset(r->axes);
    while ((axis = next_axis(r))) {
        fputc(',', out);
        csv_field(place_on(r, axis), out);
    }
    for (int i = 2; i < sqlite3_column_count(r->rows); i++) {
        fputc(',', out);
        if (sqlite3_column_type(r->rows, i) == SQLITE_TEXT)
            csv_field((const char *)sqlite3_column_text(r->rows, i), out);
        else if (sqlite3_column_type(r->rows, i) != SQLITE_NULL)
            fprintf(out, "%.17g", sqlite3_column_double(r->rows, i));
    }
    fputc('\n', out);
}

int outcome_csv(struct store *s, int64_t run_id, FILE *out)
{
    struct rows r;
    int code = SQLITE_ERROR;

    if (open_rows(s, run_id, &r)) {
        csv_header(&r, out);
        while ((code = sqlite3_step(r.rows)) == SQLITE_ROW)
            csv_row(&r, out);
    }
    return close_rows(&r, code);
}

static void json_row(struct rows *r, FILE *out)
{
    const char *axis, *separator = "";

    fputs("{\"variant\": ", out);
    json_text((const char *)sqlite3_column_text(r->rows, 1), out);
    fputs(", \"at\": {", out);
    sqlite3_reset(r->axes);
    for (; (axis = next_axis(r)); separator = ", ") {
        fputs(separator, out);
        json_text(axis, out);
        fputs(": ", out);
        json_text(place_on(r, axis), out);
    }
    fputs("}", out);
    for (int i = 2; i < sqlite3_column_count(r->rows); i++) {
        fprintf(out, ", \"%s\": ", sqlite3_column_name(r->rows, i));
        if (sqlite3_column_type(r->rows, i) == SQLITE_TEXT)
            json_text((const char *)sqlite3_column_text(r->rows, i), out);
        else if (sqlite3_column_type(r->rows, i) == SQLITE_NULL)
            fputs("null", out);
        else
            fprintf(out, "%.17g", sqlite3_column_double(r->rows, i));
    }
    fputs("}", out);
}

int outcome_json(struct store *s, int64_t run_id, FILE *out)
{
    const char *separator = "\n";
    struct rows r;
    int code = SQLITE_ERROR;

    fputs("[", out);
    if (open_rows(s, run_id, &r))
        for (; (code = sqlite3_step(r.rows)) == SQLITE_ROW; separator = ",\n") {
            fputs(separator, out);
            json_row(&r, out);
        }
    fputs("\n]\n", out);
    return close_rows(&r, code);
}
