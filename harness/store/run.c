/* run.c - facts about a run, and what was fitted in it. */
#include "harness/host/clock.h"
#include "harness/status.h"
#include "harness/store/internal.h"

int store_run(struct store *s, const struct run_fact *f, int64_t *run_id)
{
    int rc = db_run(s, "store a run",
                    "INSERT INTO run(started_ns, command, scenario, title, notes, baseline, figure, file, revision,"
                    " build, machine, seed, npoints) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
                    "lttttttttttll", clock_wall_ns(), f->command, f->scenario, f->title, f->notes, f->baseline,
                    f->figure, f->file, f->commit, f->build, f->machine, f->seed, f->npoints);

    if (!rc)
        *run_id = sqlite3_last_insert_rowid(s->db);
    return rc;
}

int store_run_finished(struct store *s, int64_t run_id)
{
    return db_run(s, "store the end of a run",
                  "INSERT INTO run_end(run_id, ended_ns) VALUES (?,?) ON CONFLICT DO NOTHING", "ll", run_id,
                  clock_wall_ns());
}

int store_calibration(struct store *s, int64_t run_id, const struct calibration_fact *f)
{
    const struct cell_fact *c = &f->cell;

    return db_run(s, "store a calibration",
                  "INSERT INTO calibration(run_id, platform, constant, value, unit, scenario, paper, table_id,"
                  " row_key, column_key, measure, observed, reached, measured_on)"
                  " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)",
                  "lttdtttttttddt", run_id, f->platform, f->constant, f->value, f->unit, f->scenario, c->paper,
                  c->table, c->row, c->column, c->measure, f->observed, f->reached, f->measured_on);
}

int store_assumption(struct store *s, int64_t run_id, const struct cell_fact *c, const char *what)
{
    return db_run(s, "store an assumption",
                  "INSERT INTO assumption(run_id, paper, table_id, row_key, column_key, what) VALUES (?,?,?,?,?,?)"
                  " ON CONFLICT DO NOTHING",
                  "lttttt", run_id, c->paper, c->table, c->row, c->column, what);
}

int store_paper_value(struct store *s, const char *paper, const char *table, const char *row, const char *column,
                      double *value, const char **unit)
{
    int found = db_find(s, "look up a published value",
                        "SELECT published, unit FROM paper_value"
                        " WHERE paper = ? AND table_id = ? AND row_key = ? AND column_key = ?",
                        "tttt:dt", paper, table, row, column, value, s->unit, sizeof(s->unit));

    if (found == 1 && unit)
        *unit = s->unit;
    return found;
}
