#include "harness/report/a2dtwp.h"
#include "harness/report/query.h"
#include "harness/report/table.h"
#include "harness/report/text.h"
#include "harness/status.h"

static const char rows_sql[] =
    "SELECT w.label, b.published, e.ours, e.error_pct, e.kind, a.published, f.ours, f.error_pct, f.kind"
    " FROM paper_row w"
    " LEFT JOIN paper_value b ON (b.paper, b.table_id, b.row_key) = (w.paper, w.table_id, w.row_key)"
    "  AND b.column_key = '32-bit FP'"
    " LEFT JOIN paper_value a ON (a.paper, a.table_id, a.row_key) = (w.paper, w.table_id, w.row_key)"
    "  AND a.column_key = 'A2DTWP'"
    " LEFT JOIN cell_error e ON (e.paper, e.table_id, e.row_key, e.column_key) ="
    "  (b.paper, b.table_id, b.row_key, b.column_key)"
    " LEFT JOIN cell_error f ON (f.paper, f.table_id, f.row_key, f.column_key) ="
    "  (a.paper, a.table_id, a.row_key, a.column_key)"
    " WHERE w.paper = 'a2dtwp' AND w.table_id = ?1 ORDER BY w.place";

/* A sum of ours is printed only where no addend is missing. */
static const char sums_sql[] =
    "SELECT 'Sum of the rows', b.published, CASE WHEN b.covered = b.cells THEN b.ours END,"
    " 100.0 * (b.ours / b.published - 1.0), '', a.published, CASE WHEN a.covered = a.cells THEN a.ours END,"
    " 100.0 * (a.ours / a.published - 1.0), ''"
    " FROM column_sum b JOIN column_sum a USING (paper, table_id)"
    " WHERE b.paper = 'a2dtwp' AND b.table_id = ?1 AND b.column_key = '32-bit FP' AND a.column_key = 'A2DTWP'";

static int print_query(sqlite3 *db, FILE *out, const struct table_style *style, const char *sql, const char *table)
{
    struct query q = query_open(db, sql, table, NULL);

    while (query_next(&q))
        table_row(out, style, &q);
    return query_close(&q);
}

static int print_profile(sqlite3 *db, FILE *out, const char *table, const char *machine)
{
    static const struct table_style style = { { "32-bit FP", "A2DTWP" }, "%+.1f%%" };
    int rc;

    fprintf(out, "Table %s: one batch of VGG, batch size 64, on %s, in ms\n\n", table, machine);
    table_head(out, &style);
    rc = print_query(db, out, &style, rows_sql, table);
    table_rule(out);
    if (!rc)
        rc = print_query(db, out, &style, sums_sql, table);
    fputc('\n', out);
    return rc;
}

static int print_error(sqlite3 *db, FILE *out)
{
    struct query q =
        query_open(db,
                   "SELECT count(*) FILTER (WHERE e.kind = 'predicted'), count(*) FILTER (WHERE e.kind = 'calibrated'),"
                   " (SELECT count(*) FROM paper_value p WHERE p.paper = 'a2dtwp' AND p.table_id IN ('II', 'III')),"
                   " avg(abs(e.error_pct)) FILTER (WHERE e.kind = 'predicted')"
                   " FROM cell_error e WHERE e.paper = 'a2dtwp' AND e.table_id IN ('II', 'III')",
                   NULL);

    if (query_next(&q)) {
        int predicted = (int)query_real(&q, 0), calibrated = (int)query_real(&q, 1), cells = (int)query_real(&q, 2);

        text_paragraph(
            out,
            "cal: a constant was fitted to this cell, so it cannot fail and is not counted. pred: nothing was"
            " fitted to it. Of the %d cells %d are cal and %d are pred%s.",
            cells, calibrated, predicted, cells == calibrated + predicted ? "" : "; the rest were not run");
        if (predicted > 0)
            text_paragraph(out, "Mean absolute error over the %d predicted cells of Tables II and III: %.1f %%.",
                           predicted, query_real(&q, 3));
    }
    return query_close(&q);
}

static int print_worst(sqlite3 *db, FILE *out)
{
    struct query q = query_open(db,
                                "SELECT e.table_id, e.row_key, e.column_key, e.published, e.ours, e.error_pct, n.note"
                                " FROM cell_error e LEFT JOIN paper_note n USING (paper, table_id, row_key, column_key)"
                                " WHERE e.paper = 'a2dtwp' AND e.table_id IN ('II', 'III') AND e.kind = 'predicted'"
                                " ORDER BY abs(e.error_pct) DESC, e.table_id, e.row_key, e.column_key LIMIT 1",
                                NULL);

    if (query_next(&q))
        text_paragraph(out,
                       "Worst predicted cell: Table %s, %s, %s: published %.2f ms, ours %.2f ms (%+.1f %%). Reason: %s",
                       query_text(&q, 0), query_text(&q, 1), query_text(&q, 2), query_real(&q, 3), query_real(&q, 4),
                       query_real(&q, 5), query_null(&q, 6) ? "none is on record." : query_text(&q, 6));
    fputc('\n', out);
    return query_close(&q);
}

int a2dtwp_tables(sqlite3 *db, FILE *out)
{
    struct query q =
        query_open(db, "SELECT table_id, label FROM paper_system WHERE paper = 'a2dtwp' ORDER BY place", NULL);
    int rc = NW_OK;

    while (!rc && query_next(&q))
        rc = print_profile(db, out, query_text(&q, 0), query_text(&q, 1));
    if (query_close(&q))
        return NW_EDB;
    if (!rc)
        rc = print_error(db, out);
    return rc ? rc : print_worst(db, out);
}
