#include "tests/report/scoreboard_cells.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

/* --- the first column of a query's first row --- */

sqlite3_stmt *scoreboard_prepare(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *st;

    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    return st;
}

double scoreboard_ask(sqlite3 *db, const char *sql, ...)
{
    sqlite3_stmt *st = scoreboard_prepare(db, sql);
    va_list ap;
    const char *text;
    double value = NAN;

    va_start(ap, sql);
    for (int i = 1; (text = va_arg(ap, const char *)) != NULL; i++)
        sqlite3_bind_text(st, i, text, -1, SQLITE_TRANSIENT);
    va_end(ap);
    if (sqlite3_step(st) == SQLITE_ROW && sqlite3_column_type(st, 0) != SQLITE_NULL)
        value = sqlite3_column_double(st, 0);
    sqlite3_finalize(st);
    return value;
}

/* --- what a point says --- */

static double measure_of(sqlite3 *db, const char *point, const char *name)
{
    return scoreboard_ask(db, "SELECT value FROM measure WHERE point_id = ?1 AND name = ?2", point, name, NULL);
}

/* The point of the baseline's at the same place, as a text; "" if there is none or it is this one. */
static void baseline_of(sqlite3 *db, const char *run, const char *position, char text[32])
{
    double point = scoreboard_ask(
        db,
        "SELECT o.point_id FROM run_point v, run_point o, run r WHERE v.run_id = ?1 AND v.position = ?2 AND r.id = ?1"
        " AND o.run_id = ?1 AND o.combination = v.combination AND o.variant = r.baseline AND r.baseline <> ''"
        " AND v.variant <> r.baseline",
        run, position, NULL);

    snprintf(text, 32, isnan(point) ? "" : "%.0f", point);
}

static double speedup_of(sqlite3 *db, const char *point, const char *base)
{
    double ours = measure_of(db, point, "sample_us"), other = measure_of(db, base, "sample_us");
    double step = measure_of(db, point, "step_ms"), other_step = measure_of(db, base, "step_ms");

    if (isnan(step) || isnan(other_step))
        return NAN;
    return ours > 0 && other > 0 ? other / ours : other_step / step;
}

/* What point POSITION of RUN says by this measure, where that has this unit; NAN where it says nothing. */
static double said_by(sqlite3 *db, const char *run, const char *position, const char *measure, const char *unit)
{
    char base[32], point[32];

    snprintf(
        point, sizeof(point), "%.0f",
        scoreboard_ask(db, "SELECT point_id FROM run_point WHERE run_id = ?1 AND position = ?2", run, position, NULL));
    baseline_of(db, run, position, base);
    if (!strcmp(measure, "speedup"))
        return strcmp(unit, "x") != 0 ? NAN : speedup_of(db, point, base);
    if (!strcmp(measure, "gain_pct"))
        return strcmp(unit, "%") != 0 ? NAN : 100 * (1 - 1 / speedup_of(db, point, base));
    if (!strcmp(measure, "loss_pct"))
        return strcmp(unit, "%") != 0 ? NAN : 100 * (1 - speedup_of(db, point, base));
    if (!strcmp(measure, "batch_ratio"))
        return strcmp(unit, "x") != 0 ? NAN
                                      : measure_of(db, point, "largest_batch") / measure_of(db, base, "largest_batch");
    return scoreboard_ask(db, "SELECT value FROM measure WHERE point_id = ?1 AND name = ?2 AND unit = ?3", point,
                          measure, unit, NULL);
}

/* --- a cell --- */

#define OF_CELL " paper = ?1 AND table_id = ?2 AND row_key = ?3 AND column_key = ?4"
static double ask_cell(sqlite3 *db, const char *sql, const struct cell *c)
{
    return scoreboard_ask(db, sql, c->paper, c->table, c->row, c->column, NULL);
}

/* The mean over all points that differ from this one by their seed alone and cover the same cell. */
static double over_seeds(sqlite3 *db, const struct cell *c, const char *run, const char *position)
{
    sqlite3_stmt *st;
    double sum = 0;
    int n = 0;

    st = scoreboard_prepare(
        db, "SELECT k.position, k.measure FROM cell k JOIN run_point p ON p.run_id = k.run_id AND p.position ="
            " k.position"
            " JOIN run_point o ON o.run_id = ?5 AND o.position = ?6 AND o.variant = p.variant"
            " JOIN training t ON t.point_id = p.point_id"
            " WHERE k.run_id = ?5 AND k.paper = ?1 AND k.table_id = ?2 AND k.row_key = ?3 AND k.column_key = ?4"
            " AND NOT EXISTS (SELECT path, text FROM point_param WHERE run_id = ?5 AND position = ?6 AND path <>"
            " 'training.seed'"
            " EXCEPT SELECT path, text FROM point_param WHERE run_id = ?5 AND position = k.position)"
            " AND NOT EXISTS (SELECT path, text FROM point_param WHERE run_id = ?5 AND position = k.position AND"
            " path <> 'training.seed'"
            " EXCEPT SELECT path, text FROM point_param WHERE run_id = ?5 AND position = ?6)");
    const char *const texts[] = { c->paper, c->table, c->row, c->column, run, position };
    for (int i = 0; i < 6; i++)
        sqlite3_bind_text(st, i + 1, texts[i], -1, SQLITE_STATIC);
    while (sqlite3_step(st) == SQLITE_ROW) {
        double value = said_by(db, run, (const char *)sqlite3_column_text(st, 0),
                               (const char *)sqlite3_column_text(st, 1), c->unit);

        if (!isnan(value)) {
            sum += value;
            n++;
        }
    }
    sqlite3_finalize(st);
    return sum / n;
}

/* Does a calibrated cell of the same run have, by the same measure, the same value to a thousandth? */
static bool replays(sqlite3 *db, const struct cell *c, const char *run, const char *measure)
{
    sqlite3_stmt *st;
    bool found = false;

    st = scoreboard_prepare(db, "SELECT DISTINCT c.position FROM cell c, calibration k WHERE c.run_id = ?1"
                                " AND c.measure = ?2 AND k.paper = c.paper AND k.table_id = c.table_id"
                                " AND k.row_key = c.row_key AND k.column_key = c.column_key");
    sqlite3_bind_text(st, 1, run, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 2, measure, -1, SQLITE_STATIC);
    while (sqlite3_step(st) == SQLITE_ROW) {
        double fitted = said_by(db, run, (const char *)sqlite3_column_text(st, 0), measure, c->unit);
        found |= fabs(fitted - c->ours) <= 1e-3 * fabs(fitted);
    }
    sqlite3_finalize(st);
    return found;
}

static const char *kind_of(sqlite3 *db, const struct cell *c, double real_data, const char *run, const char *measure)
{
    static const char *const counted[] = { "sample_gfma", "bytes_per_kflop", "parameter_bytes" };

    if (ask_cell(db, "SELECT count(*) FROM calibration WHERE" OF_CELL, c) > 0)
        return "calibrated";
    if (scoreboard_ask(db, "SELECT count(*) FROM assumption WHERE" OF_CELL " AND run_id = ?5", c->paper, c->table,
                       c->row, c->column, run, NULL) > 0)
        return "assumed";
    if (replays(db, c, run, measure))
        return "replayed";
    for (size_t i = 0; i < COUNT(counted); i++)
        if (!strcmp(measure, counted[i]))
            return "computed";
    return real_data == 0 ? "scaled" : "predicted";
}

/* The newest run that says something speaks; a quick look at training never. */
static void speak(sqlite3 *db, struct cell *c)
{
    sqlite3_stmt *st;

    assert_int_equal(
        sqlite3_prepare_v2(
            db,
            "SELECT k.run_id, k.position, k.measure, r.scenario, t.real_data, t.point_id IS NOT NULL FROM cell k"
            " JOIN run r ON r.id = k.run_id"
            " JOIN run_point p ON p.run_id = k.run_id AND p.position = k.position"
            " LEFT JOIN training t ON t.point_id = p.point_id WHERE" OF_CELL " ORDER BY k.run_id DESC, k.position",
            -1, &st, NULL),
        SQLITE_OK);
    const char *const texts[] = { c->paper, c->table, c->row, c->column };
    for (int i = 0; i < 4; i++)
        sqlite3_bind_text(st, i + 1, texts[i], -1, SQLITE_STATIC);
    while (isnan(c->ours) && sqlite3_step(st) == SQLITE_ROW) {
        const char *run = (const char *)sqlite3_column_text(st, 0),
                   *position = (const char *)sqlite3_column_text(st, 1);

        if (strstr((const char *)sqlite3_column_text(st, 3), "-quick"))
            continue;
        c->ours = said_by(db, run, position, (const char *)sqlite3_column_text(st, 2), c->unit);
        if (isnan(c->ours))
            continue;
        c->kind = kind_of(db, c, sqlite3_column_int(st, 5) ? sqlite3_column_double(st, 4) : NAN, run,
                          (const char *)sqlite3_column_text(st, 2));
        if (sqlite3_column_int(st, 5))
            c->ours = over_seeds(db, c, run, position);
    }
    sqlite3_finalize(st);
}

static void average(const struct cell *cells, size_t n, struct cell *c)
{
    double sum = 0;
    int all = 0, there = 0, scaled = 0;

    for (size_t i = 0; i < n; i++) {
        const struct cell *o = &cells[i];

        if (strcmp(o->paper, c->paper) || strcmp(o->table, c->table) || strcmp(o->column, c->column) || o == c)
            continue;
        all++;
        if (isnan(o->ours))
            continue;
        there++;
        sum += o->ours;
        scaled += !strcmp(o->kind, "scaled");
    }
    if (!there || there != all)
        return;
    c->ours = sum / there;
    c->kind = scaled ? "scaled" : "predicted";
}

/* --- papers --- */

static const char *keep(sqlite3_stmt *st, int column)
{
    return sqlite3_mprintf("%s", sqlite3_column_text(st, column));
}

size_t scoreboard_cells(sqlite3 *db, const char *paper, struct cell *cells)
{
    sqlite3_stmt *st;
    size_t n = 0;

    st = scoreboard_prepare(db,
                            "SELECT table_id, row_key, column_key, unit, published FROM paper_value WHERE paper = ?1");
    sqlite3_bind_text(st, 1, paper, -1, SQLITE_STATIC);
    for (; sqlite3_step(st) == SQLITE_ROW; n++) {
        assert_true(n < SCOREBOARD_MOST_CELLS);
        cells[n] = (struct cell){ paper,       keep(st, 0), keep(st, 1),
                                  keep(st, 2), keep(st, 3), sqlite3_column_double(st, 4),
                                  .ours = NAN, "missing" };
        if (strcmp(cells[n].row, "average") != 0)
            speak(db, &cells[n]);
    }
    sqlite3_finalize(st);
    for (size_t i = 0; i < n; i++)
        if (!strcmp(cells[i].row, "average"))
            average(cells, n, &cells[i]);
    for (size_t i = 0; i < n; i++) {
        struct cell *c = &cells[i];

        if (ask_cell(
                db,
                "SELECT count(*) FROM paper_input WHERE paper = ?1 AND table_id = ?2 AND (row_key = '*' OR row_key ="
                " ?3)"
                " AND (column_key = '*' OR column_key = ?4)",
                c) > 0)
            c->kind = NULL;
        c->error = !strcmp(c->unit, "%")       ? c->ours - c->published
                   : !strcmp(c->unit, "share") ? 100 * (c->ours - c->published)
                                               : 100 * (c->ours / c->published - 1);
    }
    return n;
}
