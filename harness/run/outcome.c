#include "harness/run/outcome.h"

#include <sqlite3.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/store.h"

enum { MAX_ROWS = 48, WHERE_WIDTH = 64 };

/* How the points of a run are printed, and the view that has all of them. */
struct table {
    const char *sql, *view;
    void (*head)(sqlite3_stmt *q, FILE *out);
    void (*row)(sqlite3_stmt *q, FILE *out);
};

static const char *text_of(sqlite3_stmt *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q, column);

    return text ? text : "";
}

/* The view gain spelled out for the rows shown, so that a sweep of thousands of points is not sorted through for them. Time
 * saved is per sample: variants may differ in their batch. */
static const char gain_sql[] =
    "WITH p AS (SELECT * FROM run_point WHERE run_id = ?1 ORDER BY position LIMIT ?2)"
    "SELECT coalesce((SELECT group_concat(q.last || ' ' || q.text, ', ') FROM"
    "   (SELECT replace(path, rtrim(path, replace(path, '.', '')), '') AS last, text FROM point_param a"
    "     WHERE a.run_id = p.run_id AND a.position = p.position) q), '-'),"
    " p.variant, m.value, 100.0 * (1.0 - t.value / b.value), p.variant = r.baseline"
    "  FROM p JOIN run r ON r.id = p.run_id"
    "  JOIN measure m ON m.point_id = p.point_id AND m.name = 'step_ms'"
    "  LEFT JOIN measure t ON t.point_id = p.point_id AND t.name = 'sample_us'"
    "  LEFT JOIN run_point o ON o.run_id = p.run_id AND o.combination = p.combination"
    "   AND o.variant = r.baseline AND r.baseline <> ''"
    "  LEFT JOIN measure b ON b.point_id = o.point_id AND b.name = 'sample_us'"
    " ORDER BY p.position";

static void gain_head(sqlite3_stmt *q, FILE *out)
{
    (void)q;
    fprintf(out, "%-*s  %-12s %12s %11s\n", WHERE_WIDTH, "point", "variant", "step (ms)", "time saved");
}

/* The last part of a swept path names the axis; a file name stands for a model or platform. */
static void gain_row(sqlite3_stmt *q, FILE *out)
{
    fprintf(out, "%-*.*s  %-12s %12.3f", WHERE_WIDTH, WHERE_WIDTH, text_of(q, 0), text_of(q, 1),
            sqlite3_column_double(q, 2));
    if (sqlite3_column_type(q, 3) != SQLITE_NULL && !sqlite3_column_int(q, 4))
        fprintf(out, " %+9.2f %%", sqlite3_column_double(q, 3));
    fputc('\n', out);
}

/* Each row says how wide the widest are, the last two columns: of thousands of points only those shown are looked at. */
static const char plan_sql[] =
    "WITH p AS (SELECT * FROM plan_point WHERE run_id = ?1 ORDER BY position LIMIT ?2)"
    "SELECT coalesce(nullif(place, ''), '-'), variant, batch, samples_per_s, loss_pct, is_baseline, pool_GB, stall_ms, fits,"
    " min(64, max(5, max(length(place)) OVER ())), max(12, max(length(variant)) OVER ()) FROM p ORDER BY position";

static void plan_head(sqlite3_stmt *q, FILE *out)
{
    fprintf(out, "%-*s  %-*s %7s %10s %9s %10s %11s\n", sqlite3_column_int(q, 9), "point", sqlite3_column_int(q, 10),
            "variant", "batch", "samples/s", "lost", "pool (GB)", "stall (ms)");
}

/* Of what does not fit the throughput is one on paper. */
static void plan_row(sqlite3_stmt *q, FILE *out)
{
    double samples_per_s = sqlite3_column_double(q, 3);

    fprintf(out, "%-*.*s  %-*s %7.0f ", sqlite3_column_int(q, 9), WHERE_WIDTH, text_of(q, 0), sqlite3_column_int(q, 10),
            text_of(q, 1), sqlite3_column_double(q, 2));
    if (sqlite3_column_double(q, 8) <= 0)
        fprintf(out, "%20s", "does not fit");
    else if (sqlite3_column_type(q, 4) == SQLITE_NULL || sqlite3_column_int(q, 5))
        fprintf(out, "%10.*f%10s", samples_per_s < 10 ? 3 : 1, samples_per_s, "");
    else
        fprintf(out, "%10.*f%8.2f %%", samples_per_s < 10 ? 3 : 1, samples_per_s, sqlite3_column_double(q, 4));
    fprintf(out, " %10.3f %11.1f\n", sqlite3_column_double(q, 6), sqlite3_column_double(q, 7));
}

static const struct table gains = { gain_sql, "gain", gain_head, gain_row },
                          plans = { plan_sql, "plan_point", plan_head, plan_row };

static _Bool is_plans(sqlite3 *db, int64_t run_id)
{
    sqlite3_stmt *q = NULL;
    _Bool found = 0;

    if (sqlite3_prepare_v2(db, "SELECT 1 FROM plan_run WHERE run_id = ?1", -1, &q, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(q, 1, run_id);
        found = sqlite3_step(q) == SQLITE_ROW;
    }
    sqlite3_finalize(q);
    return found;
}

int outcome_print(struct store *s, int64_t run_id, const char *db, FILE *out)
{
    const struct table *t = is_plans(store_handle(s), run_id) ? &plans : &gains;
    sqlite3_stmt *q = NULL;
    int rows = 0, rc;

    if (sqlite3_prepare_v2(store_handle(s), t->sql, -1, &q, NULL) != SQLITE_OK) {
        fprintf(stderr, "narrows: %s: cannot read the run back: %s\n", db, sqlite3_errmsg(store_handle(s)));
        return NW_EDB;
    }
    sqlite3_bind_int64(q, 1, run_id);
    sqlite3_bind_int(q, 2, MAX_ROWS + 1);
    while ((rc = sqlite3_step(q)) == SQLITE_ROW && rows < MAX_ROWS) {
        if (!rows++)
            t->head(q, out);
        t->row(q, out);
    }
    if (rc == SQLITE_ROW)
        fprintf(out, "... and more: sqlite3 '%s' 'SELECT * FROM %s WHERE run_id = %lld'\n", db, t->view,
                (long long)run_id);
    sqlite3_finalize(q);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? NW_OK : NW_EDB;
}
