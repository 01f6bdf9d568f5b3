#include "harness/run/outcome.h"

#include <sqlite3.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/store.h"

enum { MAX_ROWS = 48, WHERE_WIDTH = 64 };

/* The view gain spelled out for the rows shown, so that a sweep of thousands of points is not sorted through for them. Time
 * saved is per sample: variants may differ in their batch. */
static const char sql[] =
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

static const char *text_of(sqlite3_stmt *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q, column);

    return text ? text : "";
}

/* The last part of a swept path names the axis; a file name stands for a model or platform. */
static void print_row(sqlite3_stmt *q, FILE *out)
{
    fprintf(out, "%-*.*s  %-12s %12.3f", WHERE_WIDTH, WHERE_WIDTH, text_of(q, 0), text_of(q, 1),
            sqlite3_column_double(q, 2));
    if (sqlite3_column_type(q, 3) != SQLITE_NULL && !sqlite3_column_int(q, 4))
        fprintf(out, " %+9.2f %%", sqlite3_column_double(q, 3));
    fputc('\n', out);
}

int outcome_print(struct store *s, int64_t run_id, const char *db, FILE *out)
{
    sqlite3_stmt *q = NULL;
    int rows = 0, rc;

    if (sqlite3_prepare_v2(store_handle(s), sql, -1, &q, NULL) != SQLITE_OK) {
        fprintf(stderr, "narrows: %s: cannot read the run back: %s\n", db, sqlite3_errmsg(store_handle(s)));
        return NW_EDB;
    }
    sqlite3_bind_int64(q, 1, run_id);
    sqlite3_bind_int(q, 2, MAX_ROWS + 1);
    fprintf(out, "%-*s  %-12s %12s %11s\n", WHERE_WIDTH, "point", "variant", "step (ms)", "time saved");
    while ((rc = sqlite3_step(q)) == SQLITE_ROW && rows++ < MAX_ROWS)
        print_row(q, out);
    if (rc == SQLITE_ROW)
        fprintf(out, "... and more: sqlite3 '%s' 'SELECT * FROM gain WHERE run_id = %lld'\n", db, (long long)run_id);
    sqlite3_finalize(q);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? NW_OK : NW_EDB;
}
