#include "harness/report/once.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"

/* Copies of all views, in the schema where names are looked up first, so that they are made of each other and not of the originals. */
static const char views_sql[] =
    "SELECT 'CREATE TEMP VIEW ' || substr(sql, length('CREATE VIEW ') + 1) FROM main.sqlite_schema WHERE type = 'view'";
/* Of some, what they have is kept in a table that takes their place. */
static const char tables_sql[] =
    "SELECT printf('CREATE TEMP TABLE \"%w, once\" AS SELECT * FROM temp.\"%w\"; DROP VIEW temp.\"%w\";"
    " CREATE TEMP VIEW \"%w\" AS SELECT * FROM \"%w, once\"', name, name, name, name, name)"
    " FROM report_once WHERE whole <= CAST(?1 AS INTEGER) ORDER BY place";
static const char drops_sql[] =
    "SELECT printf('DROP %s temp.\"%w\"', type, name) FROM temp.sqlite_schema WHERE type IN ('view', 'table')";

/* Execute each statement that a query answers. They are read first: a schema must not change under a query of it. */
static int execute_each(sqlite3 *db, const char *sql, const char *argument)
{
    struct query q = query_open(db, sql, argument, NULL);
    char *all = strdup(""), *more;
    int rc = NW_OK;

    while (all && query_next(&q)) {
        if (asprintf(&more, "%s%s;\n", all, query_text(&q, 0)) < 0)
            more = NULL;
        free(all);
        all = more;
    }
    if (query_close(&q))
        rc = NW_EDB;
    else if (all && sqlite3_exec(db, all, NULL, NULL, NULL) != SQLITE_OK) {
        fprintf(stderr, "narrows: report: %s\n", sqlite3_errmsg(db));
        rc = NW_EDB;
    }
    rc = all ? rc : NW_ENOMEM;
    free(all);
    return rc;
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

int once_begin(sqlite3 *db, bool whole, bool *begun)
{
    struct query q = query_open(db, "SELECT 1 FROM temp.sqlite_schema LIMIT 1", NULL);
    bool there = query_next(&q);
    int rc = query_close(&q);

    *begun = !rc && !there;
    rc = *begun ? make(db, whole, make_all) : rc;
    *begun = *begun && !rc;
    return rc;
}

void once_end(sqlite3 *db, bool begun)
{
    if (begun)
        make(db, false, drop_all);
}
