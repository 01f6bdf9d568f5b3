#include "harness/report/snapshot.h"

#include <stdio.h>

#include "harness/status.h"
#include "harness/store/definitions.h"

/* Copies of all views, in the schema where names are looked up first, so that they are made of each other and not of
 * the originals. */
static const char views_sql[] =
    "SELECT 'CREATE TEMP VIEW ' || substr(sql, length('CREATE VIEW ') + 1) FROM main.sqlite_schema WHERE type = 'view'";
/* Of some, what they have is kept in a table that takes their place. */
static const char tables_sql[] =
    "SELECT printf('CREATE TEMP TABLE \"%w, once\" AS SELECT * FROM temp.\"%w\"; DROP VIEW temp.\"%w\";"
    " CREATE TEMP VIEW \"%w\" AS SELECT * FROM \"%w, once\"', name, name, name, name, name)"
    " FROM report_once WHERE whole <= CAST(?1 AS INTEGER) ORDER BY place";
static const char drops_sql[] =
    "SELECT printf('DROP %s temp.\"%w\"', type, name) FROM temp.sqlite_schema WHERE type IN ('view', 'table')";

static int execute_each(sqlite3 *db, const char *sql, const char *argument)
{
    int code = definitions_each(db, sql, argument);

    if (code == SQLITE_NOMEM)
        return NW_ENOMEM;
    if (code != SQLITE_OK)
        fprintf(stderr, "narrows: report: %s\n", sqlite3_errmsg(db));
    return code == SQLITE_OK ? NW_OK : NW_EDB;
}

static bool is_readonly(sqlite3 *db)
{
    struct query q = query_open(db, "PRAGMA query_only", NULL);
    bool yes = query_next(&q) && query_real(&q, 0) != 0;

    query_close(&q);
    return yes;
}

/* What is made is temporary, yet counts as writing. */
static int make(sqlite3 *db, bool whole, int (*step)(sqlite3 *db, const char *whole))
{
    bool readonly = is_readonly(db);
    int rc;

    sqlite3_exec(db, "PRAGMA query_only = OFF", NULL, NULL, NULL);
    rc = step(db, whole ? "1" : "0");
    if (readonly)
        sqlite3_exec(db, "PRAGMA query_only = ON", NULL, NULL, NULL);
    return rc;
}

static int drop_all(sqlite3 *db, const char *whole)
{
    (void)whole;
    return execute_each(db, drops_sql, NULL);
}

static int make_all(sqlite3 *db, const char *whole)
{
    int rc = execute_each(db, views_sql, NULL);

    rc = rc ? rc : execute_each(db, tables_sql, whole);
    if (rc)
        drop_all(db, whole);
    return rc;
}

int snapshot_begin(sqlite3 *db, bool whole, bool *begun)
{
    struct query q = query_open(db, "SELECT 1 FROM temp.sqlite_schema LIMIT 1", NULL);
    bool there = query_next(&q);
    int rc = query_close(&q);

    *begun = !rc && !there;
    rc = *begun ? make(db, whole, make_all) : rc;
    *begun = *begun && !rc;
    return rc;
}

void snapshot_end(sqlite3 *db, bool begun)
{
    if (begun)
        make(db, false, drop_all);
}
