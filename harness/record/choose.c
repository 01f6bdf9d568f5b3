#include "harness/record/choose.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/point/key.h"
#include "harness/status.h"
#include "harness/store/store.h"

static int fail(sqlite3 *db)
{
    fprintf(stderr, "narrows: %s: look for a run: %s\n", sqlite3_db_filename(db, "main"), sqlite3_errmsg(db));
    return NW_EDB;
}

static int newest(sqlite3 *db, const struct scenario_file *file, int64_t *run_id)
{
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(db,
                                  "SELECT max(id) FROM run WHERE scenario = ? AND id IN (SELECT run_id FROM run_end)"
                                  " AND id NOT IN (SELECT run_id FROM run_record)",
                                  -1, &st, NULL);

    if (code == SQLITE_OK) {
        sqlite3_bind_text(st, 1, scenario_name(file), -1, SQLITE_STATIC);
        code = sqlite3_step(st);
    }
    *run_id = code == SQLITE_ROW ? sqlite3_column_int64(st, 0) : 0;
    sqlite3_finalize(st);
    if (code != SQLITE_ROW)
        return fail(db);
    if (*run_id)
        return NW_OK;
    fprintf(stderr, "narrows: %s: holds no run of %s that came to its end here\n", sqlite3_db_filename(db, "main"),
            scenario_name(file));
    return NW_EINPUT;
}

static int refuse(const struct scenario_file *file, int64_t run_id, size_t position, const char *why)
{
    fprintf(stderr, "narrows: %s: run %lld, point %zu: %s; narrows run %s trains it again\n", scenario_name(file),
            (long long)run_id, position, why, scenario_path(file));
    return NW_EINPUT;
}

/* One row for each of the scenario's points, with the key that this program gives it. */
static int check_keys(const struct scenario_file *file, int64_t run_id, sqlite3_stmt *st)
{
    size_t n = scenario_npoints(file);
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++) {
        char key[POINT_KEY_LENGTH + 1];
        struct point point;

        if (sqlite3_step(st) != SQLITE_ROW)
            return refuse(file, run_id, i, "is missing");
        rc = scenario_point(file, i, &point);
        if (rc)
            return rc;
        rc = point_key(&point, key);
        point_free(&point);
        if (!rc &&
            (sqlite3_column_int64(st, 0) != (int64_t)i || strcmp((const char *)sqlite3_column_text(st, 1), key) != 0))
            rc = refuse(file, run_id, i, "was trained by another trainer, or as the scenario no longer has it");
    }
    return rc;
}

int record_choose(struct store *s, const struct scenario_file *file, int64_t *run_id)
{
    sqlite3 *db = store_handle(s);
    sqlite3_stmt *st = NULL;
    int rc;

    if (!scenario_trained(file)) {
        fprintf(stderr, "narrows: %s: expected a scenario with a training, found none in it\n", scenario_path(file));
        return NW_EINPUT;
    }
    rc = newest(db, file, run_id);
    if (!rc && sqlite3_prepare_v2(db,
                                  "SELECT r.position, p.key FROM run_point r JOIN point p ON p.id = r.point_id"
                                  " WHERE r.run_id = ? ORDER BY r.position",
                                  -1, &st, NULL) != SQLITE_OK)
        rc = fail(db);
    if (!rc) {
        sqlite3_bind_int64(st, 1, *run_id);
        rc = check_keys(file, *run_id, st);
    }
    sqlite3_finalize(st);
    return rc;
}
