/* point.c - points with all that belongs to them, and which of them a run lists. */
#include "harness/status.h"
#include "harness/store/internal.h"

int db_find_point(struct store *s, const char *key, int64_t *id)
{
    return db_find(s, "look up a point", "SELECT id FROM point WHERE key = ?", "t:l", key, id);
}

static int insert_measures(struct store *s, int64_t id, const struct point_fact *p)
{
    int rc = NW_OK;

    for (const struct measure_fact *m = p->measures; m < p->measures + p->nmeasures && !rc; m++)
        rc = db_run(s, m->name, "INSERT INTO measure(point_id, name, value, unit) VALUES (?,?,?,?)", "ltdt", id,
                    m->name, m->value, m->unit);
    return rc;
}

/* The point's id, inserting it with its measures unless it is there; all inside the caller's transaction. */
static int put_point(struct store *s, int64_t run_id, const struct point_fact *p, int64_t *id)
{
    if (db_run(s, "store a point", "INSERT INTO point(key, run_id) VALUES (?,?) ON CONFLICT(key) DO NOTHING", "tl",
               p->key, run_id))
        return NW_EDB;
    if (sqlite3_changes(s->db) == 1) {
        *id = sqlite3_last_insert_rowid(s->db);
        return insert_measures(s, *id, p);
    }
    return db_find_point(s, p->key, id) == 1 ? NW_OK : NW_EDB;
}

static int list_params(struct store *s, int64_t run_id, const struct point_fact *p)
{
    int rc = NW_OK;

    for (const struct param_fact *f = p->params; f < p->params + p->nparams && !rc; f++)
        rc = db_run(s, f->path,
                    "INSERT INTO point_param(run_id, position, path, text, value, unit) VALUES (?,?,?,?,?,?)", "llttdt",
                    run_id, p->index, f->path, f->text, f->value, f->unit);
    return rc;
}

static int list_cells(struct store *s, int64_t run_id, const struct point_fact *p)
{
    int rc = NW_OK;

    for (const struct cell_fact *c = p->cells; c < p->cells + p->ncells && !rc; c++)
        rc = db_run(s, "store a cell",
                    "INSERT INTO cell(run_id, position, paper, table_id, row_key, column_key, measure)"
                    " VALUES (?,?,?,?,?,?,?)",
                    "llttttt", run_id, p->index, c->paper, c->table, c->row, c->column, c->measure);
    return rc;
}

/* List point 'id' under the run. Listing the same place again changes nothing. */
static int list_point(struct store *s, int64_t run_id, const struct point_fact *p, int64_t id)
{
    int rc = db_run(s, "list a point",
                    "INSERT INTO run_point(run_id, position, combination, variant, point_id) VALUES (?,?,?,?,?)"
                    " ON CONFLICT DO NOTHING",
                    "llltl", run_id, p->index, p->combination, p->variant, id);

    if (rc || sqlite3_changes(s->db) == 0)
        return rc;
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

int store_claim_existing(struct store *s, int64_t run_id, const struct point_fact *points, size_t n, bool *present)
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
