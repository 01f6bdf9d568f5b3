/* fit.c - fits made before, and fits made again without a cell. */
#include "harness/status.h"
#include "harness/store/internal.h"

int store_fit(struct store *s, const char *key, const struct fit_fact *rows, size_t n)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    for (size_t i = 0; i < n && !rc; i++)
        rc = db_run(s, "store a fit",
                    "INSERT INTO fit(key, place, value, reached) VALUES (?,?,?,?) ON CONFLICT DO NOTHING", "tldd", key,
                    i, rows[i].value, rows[i].reached);
    return db_end(s, rc);
}

int store_fit_find(struct store *s, const char *key, struct fit_fact *rows, size_t n)
{
    sqlite3_stmt *st = db_select(s, "SELECT value, reached FROM fit WHERE key = ? ORDER BY place", "t", key);
    size_t found = 0;
    int code;

    if (!st)
        return NW_EDB;
    while ((code = db_step(s, st, "look up a fit")) == SQLITE_ROW)
        if (found++ < n)
            db_read(st, "dd", &rows[found - 1].value, &rows[found - 1].reached);
    return code == SQLITE_DONE ? n && found == n : NW_EDB;
}

int store_refit(struct store *s, int64_t run_id, const struct refit_fact *f)
{
    const struct cell_fact *left = &f->left;
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = db_run(s, "store a fit without a cell",
                "INSERT INTO refit(run_id, place, platform, paper, table_id, row_key, column_key)"
                " VALUES (?,?,?,?,?,?,?)",
                "llttttt", run_id, f->place, f->platform, left->paper, left->table, left->row, left->column);
    for (size_t i = 0; i < f->nconstants && !rc; i++)
        rc =
            db_run(s, "store a constant", "INSERT INTO refit_constant(run_id, place, constant, value) VALUES (?,?,?,?)",
                   "lltd", run_id, f->place, f->constants[i], f->values[i]);
    for (size_t i = 0; i < f->ncells && !rc; i++) {
        const struct cell_fact *c = &f->cells[i].cell;
        rc = db_run(s, "store what a fit without a cell gives",
                    "INSERT INTO refit_cell(run_id, place, position, paper, table_id, row_key, column_key, ours)"
                    " VALUES (?,?,?,?,?,?,?,?)",
                    "lllttttd", run_id, f->place, f->cells[i].position, c->paper, c->table, c->row, c->column,
                    f->cells[i].ours);
    }
    return db_end(s, rc);
}
