#include <stdio.h>

#include "harness/status.h"
#include "harness/store/internal.h"

int db_put_plan(struct store *s, int64_t point_id, const struct plan_fact *plan)
{
    int rc = NW_OK;

    for (size_t i = 0; !rc && i < plan->nsteps; i++) {
        const struct plan_step_fact *f = &plan->steps[i];
        sqlite3_stmt *st = db_statement(s, ST_PLAN_STEP);

        if (!st)
            return NW_EDB;
        sqlite3_bind_int64(st, 1, point_id);
        sqlite3_bind_int64(st, 2, (int64_t)i);
        db_bind(st, 3, f->name);
        db_bind(st, 4, f->layer);
        sqlite3_bind_int(st, 5, f->backward);
        sqlite3_bind_int64(st, 6, f->duration_ps);
        sqlite3_bind_int64(st, 7, f->generated_bytes);
        sqlite3_bind_int64(st, 8, f->offloadable_bytes);
        sqlite3_bind_int64(st, 9, f->offloaded_bytes);
        sqlite3_bind_int64(st, 10, f->live_bytes);
        rc = db_step(s, st, "store a memory plan") == SQLITE_DONE ? NW_OK : NW_EDB;
    }
    return rc;
}

int store_plan(struct store *s, const char *key, const struct plan_fact *plan)
{
    int64_t id = 0;
    int rc = db_begin(s), found;

    if (rc)
        return rc;
    found = db_find_point(s, key, &id);
    if (!found)
        fprintf(stderr, "narrows: %s: store a memory plan: there is no point %s\n", s->path, key);
    rc = found == 1 ? db_put_plan(s, id, plan) : NW_EDB;
    return db_end(s, rc);
}
