/* run_export.c - all points of a run, for a program to read. */
#include <stdbool.h>

#include "harness/report/answer/run_table.h"
#include "harness/report/query.h"
#include "harness/store/store.h"
#include "harness/text/csv.h"
#include "harness/text/json.h"

/* Of each kind of run: its rows, the position first, then what is printed under the names that SQLite gives the
 * columns; and the axes that they lie on. */
static const char *const rows_sql[] = {
    [RUN_SIMULATED] =
        "SELECT position, variant, step_ms, samples_per_s, speedup, scaling, bound_by, bound_share, exposed_ms, "
        "wire_bytes,"
        " memory_bytes, memory_limit_bytes, gpus, idle_gpus FROM answer WHERE run_id = ?1 ORDER BY position",
    [RUN_PLANNED] =
        "SELECT position, variant, batch, largest_batch, samples_per_s, loss_pct, pool_GB, stall_ms, step_ms, fits"
        " FROM plan_point WHERE run_id = ?1 ORDER BY position",
    [RUN_COLLECTIVE] =
        "SELECT position, variant, bytes, time_us, algbw_GBps, busbw_GBps, speedup, bound_by, bound_share, sent_as"
        " FROM collective_point WHERE run_id = ?1 ORDER BY position",
    [RUN_TRAINED] =
        "SELECT position, variant, seeds, steps, loss, test_loss, accuracy, auc, bleu, ratio AS compression_ratio, "
        "push_bytes,"
        " pull_bytes FROM trained_answer WHERE run_id = ?1 ORDER BY position",
};
static const char axes_sql[] = "SELECT path FROM point_param WHERE run_id = ?1 AND NOT (?2 AND path = 'training.seed')"
                               " GROUP BY path ORDER BY path";
static const char text_sql[] = "SELECT text FROM point_param WHERE run_id = ?1 AND position = ?2 AND path = ?3";

struct rows {
    struct query rows, axes, text;
};

static struct rows open_rows(struct store *s, int64_t run_id)
{
    enum run_kind kind = run_kind(s, run_id);
    sqlite3 *db = store_handle(s);
    struct rows r = { query_run(db, rows_sql[kind], run_id), query_run(db, axes_sql, run_id),
                      query_run(db, text_sql, run_id) };

    sqlite3_bind_int(r.axes.st, 2, kind == RUN_TRAINED);
    return r;
}

static int close_rows(struct rows *r)
{
    int rows = query_close(&r->rows), axes = query_close(&r->axes), text = query_close(&r->text);

    return rows ? rows : axes ? axes : text;
}

/* The path of the next axis, NULL after the last one. */
static const char *next_axis(struct rows *r)
{
    return query_next(&r->axes) ? query_text(&r->axes, 0) : NULL;
}

/* Where the row's point lies on the axis, as the scenario writes it. */
static const char *place_on(struct rows *r, const char *axis)
{
    sqlite3_reset(r->text.st);
    sqlite3_bind_int64(r->text.st, 2, sqlite3_column_int64(r->rows.st, 0));
    sqlite3_bind_text(r->text.st, 3, axis, -1, SQLITE_TRANSIENT);
    return query_next(&r->text) ? query_text(&r->text, 0) : "";
}

static void csv_header(struct rows *r, FILE *out)
{
    const char *axis;

    fputs("variant", out);
    while ((axis = next_axis(r))) {
        fputc(',', out);
        csv_text(out, axis);
    }
    for (int i = 2; i < sqlite3_column_count(r->rows.st); i++)
        fprintf(out, ",%s", sqlite3_column_name(r->rows.st, i));
    fputc('\n', out);
}

static void csv_row(struct rows *r, FILE *out)
{
    const char *axis;

    csv_text(out, query_text(&r->rows, 1));
    sqlite3_reset(r->axes.st);
    while ((axis = next_axis(r))) {
        fputc(',', out);
        csv_text(out, place_on(r, axis));
    }
    for (int i = 2; i < sqlite3_column_count(r->rows.st); i++) {
        fputc(',', out);
        if (sqlite3_column_type(r->rows.st, i) == SQLITE_TEXT)
            csv_text(out, query_text(&r->rows, i));
        else if (!query_null(&r->rows, i))
            fprintf(out, "%.17g", query_real(&r->rows, i));
    }
    fputc('\n', out);
}

int run_table_csv(struct store *s, int64_t run_id, FILE *out)
{
    struct rows r = open_rows(s, run_id);

    csv_header(&r, out);
    while (query_next(&r.rows))
        csv_row(&r, out);
    return close_rows(&r);
}

static void json_row(struct rows *r, FILE *out)
{
    const char *axis, *separator = "";

    fputs("{\"variant\": ", out);
    json_text(query_text(&r->rows, 1), out);
    fputs(", \"at\": {", out);
    sqlite3_reset(r->axes.st);
    for (; (axis = next_axis(r)); separator = ", ") {
        fputs(separator, out);
        json_text(axis, out);
        fputs(": ", out);
        json_text(place_on(r, axis), out);
    }
    fputs("}", out);
    for (int i = 2; i < sqlite3_column_count(r->rows.st); i++) {
        fprintf(out, ", \"%s\": ", sqlite3_column_name(r->rows.st, i));
        if (sqlite3_column_type(r->rows.st, i) == SQLITE_TEXT)
            json_text(query_text(&r->rows, i), out);
        else if (query_null(&r->rows, i))
            fputs("null", out);
        else
            fprintf(out, "%.17g", query_real(&r->rows, i));
    }
    fputs("}", out);
}

int run_table_json(struct store *s, int64_t run_id, FILE *out)
{
    struct rows r = open_rows(s, run_id);

    fputs("[", out);
    for (const char *separator = "\n"; query_next(&r.rows); separator = ",\n") {
        fputs(separator, out);
        json_row(&r, out);
    }
    fputs("\n]\n", out);
    return close_rows(&r);
}
