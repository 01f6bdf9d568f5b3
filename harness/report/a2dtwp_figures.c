#include "harness/report/a2dtwp.h"
#include "harness/report/query.h"
#include "harness/report/table.h"
#include "harness/report/text.h"
#include "harness/status.h"

/* ?1 is the table; the difference is in the cells' own unit: per cent of a percentage would mislead. */
static const char rows_sql[] =
    "SELECT w.label, b.published, e.ours, e.ours - e.published, e.kind, a.published, f.ours,"
    " f.ours - f.published, f.kind"
    " FROM paper_row w"
    " JOIN paper_value b ON (b.paper, b.table_id, b.row_key) = (w.paper, w.table_id, w.row_key)"
    "  AND b.column_key = 'x86-k80'"
    " JOIN paper_value a ON (a.paper, a.table_id, a.row_key) = (w.paper, w.table_id, w.row_key)"
    "  AND a.column_key = 'power9-v100'"
    " LEFT JOIN comparison e ON (e.paper, e.table_id, e.row_key, e.column_key) ="
    "  (b.paper, b.table_id, b.row_key, b.column_key)"
    " LEFT JOIN comparison f ON (f.paper, f.table_id, f.row_key, f.column_key) ="
    "  (a.paper, a.table_id, a.row_key, a.column_key)"
    " WHERE w.paper = 'a2dtwp' AND w.table_id = ?1 ORDER BY w.place";

static int print_systems(sqlite3 *db, FILE *out, const char *table, const char *diff)
{
    const struct table_style style = { { "x86 + K80", "POWER9 + V100" }, diff };
    struct query q = query_open(db, rows_sql, table, NULL);

    table_head(out, &style);
    while (query_next(&q)) {
        if (sqlite3_stricmp(query_text(&q, 0), "average") == 0)
            table_rule(out);
        table_row(out, &style, &q);
    }
    fputc('\n', out);
    return query_close(&q);
}

static int print_contradictions(sqlite3 *db, FILE *out)
{
    struct query q = query_open(db,
                                "SELECT c.table_id, c.label, c.profile_gain_pct, c.figure_gain_pct, s.computed,"
                                " s.stated, s.n FROM a2dtwp_contradiction c JOIN stated_average s"
                                " ON s.paper = 'a2dtwp' AND s.table_id = 'fig4' AND s.column_key = c.system"
                                " ORDER BY c.place",
                                NULL);

    while (query_next(&q))
        text_paragraph(out,
                       "%s: the sums of the paper's own Table %s give %.1f %% less time a batch, where Figure 4 has"
                       " %.2f %% for the same network and batch size; the %d gains that the text gives average %.2f %%,"
                       " where it states %.2f %%.",
                       query_text(&q, 1), query_text(&q, 0), query_real(&q, 2), query_real(&q, 3),
                       (int)query_real(&q, 6), query_real(&q, 4), query_real(&q, 5));
    fputc('\n', out);
    return query_close(&q);
}

int a2dtwp_figure4(sqlite3 *db, FILE *out)
{
    int rc;

    fprintf(out, "Figure 4: time saved by A2DTWP over the 32-bit baseline, in %% (diff: points)\n\n");
    rc = print_systems(db, out, "fig4", "%+.2f");
    if (rc)
        return rc;
    text_paragraph(out,
                   "Figure 4 is the time to reach an accuracy, so it also holds how many batches each policy needed;"
                   " ours is the time per batch. The two are the same only where both policies need equally many"
                   " batches, which the paper does not say. It also contradicts itself, so that no model of one batch"
                   " can meet all of it:");
    return print_contradictions(db, out);
}

int a2dtwp_text(sqlite3 *db, FILE *out)
{
    struct query q;
    int rc;

    fprintf(out, "Sections V-B and V-G, the text's own figures\n\n");
    rc = print_systems(db, out, "text", "%+.2f");
    if (rc)
        return rc;
    text_paragraph(out, "Bytes per flop in the paper: GB/s of the link over TFLOP/s of the machine, which is bytes per"
                        " kFLOP.");
    q = query_open(db,
                   "SELECT published FROM paper_value WHERE paper = 'a2dtwp' AND table_id = 'text'"
                   " AND row_key = 'weight size reduction'",
                   NULL);
    if (query_next(&q))
        text_paragraph(out,
                       "The reduction of the weights' size, close to %gx, is taken from the text: an input, not a"
                       " fit.",
                       query_real(&q, 0));
    return query_close(&q);
}
