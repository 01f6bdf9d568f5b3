/* threelc_traffic.c - what the trained designs sent, and how far they came in how many steps and how much time. */
#include "harness/report/query.h"
#include "harness/report/sizes.h"
#include "harness/report/text.h"
#include "harness/report/threelc_training.h"
#include "harness/status.h"

enum { DESIGN = 20, ROW = 10 };

static void bits_row(FILE *out, struct query *q)
{
    text_cell(out, query_text(q, 0), ROW);
    text_number(out, "%.1f", query_real(q, 1), -7);
    text_number(out, "%.1f", query_real(q, 2), -8);
    text_number(out, "%+.1f%%", 100 * (query_real(q, 2) / query_real(q, 1) - 1), -9);
    text_number(out, "%.3f", query_real(q, 3), -10);
    text_number(out, "%.3f", query_real(q, 4), -8);
    threelc_number(out, q, 5, "%.3f", 1, -8);
    text_number(out, "%.0f", query_real(q, 6), -4);
    fputc('\n', out);
}

/* Without zero-run encoding every step sends the same, so that however many were trained will do. */
static int bits(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(
        db,
        "SELECT w.label, pr.published, r.mean, pb.published, b.mean, b.deviation, b.n FROM paper_row w"
        " JOIN paper_value pr USING (paper, table_id, row_key) JOIN paper_value pb USING (paper, table_id, row_key)"
        " JOIN threelc_design r ON r.name = 'compression_ratio' AND r.variant = '3LC (' ||"
        "  CASE w.row_key WHEN 'No ZRE' THEN 'no ZRE' ELSE 's=' || w.row_key END || ')'"
        " JOIN threelc_design b ON b.name = 'bits_per_value' AND b.size = r.size AND b.variant = r.variant"
        "  AND b.steps = r.steps"
        " WHERE w.paper = '3lc' AND w.table_id = '2' AND pr.column_key = 'ratio' AND pb.column_key = 'bits'"
        " AND r.size = " SIZES_ASKED " AND (r.steps_pct = 100 OR w.row_key = 'No ZRE') ORDER BY w.place",
        size, NULL);
    int rows = 0, rc = NW_OK;

    while (!rc && query_next(&q)) {
        if (!rows++) {
            rc = threelc_heading(db, out, "Table 2, what 3LC sends", size);
            fputs("\n          compression ratio (x)        bits a value\n"
                  "            paper    ours     diff     paper    ours     dev   n\n",
                  out);
            text_rule(out, 64);
        }
        bits_row(out, &q);
    }
    if (rows) {
        fputc('\n', out);
        text_paragraph(out, "Of the tensors that go through the codec, in both directions, their headers included.");
        fputc('\n', out);
    }
    int closed = query_close(&q);
    return rc ? rc : closed;
}

int threelc_trained_bits(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "threelc_point", bits);
}

static void share_cell(FILE *out, struct query *q, int column)
{
    char text[32];

    if (query_null(q, column))
        snprintf(text, sizeof(text), "-");
    else if (query_null(q, column + 1))
        snprintf(text, sizeof(text), "%.1f", query_real(q, column));
    else
        snprintf(text, sizeof(text), "%.1f ±%4.1f", query_real(q, column), query_real(q, column + 1));
    text_cell(out, text, -14);
}

#define SHARE(percent) \
    " max(d.mean) FILTER (WHERE d.steps_pct = " percent "), max(d.deviation) FILTER (WHERE d.steps_pct = " percent ")"

static int convergence(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(
        db,
        "SELECT d.variant," SHARE("25") "," SHARE("50") "," SHARE("75") "," SHARE(
            "100") " FROM threelc_design d"
                   " JOIN paper_row w ON w.paper = '3lc' AND w.table_id = '1' AND w.row_key = d.variant WHERE d.name = 'accuracy'"
                   " AND d.size = " SIZES_ASKED " AND EXISTS (SELECT 1 FROM threelc_design o WHERE o.size = d.size"
                   "  AND o.steps_pct < 100 AND o.variant = d.variant) GROUP BY d.variant ORDER BY w.place",
        size, NULL);
    int rows = 0, rc = NW_OK;

    while (!rc && query_next(&q)) {
        if (!rows++) {
            rc = threelc_heading(db, out, "Figures 4 to 6, accuracy (%) when trained for a share of the steps", size);
            fputs("\n                              25 %          50 %          75 %         100 %\n", out);
            text_rule(out, DESIGN + 56);
        }
        text_cell(out, query_text(&q, 0), DESIGN);
        for (int i = 0; i < 4; i++)
            share_cell(out, &q, 1 + 2 * i);
        fputc('\n', out);
    }
    if (rows)
        fputc('\n', out);
    int closed = query_close(&q);
    return rc ? rc : closed;
}

int threelc_trained_convergence(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "threelc_point", convergence);
}

#define SPEEDUP(bandwidth)                                                                         \
    " max(p.published) FILTER (WHERE p.column_key = '" bandwidth "'), max(b.mean / d.mean) FILTER" \
    " (WHERE p.column_key = '" bandwidth "')"

static int speedup(struct sqlite3 *db, FILE *out, const char *size)
{
    struct query q = query_open(
        db,
        "SELECT d.variant," SPEEDUP("10 Mbit/s") "," SPEEDUP("100 Mbit/s") "," SPEEDUP(
            "1 Gbit/s") " FROM paper_value p"
                        " JOIN paper_row w USING (paper, table_id, row_key) JOIN threelc_design d ON d.variant = p.row_key"
                        "  AND d.name = 'seconds ' || p.column_key AND d.steps_pct = 100"
                        " JOIN threelc_design b ON b.variant = '32-bit float' AND b.size = d.size AND b.name = d.name"
                        "  AND b.steps = d.steps WHERE p.paper = '3lc' AND p.table_id = '1' AND d.size = " SIZES_ASKED
                        " AND d.variant <> b.variant GROUP BY d.variant ORDER BY w.place",
        size, NULL);
    int rows = 0, rc = NW_OK;

    while (!rc && query_next(&q)) {
        if (!rows++) {
            text_paragraph(out,
                           "Table 1, speedup (x) of the standard steps: simulated as before, but with the bits that"
                           " every step of these trainings sent in place of Table 2's averages");
            fputs("\n                         10 Mbit/s       100 Mbit/s         1 Gbit/s\n"
                  "                       paper    ours    paper    ours    paper    ours\n",
                  out);
            text_rule(out, DESIGN + 51);
        }
        text_cell(out, query_text(&q, 0), DESIGN);
        for (int i = 0; i < 3; i++) {
            threelc_number(out, &q, 1 + 2 * i, "%.4g", 1, i ? -9 : -8);
            threelc_number(out, &q, 2 + 2 * i, "%.3g", 1, -8);
        }
        fputc('\n', out);
    }
    if (rows)
        fputc('\n', out);
    int closed = query_close(&q);
    return rc ? rc : closed;
}

int threelc_trained_speedup(struct sqlite3 *db, FILE *out)
{
    return sizes_each(db, out, "threelc_point", speedup);
}
