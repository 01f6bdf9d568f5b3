/* order.c - numbers of runs that grow with the time at which they began: the newest run is the one with the largest.
 * Runs of records keep theirs: they never are the newest. */
#include <stdio.h>

#include "harness/status.h"
#include "harness/store/merge/internal.h"

/* Runs in both orders: the n-th number is to be the n-th run's that began. */
static const char make_map[] =
    "CREATE TEMP TABLE renumbered AS"
    " SELECT t.id AS old, n.id AS new FROM"
    "  (SELECT id, row_number() OVER (ORDER BY started_ns, machine, scenario, command, id) AS place FROM run"
    "    WHERE id NOT IN (SELECT run_id FROM run_record)) t JOIN"
    "  (SELECT id, row_number() OVER (ORDER BY id) AS place FROM run"
    "    WHERE id NOT IN (SELECT run_id FROM run_record)) n USING (place)"
    " WHERE t.id <> n.id; CREATE UNIQUE INDEX temp.renumbered_by_old ON renumbered(old)";

/* Did a run that was added begin before one with a lesser number? */
static const char disordered[] =
    "SELECT EXISTS (SELECT 1 FROM (SELECT id, started_ns, max(started_ns) OVER (ORDER BY id) AS latest FROM run"
    " WHERE id NOT IN (SELECT run_id FROM run_record)) WHERE id > ? AND started_ns < latest)";

/* By way of negative numbers, so that no two runs ever have the same. */
static int renumber(struct store *s, const char *table, const char *column)
{
    char sql[512];

    snprintf(sql, sizeof(sql),
             "UPDATE %s SET %s = -(SELECT new FROM renumbered WHERE old = %s) WHERE %s IN (SELECT old FROM renumbered);"
             "UPDATE %s SET %s = -%s WHERE %s < 0",
             table, column, column, column, table, column, column, column);
    return db_execute(s, sql, "number runs in the order of their beginnings");
}

static int has_column(struct store *s, const char *table, const char *column)
{
    int one;

    return db_find(s, "read its tables", "SELECT 1 FROM pragma_table_info(?) WHERE name = ?", "tt:i", table, column,
                   &one);
}

static int renumber_all(struct store *s)
{
    int rc = db_execute(s, "PRAGMA defer_foreign_keys = ON", "number runs");

    for (const struct fact_table *f = fact_tables; f->name && !rc; f++) {
        int has = has_column(s, f->name, "run_id");

        rc = has < 0 ? has : has ? renumber(s, f->name, "run_id") : NW_OK;
    }
    return rc ? rc : renumber(s, "run", "id");
}

int order_runs(struct store *s, int64_t last, bool alone)
{
    int wrong = 0, moved = 0, rc = NW_OK;

    if (db_find(s, "look at the order of runs", disordered, "l:i", last, &wrong) != 1)
        return NW_EDB;
    if (!wrong)
        return NW_OK;
    rc = db_execute(s, make_map, "number runs");
    if (!rc && db_find(s, "look at the order of runs", "SELECT EXISTS (SELECT 1 FROM renumbered WHERE old <= ?)", "l:i",
                       last, &moved) != 1)
        rc = NW_EDB;
    if (!rc && (!moved || alone))
        rc = renumber_all(s);
    if (!rc)
        rc = db_execute(s, "DROP TABLE renumbered", "number runs");
    return rc ? rc : moved && !alone;
}
