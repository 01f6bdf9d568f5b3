#include "harness/run/outcome.h"

#include <sqlite3.h>
#include <string.h>

#include "harness/scenario/units.h"
#include "harness/status.h"
#include "harness/store/store.h"

enum { MAX_ROWS = 48, WHERE_WIDTH = 64 };

/* How the points of a run are printed, and the view that has all of them. */
struct table {
    const char *sql, *view;
    void (*head)(sqlite3_stmt *q, FILE *out);
    void (*row)(sqlite3_stmt *q, FILE *out);
};

enum { PLACE = 512 };

/* Where a point lies, with what its axes say in few digits. */
static const char *place_of(sqlite3_stmt *q, char text[PLACE])
{
    const char *place = (const char *)sqlite3_column_text(q, 0);

    return quantity_short(place ? place : "", text, PLACE);
}

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
    char place[PLACE];

    fprintf(out, "%-*.*s  %-12s %12.3f", WHERE_WIDTH, WHERE_WIDTH, place_of(q, place), text_of(q, 1),
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
    char place[PLACE];
    double samples_per_s = sqlite3_column_double(q, 3);

    fprintf(out, "%-*.*s  %-*s %7.0f ", sqlite3_column_int(q, 9), WHERE_WIDTH, place_of(q, place),
            sqlite3_column_int(q, 10), text_of(q, 1), sqlite3_column_double(q, 2));
    if (sqlite3_column_double(q, 8) <= 0)
        fprintf(out, "%20s", "does not fit");
    else if (sqlite3_column_type(q, 4) == SQLITE_NULL || sqlite3_column_int(q, 5))
        fprintf(out, "%10.*f%10s", samples_per_s < 10 ? 3 : 1, samples_per_s, "");
    else
        fprintf(out, "%10.*f%8.2f %%", samples_per_s < 10 ? 3 : 1, samples_per_s, sqlite3_column_double(q, 4));
    fprintf(out, " %10.3f %11.1f\n", sqlite3_column_double(q, 6), sqlite3_column_double(q, 7));
}

/* What networks came to learn, each by the measure that its data has. */
static const char trained_sql[] =
    "WITH p AS (SELECT * FROM run_point WHERE run_id = ?1 ORDER BY position LIMIT ?2),"
    " m AS (SELECT p.*, coalesce((SELECT group_concat(q.last || ' ' || q.text, ', ') FROM"
    "   (SELECT replace(path, rtrim(path, replace(path, '.', '')), '') AS last, text FROM point_param a"
    "     WHERE a.run_id = p.run_id AND a.position = p.position) q), '-') AS place,"
    "  max(iif(v.name = 'steps', v.value, NULL)) AS steps, max(iif(v.name = 'loss', v.value, NULL)) AS loss,"
    "  max(iif(v.name = 'test_loss', v.value, NULL)) AS test_loss,"
    "  max(iif(v.name = 'compression_ratio', v.value, NULL)) AS ratio,"
    "  max(iif(v.name = 'accuracy', v.value, NULL)) AS accuracy, max(iif(v.name = 'auc', v.value, NULL)) AS auc,"
    "  max(iif(v.name = 'bleu', v.value, NULL)) AS bleu"
    "  FROM p LEFT JOIN measure v ON v.point_id = p.point_id GROUP BY p.position)"
    "SELECT place, variant, printf('%d', steps), iif(loss IS NULL, '-', printf('%.4f', loss)),"
    " iif(test_loss IS NULL, '-', printf('%.4f', test_loss)),"
    " CASE WHEN bleu IS NOT NULL THEN printf('%.2f BLEU', bleu) WHEN auc IS NOT NULL THEN printf('%.4f AUC', auc)"
    "  WHEN accuracy IS NOT NULL THEN printf('%.2f %%', accuracy) ELSE '-' END,"
    " iif(ratio IS NULL, '-', printf('%.4g x', ratio)),"
    " min(64, max(5, max(length(place)) OVER ())), max(12, max(length(variant)) OVER ()) FROM m ORDER BY position";

static void trained_head(sqlite3_stmt *q, FILE *out)
{
    fprintf(out, "%-*s  %-*s %8s %10s %10s %12s %10s\n", sqlite3_column_int(q, 7), "point", sqlite3_column_int(q, 8),
            "variant", "steps", "loss", "test loss", "on tests", "ratio");
}

static void trained_row(sqlite3_stmt *q, FILE *out)
{
    char place[PLACE];

    fprintf(out, "%-*.*s  %-*s %8s %10s %10s %12s %10s\n", sqlite3_column_int(q, 7), WHERE_WIDTH, place_of(q, place),
            sqlite3_column_int(q, 8), text_of(q, 1), text_of(q, 2), text_of(q, 3), text_of(q, 4), text_of(q, 5),
            text_of(q, 6));
}

static const struct table gains = { gain_sql, "gain", gain_head, gain_row },
                          plans = { plan_sql, "plan_point", plan_head, plan_row },
                          trained = { trained_sql, "training_spread", trained_head, trained_row };

static const char is_plans[] = "SELECT 1 FROM plan_run WHERE run_id = ?1";

/* Points that were simulated, too, are shown by their times. */
static const char is_trained[] = "SELECT 1 FROM run_point p JOIN measure m USING (point_id) WHERE p.run_id = ?1"
                                 " AND m.name = 'steps' AND NOT EXISTS (SELECT 1 FROM measure t"
                                 " WHERE t.point_id = p.point_id AND t.name = 'step_ms') LIMIT 1";

static _Bool holds(sqlite3 *db, const char *sql, int64_t run_id)
{
    sqlite3_stmt *q = NULL;
    _Bool found = 0;

    if (sqlite3_prepare_v2(db, sql, -1, &q, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(q, 1, run_id);
        found = sqlite3_step(q) == SQLITE_ROW;
    }
    sqlite3_finalize(q);
    return found;
}

int outcome_print(struct store *s, int64_t run_id, const char *db, FILE *out)
{
    sqlite3 *handle = store_handle(s);
    const struct table *t = holds(handle, is_plans, run_id)     ? &plans
                            : holds(handle, is_trained, run_id) ? &trained
                                                                : &gains;
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
