#include "harness/report/grid.h"

#include <math.h>
#include <string.h>

#include "harness/report/query.h"
#include "harness/report/text.h"
#include "harness/status.h"

enum { PUBLISHED = 5, OURS = 7, DIFFERENCE = 7, GROUP = PUBLISHED + OURS + DIFFERENCE };

/* ?1 paper, ?2 table, ?3 row, ?4 column */
static const char cell_sql[] =
    "SELECT p.published, c.ours, c.kind FROM paper_value p LEFT JOIN comparison c USING (paper, table_id, row_key,"
    " column_key) WHERE p.paper = ?1 AND p.table_id = ?2 AND p.row_key = ?3 AND p.column_key = ?4";

static int columns_of(const struct grid *g)
{
    int n = 0;

    while (n < GRID_COLUMNS && g->columns[n])
        n++;
    return n;
}

/* As wide as leaves room for the columns, each followed by its mark. */
static int label_width(const struct grid *g)
{
    int room = TEXT_WIDTH - columns_of(g) * (GROUP + 1);

    return room < 28 ? room : 28;
}

/* Nothing is written after a line's last text. */
static void heading(FILE *out, const struct grid *g)
{
    int n = columns_of(g), label = label_width(g);

    text_cell(out, "", label);
    for (int i = 0; i < n; i++)
        text_cell(out, g->columns[i], -GROUP - (i > 0));
    fputc('\n', out);
    text_cell(out, "", label);
    for (int i = 0; i < n; i++) {
        text_cell(out, "paper", -PUBLISHED - (i > 0));
        text_cell(out, "ours", -OURS);
        text_cell(out, g->difference == GRID_POINTS ? "points" : "diff", -DIFFERENCE);
    }
    fputc('\n', out);
    text_rule(out, label + n * (GROUP + 1) - 1);
}

/* Large numbers in whole ones, others to four digits, to three where a sign takes the room. */
static const char *format_of(double value)
{
    return fabs(value) >= 1000 ? "%.0f" : value > -1 && value < 0 ? "%.3g" : "%.4g";
}

/* Percentages to a hundredth of a point: more tells nothing beside what is published. */
static const char *format_of_ours(const struct grid *g, double value)
{
    return g->difference == GRID_POINTS && fabs(value) < 10 ? "%.2f" : format_of(value);
}

static const struct {
    const char *cell, *mean, *worst;
} formats[] = {
    [GRID_PERCENT] = { "%+.1f%%", "%.1f %%", "%+.1f %%" },
    [GRID_POINTS] = { "%+.2f", "%.2f points", "%+.2f points" },
    [GRID_SHARE] = { "%+.3f", "%.3f", "%+.3f" },
};

/* What stands behind a difference that is no plain prediction's; 0: nothing. */
static char mark_of(const char *kind)
{
    return !strcmp(kind, "calibrated") ? '*' : !strcmp(kind, "scaled") ? '~' : 0;
}

/* 'gap' blanks stand before it: those that the cell before owes, and its mark's place. */
static int cell(struct query *q, FILE *out, const struct grid *g, const char *row, const char *column, int *gap)
{
    query_again(q, g->paper, g->table, row, column, NULL);
    if (!query_next(q)) {
        *gap += GROUP + 1;
        return q->rc;
    }
    double published = query_real(q, 0), ours = query_real(q, 1);
    text_number(out, format_of(published), published, -PUBLISHED - *gap);
    if (query_null(q, 1)) {
        text_cell(out, "-", -OURS);
        *gap = DIFFERENCE + 1;
        return q->rc;
    }
    text_number(out, format_of_ours(g, ours), ours, -OURS);
    text_number(out, formats[g->difference].cell,
                g->difference == GRID_PERCENT ? 100 * (ours / published - 1) : ours - published, -DIFFERENCE);
    char mark = mark_of(query_text(q, 2));
    if (mark)
        fputc(mark, out);
    *gap = !mark;
    return q->rc;
}

static int one_row(struct query *cells, FILE *out, const struct grid *g, const char *row, const char *label)
{
    int rc = NW_OK, gap = 0;

    text_cell(out, label, label_width(g));
    for (int i = 0; !rc && i < columns_of(g); i++)
        rc = cell(cells, out, g, row, g->columns[i], &gap);
    fputc('\n', out);
    return rc;
}

bool grid_any(sqlite3 *db, const struct grid *g)
{
    struct query q =
        query_open(db, "SELECT 1 FROM comparison WHERE paper = ?1 AND table_id = ?2 LIMIT 1", g->paper, g->table, NULL);
    bool any = query_next(&q);

    return !query_close(&q) && any;
}

int grid_print(sqlite3 *db, FILE *out, const struct grid *g)
{
    struct query q =
        query_open(db, "SELECT row_key, label FROM paper_row WHERE paper = ?1 AND table_id = ?2 ORDER BY place",
                   g->paper, g->table, NULL);
    struct query cells = query_open(db, cell_sql, NULL);
    int rc = NW_OK;

    heading(out, g);
    while (!rc && query_next(&q))
        rc = one_row(&cells, out, g, query_text(&q, 0), query_text(&q, 1));
    int closed = query_close(&q), of_cells = query_close(&cells);
    return rc ? rc : closed ? closed : of_cells;
}

/* The cells that count; ?1 paper, ?2 table, ?3 "" or "alone", then the columns that count alone. */
#define CELLS " WHERE paper = ?1 AND table_id = ?2 AND (?3 = '' OR column_key IN (?4, ?5, ?6))"
#define PREDICTED CELLS " AND kind = 'predicted'"

static struct query cells_query(sqlite3 *db, const struct grid *g, const char *alone, const char *sql)
{
    const char *column[GRID_COLUMNS] = { "", "", "" };

    for (int i = 0; i < columns_of(g); i++)
        column[i] = g->columns[i];
    return query_open(db, sql, g->paper, g->table, alone, column[0], column[1], column[2], NULL);
}

static int print_worst(sqlite3 *db, FILE *out, const struct grid *g, const char *alone, bool of_several)
{
    struct query q =
        cells_query(db, g, alone,
                    g->difference == GRID_PERCENT
                        ? "SELECT w.label, column_key, published, ours, error_pct, note FROM cell_error"
                          " JOIN paper_row w USING (paper, table_id, row_key)"
                          " LEFT JOIN paper_note USING (paper, table_id, row_key, column_key)" PREDICTED
                          " ORDER BY abs(error_pct) DESC, w.place, column_key LIMIT 1"
                        : "SELECT w.label, column_key, published, ours, ours - published AS error, note FROM comparison"
                          " JOIN paper_row w USING (paper, table_id, row_key)"
                          " LEFT JOIN paper_note USING (paper, table_id, row_key, column_key)" PREDICTED
                          " ORDER BY abs(error) DESC, w.place, column_key LIMIT 1");

    if (query_next(&q)) {
        char error[32];
        snprintf(error, sizeof(error), formats[g->difference].worst, query_real(&q, 4));
        text_paragraph(out, "%s%s, %s: paper %.4g, ours %.4g (%s).%s%s", of_several ? "Worst: " : "\n",
                       query_text(&q, 0), query_text(&q, 1), query_real(&q, 2), query_real(&q, 3), error,
                       query_null(&q, 5) ? "" : " ", query_text(&q, 5));
    }
    return query_close(&q);
}

#define STAR "a constant was fitted to it or an assumption chosen by it"

static int errors(sqlite3 *db, FILE *out, const struct grid *g, const char *alone)
{
    struct query q = cells_query(db, g, alone,
                                 "SELECT count(*) FILTER (WHERE kind = 'predicted'), count(*) FILTER (WHERE kind ="
                                 " 'calibrated'), avg(abs(error_pct)) FILTER (WHERE kind = 'predicted'),"
                                 " avg(abs(ours - published)) FILTER (WHERE kind = 'predicted'),"
                                 " count(*) FILTER (WHERE kind = 'scaled')"
                                 " FROM cell_error" CELLS);
    int predicted = 0, fitted = 0, scaled = 0;

    if (query_next(&q)) {
        predicted = (int)query_real(&q, 0);
        fitted = (int)query_real(&q, 1);
        scaled = (int)query_real(&q, 4);
    }
    if (!predicted && fitted) {
        text_paragraph(out, "\n*: " STAR ".");
    } else if (predicted > 1 || fitted) {
        char mean[80] = "";
        if (predicted > 1) {
            size_t n = (size_t)snprintf(mean, sizeof(mean), " Mean absolute error of the predicted: ");
            snprintf(mean + n, sizeof(mean) - n, formats[g->difference].mean,
                     query_real(&q, g->difference == GRID_PERCENT ? 2 : 3));
        }
        text_paragraph(out, "\n%d cell%s predicted, %d calibrated%s.%s%s", predicted, predicted == 1 ? "" : "s", fitted,
                       fitted ? " (*: " STAR ", so it is not counted)" : "", mean, *mean ? "." : "");
    }
    int rc = query_close(&q);
    if (!rc && predicted)
        rc = print_worst(db, out, g, alone, predicted > 1);
    if (!rc && scaled)
        text_paragraph(out, "%s%d cell%s of trainings on other data than the paper's (~), not counted.",
                       predicted || fitted ? "" : "\n", scaled, scaled == 1 ? "" : "s");
    return rc;
}

int grid_errors(sqlite3 *db, FILE *out, const struct grid *g)
{
    return errors(db, out, g, "");
}

int grid_errors_of_columns(sqlite3 *db, FILE *out, const struct grid *g)
{
    return errors(db, out, g, "alone");
}

/* The newest fit of each constant of the paper; rates are printed in GB/s. */
#define NEWEST_FIT                                                                       \
    " FROM calibration c WHERE c.paper = ?1 AND c.run_id = (SELECT max(run_id)"          \
    "  FROM calibration n WHERE n.platform = c.platform AND n.constant = c.constant AND" \
    "  n.paper = c.paper)"

static int print_constants(sqlite3 *db, FILE *out, const char *paper, int *rows)
{
    struct query q = query_open(db,
                                "SELECT DISTINCT c.constant, CASE c.unit WHEN 'bytes/s' THEN c.value / 1e9 ELSE"
                                " c.value END, CASE c.unit WHEN 'bytes/s' THEN 'GB/s' ELSE c.unit END" NEWEST_FIT
                                " ORDER BY c.platform, c.constant",
                                paper, NULL);

    while (query_next(&q)) {
        fputs((*rows)++ ? "  " : "Constants that no datasheet gives, fitted together\n\n  ", out);
        text_cell(out, query_text(&q, 0), 40);
        text_number(out, format_of(query_real(&q, 1)), query_real(&q, 1), -10);
        fprintf(out, "%s%s\n", *query_text(&q, 2) ? " " : "", query_text(&q, 2));
    }
    return query_close(&q);
}

static int print_observations(sqlite3 *db, FILE *out, const char *paper)
{
    struct query q = query_open(db,
                                "SELECT CASE WHEN c.table_id IN ('text', 'utilisation') THEN c.table_id WHEN c.table_id"
                                " LIKE 'fig%' THEN 'Figure ' || substr(c.table_id, 4) ELSE 'Table ' || c.table_id END"
                                " || ': ' || c.row_key || ', ' || c.column_key, c.observed, c.reached" NEWEST_FIT
                                " ORDER BY c.platform, c.table_id, c.row_key, c.observed",
                                paper, NULL);

    fputs("\n  to these cells", out);
    text_cell(out, "paper", -34);
    text_cell(out, "reached", -10);
    fputc('\n', out);
    while (query_next(&q)) {
        fputs("  ", out);
        text_cell(out, query_text(&q, 0), 40);
        text_number(out, "%.4g", query_real(&q, 1), -8);
        text_number(out, "%.4g", query_real(&q, 2), -10);
        fputc('\n', out);
    }
    fputc('\n', out);
    return query_close(&q);
}

int grid_constants(sqlite3 *db, FILE *out, const char *paper)
{
    int rows = 0, rc = print_constants(db, out, paper, &rows);

    return rc || !rows ? rc : print_observations(db, out, paper);
}
