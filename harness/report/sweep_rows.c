#include "harness/report/csv.h"
#include "harness/report/query.h"
#include "harness/report/sweep_run.h"
#include "harness/status.h"

/* What is said of a point beside its variant and its place, by a view. */
struct rows {
    const char *csv, *json, *heads;
    int columns;
};

static const struct rows gains = {
    "SELECT g.position, g.variant, g.step_ms, g.speedup, g.gain_pct FROM gain g WHERE g.run_id = CAST(?1 AS INTEGER)"
    " ORDER BY g.position",
    "SELECT json_object('variant', g.variant, 'at', (SELECT json_group_object(path, text) FROM (SELECT q.path, q.text"
    "  FROM point_param q WHERE q.run_id = g.run_id AND q.position = g.position ORDER BY q.path)), 'step_ms',"
    " g.step_ms, 'speedup', g.speedup, 'gain_pct', g.gain_pct) FROM gain g WHERE g.run_id = CAST(?1 AS INTEGER)"
    " ORDER BY g.position",
    ",step_ms,speedup,gain_pct\n", 3
};

static const struct rows plans = {
    "SELECT g.position, g.variant, g.batch, g.largest_batch, g.samples_per_s, g.loss_pct, g.pool_GB, g.stall_ms, g.step_ms,"
    " g.fits FROM plan_point g WHERE g.run_id = CAST(?1 AS INTEGER) ORDER BY g.position",
    "SELECT json_object('variant', g.variant, 'at', (SELECT json_group_object(path, text) FROM (SELECT q.path, q.text"
    "  FROM point_param q WHERE q.run_id = g.run_id AND q.position = g.position ORDER BY q.path)), 'batch', g.batch,"
    " 'largest_batch', g.largest_batch, 'samples_per_s', g.samples_per_s, 'loss_pct', g.loss_pct, 'pool_GB', g.pool_GB,"
    " 'stall_ms', g.stall_ms, 'step_ms', g.step_ms, 'fits', g.fits) FROM plan_point g"
    " WHERE g.run_id = CAST(?1 AS INTEGER) ORDER BY g.position",
    ",batch,largest_batch,samples_per_s,loss_pct,pool_GB,stall_ms,step_ms,fits\n", 8
};

static const struct rows *rows_of(const struct sweep_run *run)
{
    return run->plans ? &plans : &gains;
}

static int place_csv(sqlite3 *db, const struct sweep_run *run, const char *position, FILE *out)
{
    int rc = NW_OK;

    for (size_t i = 0; i < run->axes.n && !rc; i++) {
        struct query q =
            query_open(db, "SELECT text FROM point_param WHERE run_id = ?1 AND position = ?2 AND path = ?3", run->id,
                       position, run->axes.list[i].path, NULL);
        fputc(',', out);
        if (query_next(&q))
            csv_text(out, query_text(&q, 0));
        rc = query_close(&q);
    }
    return rc;
}

static int print_csv(sqlite3 *db, const struct sweep_run *run, FILE *out)
{
    struct query q = query_open(db, rows_of(run)->csv, run->id, NULL);
    int rc = NW_OK;

    fputs("variant", out);
    for (size_t i = 0; i < run->axes.n; i++) {
        fputc(',', out);
        csv_text(out, run->axes.list[i].path);
    }
    fputs(rows_of(run)->heads, out);
    while (!rc && query_next(&q)) {
        csv_text(out, query_text(&q, 1));
        rc = place_csv(db, run, query_text(&q, 0), out);
        for (int i = 2; i < 2 + rows_of(run)->columns; i++) {
            fputc(',', out);
            if (!query_null(&q, i))
                fprintf(out, "%.15g", query_real(&q, i));
        }
        fputc('\n', out);
    }
    int closed = query_close(&q);
    return rc ? rc : closed;
}

static int print_json(sqlite3 *db, const struct sweep_run *run, FILE *out)
{
    struct query q = query_open(db, rows_of(run)->json, run->id, NULL);
    const char *separator = "[\n";

    for (; query_next(&q); separator = ",\n")
        fprintf(out, "%s%s", separator, query_text(&q, 0));
    fputs("\n]\n", out);
    return query_close(&q);
}

int sweep_rows(struct sqlite3 *db, const struct sweep_run *run, enum report_format format, FILE *out)
{
    return format == REPORT_CSV ? print_csv(db, run, out) : print_json(db, run, out);
}
