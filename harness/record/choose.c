#include "harness/record/choose.h"

#include <stdio.h>
#include <string.h>

#include "harness/run/point/key.h"
#include "harness/status.h"
#include "harness/store/statement.h"
#include "harness/store/store.h"

static const char what[] = "look for a run";

static int newest(struct store *s, const struct scenario_file *file, int64_t *run_id)
{
    const char *name = scenario_name(file);

    if (db_find(s, what,
                "SELECT max(id) FROM run WHERE scenario = ? AND id IN (SELECT run_id FROM run_end)"
                " AND id NOT IN (SELECT run_id FROM run_record)",
                "t:l", name, run_id) != 1)
        return NW_EDB;
    if (*run_id)
        return NW_OK;
    fprintf(stderr, "narrows: %s: holds no run of %s that came to its end here\n",
            sqlite3_db_filename(store_handle(s), "main"), name);
    return NW_EINPUT;
}

static int refuse(const struct scenario_file *file, int64_t run_id, size_t position, const char *why)
{
    fprintf(stderr, "narrows: %s: run %lld, point %zu: %s; narrows run %s trains it again\n", scenario_name(file),
            (long long)run_id, position, why, scenario_path(file));
    return NW_EINPUT;
}

/* One row for each of the scenario's points, with the key that this program gives it. */
static int check_keys(struct store *s, const struct scenario_file *file, int64_t run_id, sqlite3_stmt *st)
{
    size_t n = scenario_npoints(file);
    int rc = NW_OK;

    for (size_t i = 0; i < n && !rc; i++) {
        char key[POINT_KEY_LENGTH + 1], stored[POINT_KEY_LENGTH + 1];
        struct point point;
        int64_t position;

        if (db_step(s, st, what) != SQLITE_ROW)
            return refuse(file, run_id, i, "is missing");
        db_read(st, "lt", &position, stored, sizeof(stored));
        rc = scenario_point(file, i, &point);
        if (rc)
            return rc;
        rc = point_key(&point, key);
        point_free(&point);
        if (!rc && (position != (int64_t)i || strcmp(stored, key) != 0))
            rc = refuse(file, run_id, i, "was trained by another trainer, or as the scenario no longer has it");
    }
    return rc;
}

int record_choose(struct store *s, const struct scenario_file *file, int64_t *run_id)
{
    sqlite3_stmt *st;
    int rc;

    if (!scenario_trained(file)) {
        fprintf(stderr, "narrows: %s: expected a scenario with a training, found none in it\n", scenario_path(file));
        return NW_EINPUT;
    }
    rc = newest(s, file, run_id);
    if (rc)
        return rc;
    st = db_select(s,
                   "SELECT r.position, p.key FROM run_point r JOIN point p ON p.id = r.point_id"
                   " WHERE r.run_id = ? ORDER BY r.position",
                   "l", *run_id);
    rc = st ? check_keys(s, file, *run_id, st) : NW_EDB;
    sqlite3_reset(st);
    return rc;
}
