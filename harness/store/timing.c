/* timing.c - the simulated time of trained steps. */
#include <stdio.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static int trained_point(struct store *s, const char *key, int64_t *id)
{
    sqlite3_stmt *st = db_statement(s, ST_TRACED);
    int code;

    if (!st)
        return NW_EDB;
    db_bind(st, 1, key);
    code = db_step(s, st, "look up a training");
    if (code == SQLITE_ROW) {
        *id = sqlite3_column_int64(st, 0);
        sqlite3_reset(st);
        return NW_OK;
    }
    if (code == SQLITE_DONE)
        fprintf(stderr, "narrows: %s: store a timing: no point %s was trained\n", s->path, key);
    return NW_EDB;
}

/* *id 0: its key was there already. */
static int insert_timing(struct store *s, int64_t run_id, int64_t point_id, const struct timing_fact *t, int64_t *id)
{
    sqlite3_stmt *st = db_statement(s, ST_TIMING);
    int code;

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, run_id);
    sqlite3_bind_int64(st, 2, point_id);
    db_bind(st, 3, t->label);
    db_bind(st, 4, t->simulated);
    db_bind(st, 5, t->key);
    code = db_step(s, st, "store a timing");
    *id = code == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    if (code == SQLITE_ROW)
        sqlite3_reset(st);
    return code == SQLITE_ROW || code == SQLITE_DONE ? NW_OK : NW_EDB;
}

static int insert_step(struct store *s, int64_t id, const struct timing_step_fact *f)
{
    sqlite3_stmt *st = db_statement(s, ST_TIMING_STEP);

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, id);
    sqlite3_bind_int64(st, 2, f->steps);
    sqlite3_bind_double(st, 3, f->seconds);
    return db_step(s, st, "store a timing") == SQLITE_DONE ? NW_OK : NW_EDB;
}

int store_timing(struct store *s, int64_t run_id, const struct timing_fact *t)
{
    int64_t point_id, id = 0;
    int rc = db_begin(s);

    if (rc)
        return rc;
    rc = trained_point(s, t->point, &point_id);
    rc = rc ? rc : insert_timing(s, run_id, point_id, t, &id);
    for (size_t i = 0; i < t->nsteps && id && !rc; i++)
        rc = insert_step(s, id, &t->steps[i]);
    return db_end(s, rc);
}

int store_has_timing(struct store *s, const char *key)
{
    sqlite3_stmt *st = db_statement(s, ST_TIMING_FIND);
    int found;

    if (!st)
        return NW_EDB;
    db_bind(st, 1, key);
    if (db_step(s, st, "look up a timing") != SQLITE_ROW)
        return NW_EDB;
    found = sqlite3_column_int(st, 0);
    sqlite3_reset(st);
    return found;
}

int store_trace_values(struct store *s, const char *key, int64_t *values, int64_t *coded)
{
    sqlite3_stmt *st = db_statement(s, ST_TRACED_VALUES);

    if (!st)
        return NW_EDB;
    db_bind(st, 1, key);
    if (db_step(s, st, "look up a training's tensors") != SQLITE_ROW)
        return NW_EDB;
    *values = sqlite3_column_int64(st, 0);
    *coded = sqlite3_column_int64(st, 1);
    sqlite3_reset(st);
    return *values > 0;
}

int store_listed_key(struct store *s, int64_t run_id, size_t position, const char *variant, char key[33])
{
    sqlite3_stmt *st = db_statement(s, ST_LISTED_KEY);
    int code;

    if (!st)
        return NW_EDB;
    sqlite3_bind_int64(st, 1, run_id);
    sqlite3_bind_int64(st, 2, (int64_t)position);
    db_bind(st, 3, variant);
    code = db_step(s, st, "look up a listed point");
    if (code != SQLITE_ROW)
        return code == SQLITE_DONE ? 0 : NW_EDB;
    snprintf(key, 33, "%s", (const char *)sqlite3_column_text(st, 0));
    sqlite3_reset(st);
    return 1;
}
