/* cells.c - a line for each published cell that a point compares itself with. */
#include <stdbool.h>
#include <string.h>

#include "harness/count.h"
#include "harness/report/answer/summary.h"
#include "harness/report/query.h"
#include "harness/status.h"
#include "harness/store/store.h"
#include "harness/text/columns.h"
#include "harness/text/legible.h"

enum { MOST_CELLS = 48 };

/* A measure of a point as the view cell_value has it: derived ones from the baseline at the same place. */
static const char measure_sql[] =
    "SELECT CASE ?3 WHEN 'gain_pct' THEN 100.0 * (1.0 - 1.0 / a.speedup) WHEN 'speedup' THEN a.speedup"
    "  WHEN 'loss_pct' THEN 100.0 * (1.0 - a.speedup)"
    "  WHEN 'batch_ratio' THEN (SELECT b.batch_ratio FROM batch_gain b WHERE b.run_id = p.run_id AND b.position = "
    "p.position)"
    "  ELSE (SELECT value FROM measure m WHERE m.point_id = p.point_id AND m.name = ?3) END,"
    " CASE WHEN ?3 IN ('gain_pct', 'loss_pct') THEN '%' WHEN ?3 IN ('speedup', 'batch_ratio') THEN 'x'"
    "  ELSE (SELECT unit FROM measure m WHERE m.point_id = p.point_id AND m.name = ?3) END"
    " FROM run_point p LEFT JOIN answer a ON a.run_id = p.run_id AND a.position = p.position AND NOT a.is_baseline"
    " WHERE p.run_id = ?1 AND p.position = ?2";

/* Was a constant fitted to the cell, or an assumption of the run ?5 chosen by it? */
static const char fitted_sql[] =
    "SELECT EXISTS (SELECT 1 FROM calibration WHERE paper = ?1 AND table_id = ?2 AND row_key = ?3"
    "  AND column_key = ?4) OR EXISTS (SELECT 1 FROM assumption WHERE paper = ?1 AND table_id = ?2"
    "  AND row_key = ?3 AND column_key = ?4 AND run_id = ?5)";

struct printing {
    const struct answered_run *w;
    struct query measure, fitted;
    struct columns *columns;
    size_t n, left_out;
};

static bool is_fitted(struct printing *p, const struct cell *c)
{
    const char *const keys[] = { c->paper, c->table, c->row, c->column };

    sqlite3_reset(p->fitted.st);
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(p->fitted.st, i + 1, keys[i], -1, SQLITE_TRANSIENT);
    sqlite3_bind_int64(p->fitted.st, 5, p->w->run_id);
    return query_next(&p->fitted) && sqlite3_column_int(p->fitted.st, 0);
}

static void put(struct printing *p, const struct point *point, const struct cell *c, double published, double ours)
{
    char theirs[LEGIBLE], mine[LEGIBLE];

    columns_put(p->columns, "%s %s, %s, %s", c->paper, c->table, c->row, c->column);
    columns_put(p->columns, "%s", point->variant);
    columns_put(p->columns, "%s", c->measure);
    columns_put(p->columns, "%s", legible_number(published, theirs, sizeof(theirs)));
    columns_put(p->columns, "%s", legible_number(ours, mine, sizeof(mine)));
    if (published != 0)
        columns_put(p->columns, "%+.1f %%%s", 100 * (ours / published - 1), is_fitted(p, c) ? ", fitted" : "");
    else
        columns_put(p->columns, "%+.4g%s", ours - published, is_fitted(p, c) ? ", fitted" : "");
}

static int compare(struct printing *p, const struct point *point, const struct cell *c)
{
    const char *unit;
    double published;
    int rc = store_paper_value(p->w->store, c->paper, c->table, c->row, c->column, &published, &unit);

    if (rc <= 0)
        return rc;
    sqlite3_reset(p->measure.st);
    sqlite3_bind_int64(p->measure.st, 2, (sqlite3_int64)point->index);
    sqlite3_bind_text(p->measure.st, 3, c->measure, -1, SQLITE_TRANSIENT);
    if (!query_next(&p->measure) || query_null(&p->measure, 0))
        return NW_OK;
    const char *mine = query_text(&p->measure, 1);
    if (*mine && strcmp(mine, unit) != 0)
        return NW_OK; /* a slip in the scenario, which the view unmatched_cell shows */
    if (p->n++ < MOST_CELLS)
        put(p, point, c, published, query_real(&p->measure, 0));
    else
        p->left_out++;
    return NW_OK;
}

static int compare_all(struct printing *p)
{
    const struct answered_run *w = p->w;
    size_t n = w->points ? w->npoints : scenario_npoints(w->file);
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++) {
        struct point point;

        rc = scenario_point(w->file, w->points ? w->points[i] : i, &point);
        if (rc)
            break;
        for (size_t k = 0; !rc && k < point.ncells; k++)
            rc = compare(p, &point, &point.cells[k]);
        point_free(&point);
    }
    return rc;
}

int answer_cells(const struct answered_run *w, FILE *out)
{
    static const struct column list[] = { { "cell", 1 },      { "variant", 1 }, { "measure", 1 },
                                          { "published", 0 }, { "here", 0 },    { "difference", 0 } };
    sqlite3 *db = store_handle(w->store);
    struct printing p = { .w = w,
                          .measure = query_run(db, measure_sql, w->run_id),
                          .fitted = query_open(db, fitted_sql, NULL),
                          .columns = columns_open(list, COUNT(list)) };
    int rc = p.columns ? compare_all(&p) : NW_ENOMEM;

    if (p.n && !rc)
        fputc('\n', out);
    int closed = columns_close(p.columns, out);
    if (p.left_out)
        fprintf(out, "... and %zu cells more: narrows report --paper\n", p.left_out);
    int measured = query_close(&p.measure), fitted = query_close(&p.fitted);
    return rc ? rc : closed ? closed : measured ? measured : fitted;
}
