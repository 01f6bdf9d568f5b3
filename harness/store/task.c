#include <stdio.h>

#include "harness/status.h"
#include "harness/store/internal.h"

/* 1 if it was inserted, 0 if the point has a timeline already, or negative. */
static int insert_timeline(struct store *s, int64_t point_id, const struct timeline_fact *t)
{
    sqlite3_stmt *st = db_statement(s, ST_TIMELINE);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    sqlite3_bind_int64(st, 2, t->from_ps);
    if (t->to_ps)
        sqlite3_bind_int64(st, 3, t->to_ps);
    sqlite3_bind_int64(st, 4, (int64_t)t->left_out);
    if (db_step(s, st, "store a timeline") != SQLITE_DONE)
        return NW_EDB;
    return sqlite3_changes(s->db) == 1;
}

static int insert_task(struct store *s, int64_t point_id, size_t place, const struct task_fact *f)
{
    sqlite3_stmt *st = db_statement(s, ST_TASK);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, point_id);
    sqlite3_bind_int64(st, 2, (int64_t)place);
    sqlite3_bind_int64(st, 3, f->id);
    db_bind(st, 4, f->name);
    db_bind(st, 5, f->track);
    sqlite3_bind_int64(st, 6, f->slot);
    sqlite3_bind_int64(st, 7, f->start_ps);
    sqlite3_bind_int64(st, 8, f->end_ps);
    if (f->bytes >= 0)
        sqlite3_bind_int64(st, 9, f->bytes);
    return db_step(s, st, "store a task") == SQLITE_DONE ? NW_OK : NW_EDB;
}

int db_put_tasks(struct store *s, int64_t point_id, const struct timeline_fact *timeline)
{
    int found = insert_timeline(s, point_id, timeline), rc = found < 0 ? found : NW_OK;

    for (size_t i = 0; !rc && found == 1 && i < timeline->ntasks; i++)
        rc = insert_task(s, point_id, i, &timeline->tasks[i]);
    return rc;
}

int store_tasks(struct store *s, const char *key, const struct timeline_fact *timeline)
{
    int64_t id = 0;
    int rc = db_begin(s), found;

    if (rc)
        return rc;
    found = db_find_point(s, key, &id);
    if (!found)
        fprintf(stderr, "narrows: %s: store a timeline: there is no point %s\n", s->path, key);
    rc = found == 1 ? db_put_tasks(s, id, timeline) : NW_EDB;
    return db_end(s, rc);
}
