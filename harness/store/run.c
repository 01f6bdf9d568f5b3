
#include "harness/host/clock.h"
#include "harness/status.h"
#include "harness/store/internal.h"

int store_run(struct store *s, const struct run_fact *run, int64_t *run_id)
{
    const char *const texts[] = { run->command, run->scenario, run->title,  run->notes, run->baseline,
                                  run->figure,  run->file,     run->commit, run->build, run->machine };
    int ntexts = (int)(sizeof(texts) / sizeof(*texts));
    sqlite3_stmt *st = db_statement(s, ST_RUN);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, clock_wall_ns());
    for (int i = 0; i < ntexts; i++)
        db_bind(st, i + 2, texts[i]);
    sqlite3_bind_int64(st, ntexts + 2, run->seed);
    sqlite3_bind_int64(st, ntexts + 3, (int64_t)run->npoints);
    if (db_step(s, st, "store a run") != SQLITE_DONE)
        return NW_EDB;
    *run_id = sqlite3_last_insert_rowid(s->db);
    return NW_OK;
}

int store_run_finished(struct store *s, int64_t run_id)
{
    sqlite3_stmt *st = db_statement(s, ST_RUN_END);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, run_id);
    sqlite3_bind_int64(st, 2, clock_wall_ns());
    return db_step(s, st, "store the end of a run") == SQLITE_DONE ? NW_OK : NW_EDB;
}

int store_calibration(struct store *s, int64_t run_id, const struct calibration_fact *f)
{
    const char *const place[] = { f->cell.paper, f->cell.table, f->cell.row, f->cell.column, f->cell.measure };
    sqlite3_stmt *st = db_statement(s, ST_CALIBRATION);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, run_id);
    db_bind(st, 2, f->platform);
    db_bind(st, 3, f->constant);
    sqlite3_bind_double(st, 4, f->value);
    db_bind(st, 5, f->unit);
    db_bind(st, 6, f->scenario);
    for (int i = 0; i < 5; i++)
        db_bind(st, 7 + i, place[i]);
    sqlite3_bind_double(st, 12, f->observed);
    sqlite3_bind_double(st, 13, f->reached);
    db_bind(st, 14, f->measured_on);
    return db_step(s, st, "store a calibration") == SQLITE_DONE ? NW_OK : NW_EDB;
}

int store_paper_value(struct store *s, const char *paper, const char *table, const char *row, const char *column,
                      double *value, const char **unit)
{
    sqlite3_stmt *st = db_statement(s, ST_PAPER_VALUE);
    int code;

    if (!st)
        return NW_EDB;
    db_bind(st, 1, paper);
    db_bind(st, 2, table);
    db_bind(st, 3, row);
    db_bind(st, 4, column);
    code = db_step(s, st, "look up a published value");
    if (code == SQLITE_ROW) {
        *value = sqlite3_column_double(st, 0);
        sqlite3_snprintf(sizeof(s->unit), s->unit, "%s", sqlite3_column_text(st, 1));
        if (unit)
            *unit = s->unit;
        sqlite3_reset(st);
        return 1;
    }
    return code == SQLITE_DONE ? 0 : NW_EDB;
}
