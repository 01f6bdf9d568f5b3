#include "harness/status.h"
#include "harness/store/internal.h"

int db_find_point(struct store *s, const char *key, int64_t *id)
{
    sqlite3_stmt *st = db_statement(s, ST_POINT_ID);
    int code;

    if (!st)
        return NW_EDB;
    db_bind(st, 1, key);
    code = db_step(s, st, "look up a point");
    if (code == SQLITE_ROW) {
        *id = sqlite3_column_int64(st, 0);
        sqlite3_reset(st);
        return 1;
    }
    return code == SQLITE_DONE ? 0 : NW_EDB;
}

static int insert_measures(struct store *s, int64_t id, const struct point_fact *p)
{
    for (size_t i = 0; i < p->nmeasures; i++) {
        sqlite3_stmt *st = db_statement(s, ST_MEASURE);

        if (!st)
            return NW_EDB;
        sqlite3_bind_int64(st, 1, id);
        db_bind(st, 2, p->measures[i].name);
        sqlite3_bind_double(st, 3, p->measures[i].value);
        db_bind(st, 4, p->measures[i].unit);
        if (db_step(s, st, p->measures[i].name) != SQLITE_DONE)
            return NW_EDB;
    }
    return NW_OK;
}

/* The point's id, inserting it with its measures unless it is there; all inside the caller's transaction. */
static int put_point(struct store *s, int64_t run_id, const struct point_fact *p, int64_t *id)
{
    sqlite3_stmt *st = db_statement(s, ST_POINT);
    int found;

    if (!st)
        return NW_EDB;
    db_bind(st, 1, p->key);
    sqlite3_bind_int64(st, 2, run_id);
    if (db_step(s, st, "store a point") != SQLITE_DONE)
        return NW_EDB;
    if (sqlite3_changes(s->db) == 1) {
        *id = sqlite3_last_insert_rowid(s->db);
        return insert_measures(s, *id, p);
    }
    found = db_find_point(s, p->key, id);
    return found == 1 ? NW_OK : NW_EDB;
}

static int list_params(struct store *s, int64_t run_id, const struct point_fact *p)
{
    for (size_t i = 0; i < p->nparams; i++) {
        sqlite3_stmt *st = db_statement(s, ST_PARAM);

        if (!st)
            return NW_EDB;
        sqlite3_bind_int64(st, 1, run_id);
        sqlite3_bind_int64(st, 2, (int64_t)p->index);
        db_bind(st, 3, p->params[i].path);
        db_bind(st, 4, p->params[i].text);
        sqlite3_bind_double(st, 5, p->params[i].value); /* a NaN becomes NULL */
        db_bind(st, 6, p->params[i].unit);
        if (db_step(s, st, p->params[i].path) != SQLITE_DONE)
            return NW_EDB;
    }
    return NW_OK;
}

static int list_cells(struct store *s, int64_t run_id, const struct point_fact *p)
{
    for (size_t i = 0; i < p->ncells; i++) {
        const struct cell_fact *c = &p->cells[i];
        sqlite3_stmt *st = db_statement(s, ST_CELL);

        if (!st)
            return NW_EDB;
        sqlite3_bind_int64(st, 1, run_id);
        sqlite3_bind_int64(st, 2, (int64_t)p->index);
        db_bind(st, 3, c->paper);
        db_bind(st, 4, c->table);
        db_bind(st, 5, c->row);
        db_bind(st, 6, c->column);
        db_bind(st, 7, c->measure);
        if (db_step(s, st, "store a cell") != SQLITE_DONE)
            return NW_EDB;
    }
    return NW_OK;
}

/* List point 'id' under the run. Listing the same place again changes nothing. */
static int list_point(struct store *s, int64_t run_id, const struct point_fact *p, int64_t id)
{
    sqlite3_stmt *st = db_statement(s, ST_RUN_POINT);
    int rc;

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, run_id);
    sqlite3_bind_int64(st, 2, (int64_t)p->index);
    sqlite3_bind_int64(st, 3, (int64_t)p->combination);
    db_bind(st, 4, p->variant);
    sqlite3_bind_int64(st, 5, id);
    if (db_step(s, st, "list a point") != SQLITE_DONE)
        return NW_EDB;
    if (sqlite3_changes(s->db) == 0)
        return NW_OK;
    rc = list_params(s, run_id, p);
    return rc ? rc : list_cells(s, run_id, p);
}

int store_point(struct store *s, int64_t run_id, const struct point_fact *point)
{
    int64_t id = 0;
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = put_point(s, run_id, point, &id);
    if (!rc && point->timeline)
        rc = db_put_tasks(s, id, point->timeline);
    if (!rc && point->plan)
        rc = db_put_plan(s, id, point->plan);
    if (!rc && point->training)
        rc = db_put_training(s, id, point->training);
    if (!rc)
        rc = list_point(s, run_id, point, id);
    return db_end(s, rc);
}

int store_claim_existing(struct store *s, int64_t run_id, const struct point_fact *points, size_t n, _Bool *present)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    for (size_t i = 0; i < n && !rc; i++) {
        int64_t id;
        int found = db_find_point(s, points[i].key, &id);

        present[i] = found == 1;
        if (found < 0)
            rc = found;
        else if (found)
            rc = list_point(s, run_id, &points[i], id);
    }
    return db_end(s, rc);
}

int store_has_point(struct store *s, const char *key)
{
    int64_t id;

    return db_find_point(s, key, &id);
}
