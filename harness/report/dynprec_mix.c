/* dynprec_mix.c - Figure 2a: what a step's multiply-adds are for, and how many there are. */
#include "harness/report/dynprec.h"
#include "harness/report/query.h"
#include "harness/report/sizes.h"
#include "harness/report/text.h"
#include "harness/status.h"

enum { LABEL = 30, NETWORK = 14 };

/* A line of columns, a network each: of the query's rows in their order. */
static int line(struct sqlite3 *db, FILE *out, const char *label, const char *sql, const char *size, const char *format)
{
    struct query q = query_open(db, sql, size, NULL);
    int columns = 0;

    while (query_next(&q)) {
        if (!columns++)
            text_cell(out, label, LABEL);
        format ? dynprec_number(out, &q, 0, format, -NETWORK) : text_cell(out, query_text(&q, 0), -NETWORK);
    }
    if (columns)
        fputc('\n', out);
    return query_close(&q);
}

#define OF_PART(n) "SELECT pct FROM dynprec_mix WHERE size = " SIZES_ASKED " AND part = " n " ORDER BY place"

static int parts(struct sqlite3 *db, FILE *out, const char *size)
{
    static const struct {
        const char *label, *sql, *format;
    } lines[] = {
        { "", "SELECT label FROM dynprec_mix WHERE size = " SIZES_ASKED " AND part = 1 ORDER BY place", NULL },
        { "forward", OF_PART("1"), "%.2f" },
        { "backward, errors", OF_PART("2"), "%.2f" },
        { "backward, gradients", OF_PART("3"), "%.2f" },
        { "batch norm", OF_PART("4"), "%.3f" },
        { "weight update", OF_PART("5"), "%.3f" },
        { "norm and update", "SELECT ours FROM dynprec_fp32 WHERE size = " SIZES_ASKED " ORDER BY place", "%.3f" },
        { "  what Table 1 leaves", "SELECT published FROM dynprec_fp32 WHERE size = " SIZES_ASKED " ORDER BY place",
          "%.2f" },
    };
    int rc = NW_OK;

    for (size_t i = 0; i < sizeof(lines) / sizeof(*lines) && !rc; i++) {
        if (i == 1 || i == 6)
            text_rule(out, LABEL + 3 * NETWORK);
        rc = line(db, out, lines[i].label, lines[i].sql, size, lines[i].format);
    }
    return rc;
}

#define CELL(what)                                                                                                  \
    "SELECT " what " FROM comparison c JOIN paper_row w USING (paper, table_id, row_key) WHERE c.paper = 'dynprec'" \
    " AND c.table_id = 'fig2a' AND c.column_key = 'FMAs an image' AND ?1 <> '' ORDER BY w.place"

static int images(struct sqlite3 *db, FILE *out)
{
    int rc = line(db, out, "FMAs an image (1e9)", CELL("c.ours"), "1", "%.2f");

    rc = rc ? rc : line(db, out, "  Figure 2a, worked out", CELL("c.published"), "1", "%.2f");
    return rc ? rc : line(db, out, "  diff (%)", CELL("100 * (c.ours / c.published - 1)"), "1", "%+.1f");
}

/* Why a count is missed by more than a tenth. */
static int notes(struct sqlite3 *db, FILE *out)
{
    struct query q = query_open(
        db,
        "SELECT w.label, n.note FROM comparison c JOIN paper_note n USING (paper, table_id, row_key, column_key)"
        " JOIN paper_row w USING (paper, table_id, row_key) WHERE c.paper = 'dynprec' AND c.table_id = 'fig2a'"
        " AND abs(c.ours / c.published - 1) > 0.1 ORDER BY w.place",
        NULL);

    while (query_next(&q))
        text_paragraph(out, "%s: %s", query_text(&q, 0), query_text(&q, 1));
    return query_close(&q);
}

static int words(struct sqlite3 *db, FILE *out)
{
    struct query q = query_open(
        db,
        "SELECT i.published, f.published, s.published, w.published, 100 * s.published / i.published, 100 - b.published,"
        " 16 * (s.published / x.published) * 1e9 / m.values_an_image FROM paper_value i, paper_value f, paper_value s,"
        " paper_value w, paper_value b, paper_value x, (SELECT fmas / batch / 8 AS values_an_image FROM dynprec_mix WHERE"
        " size = 1 AND network = 'ResNet-50' AND part = 4) m WHERE i.paper = 'dynprec' AND i.table_id = 'fig2a' AND"
        " i.row_key = 'ResNet-50' AND i.column_key = 'instructions' AND (f.paper, f.table_id, f.row_key) = (i.paper,"
        " i.table_id, i.row_key) AND f.column_key = 'FMA instructions' AND (s.paper, s.table_id, s.row_key) = (i.paper,"
        " i.table_id, i.row_key) AND s.column_key = 'WU and BN' AND (w.paper, w.table_id, w.row_key) = (i.paper,"
        " i.table_id, i.row_key) AND w.column_key = 'WU and BN share' AND b.paper = i.paper AND b.table_id = '1' AND"
        " b.row_key = i.row_key AND b.column_key = 'BF16 FMAs' AND (x.paper, x.table_id, x.row_key) = (i.paper,"
        " i.table_id, i.row_key) AND x.column_key = 'batch'",
        NULL);

    if (query_next(&q))
        text_paragraph(
            out,
            "Figure 2a counts instructions of AVX-512, an FMA of sixteen values each; we count multiply-adds, zeros of the"
            " padding among them. A norm's value is counted with eight (three forward, five backward), a parameter with three"
            " a step. Of ResNet-50 the paper has %.0f million instructions for both, which it calls %.2f %% of the"
            " floating-point ones; they are %.3f %% of all %.0f billion, and Table 1 leaves %.2f %% of the FMAs. They come to"
            " %.2f multiply-adds for each normalized value, update and all, where we count eight.",
            1e3 * query_real(&q, 2), query_real(&q, 3), query_real(&q, 4), query_real(&q, 0), query_real(&q, 5),
            query_real(&q, 6));
    return query_close(&q);
}

static _Bool any(struct sqlite3 *db, const char *size)
{
    struct query q = query_open(db, "SELECT 1 FROM dynprec_mix WHERE size = " SIZES_ASKED, size, NULL);
    _Bool there = query_next(&q);

    query_close(&q);
    return there;
}

int dynprec_figure2a(struct sqlite3 *db, FILE *out)
{
    int rc = NW_OK;

    if (any(db, "1")) {
        fprintf(out, "Figure 2a: what a step's multiply-adds are for, the paper's networks (%%)\n\n");
        rc = parts(db, out, "1");
        rc = rc ? rc : images(db, out);
        fputc('\n', out);
        rc = rc ? rc : notes(db, out);
        rc = rc ? rc : words(db, out);
        fputc('\n', out);
    }
    if (!rc && any(db, "2")) {
        fprintf(out, "The same of the networks in the small (%%)\n\n");
        rc = parts(db, out, "2");
        fputc('\n', out);
    }
    return rc;
}
