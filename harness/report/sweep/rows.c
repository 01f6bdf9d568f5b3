/* rows.c - every point of a run: its variant, its place on the axes, and what a view says of it. */
#include "harness/report/part/part.h"
#include "harness/report/sweep/run.h"
#include "harness/status.h"

struct rows {
    const char *view, *columns[9];
};
static const struct rows gains = { "gain", { "step_ms", "speedup", "gain_pct" } };
static const struct rows plans = {
    "plan_point", { "batch", "largest_batch", "samples_per_s", "loss_pct", "pool_GB", "stall_ms", "step_ms", "fits" }
};

/* A column for each axis, as the scenario writes it. */
static void select_csv(sqlite3_str *sql, const struct sweep_run *run, const struct rows *rows)
{
    sqlite3_str_appendall(sql, "SELECT variant");
    for (size_t i = 0; i < run->axes.n; i++)
        sqlite3_str_appendf(sql,
                            ", (SELECT text FROM point_param q WHERE q.run_id = g.run_id AND q.position = g.position"
                            " AND q.path = %Q) AS \"%w\"",
                            run->axes.list[i].path, run->axes.list[i].path);
    for (const char *const *column = rows->columns; *column; column++)
        sqlite3_str_appendf(sql, ", %s", *column);
}

static void select_json(sqlite3_str *sql, const struct rows *rows)
{
    sqlite3_str_appendall(
        sql,
        "SELECT json_object('variant', variant, 'at', (SELECT json_group_object(path, text) FROM (SELECT path, text"
        " FROM point_param q WHERE q.run_id = g.run_id AND q.position = g.position ORDER BY path))");
    for (const char *const *column = rows->columns; *column; column++)
        sqlite3_str_appendf(sql, ", '%s', %s", *column, *column);
    sqlite3_str_appendall(sql, ")");
}

static int print_json(sqlite3 *db, const char *sql, FILE *out)
{
    struct query q = query_open(db, sql, NULL);
    const char *separator = "[\n";

    for (; query_next(&q); separator = ",\n")
        fprintf(out, "%s%s", separator, query_text(&q, 0));
    fputs("\n]\n", out);
    return query_close(&q);
}

int sweep_rows(struct sqlite3 *db, const struct sweep_run *run, enum report_format format, FILE *out)
{
    const struct rows *rows = run->plans ? &plans : &gains;
    sqlite3_str *text = sqlite3_str_new(db);
    char *sql;
    int rc;

    if (format == REPORT_CSV)
        select_csv(text, run, rows);
    else
        select_json(text, rows);
    sqlite3_str_appendf(text, " FROM %s g WHERE run_id = %s ORDER BY position", rows->view, run->id);
    sql = sqlite3_str_finish(text);
    rc = !sql                   ? NW_ENOMEM
         : format == REPORT_CSV ? part_rows(db, &(struct part){ .query = sql }, false, out)
                                : print_json(db, sql, out);
    sqlite3_free(sql);
    return rc;
}
