#include "harness/store/definitions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/internal.h"
#include "harness/store/schema.h"

int definitions_each(sqlite3 *db, const char *query, const char *argument)
{
    sqlite3_stmt *st;
    char *all = strdup("");
    int code = sqlite3_prepare_v2(db, query, -1, &st, NULL), closed;

    if (code == SQLITE_OK && argument)
        code = sqlite3_bind_text(st, 1, argument, -1, SQLITE_STATIC);
    while (all && code == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW) {
        char *more;

        code = asprintf(&more, "%s%s;\n", all, (const char *)sqlite3_column_text(st, 0)) < 0 ? SQLITE_NOMEM : SQLITE_OK;
        free(all);
        all = code == SQLITE_OK ? more : NULL;
    }
    closed = sqlite3_finalize(st);
    code = !all ? SQLITE_NOMEM : code != SQLITE_OK ? code : closed;
    code = code != SQLITE_OK ? code : sqlite3_exec(db, all, NULL, NULL, NULL);
    free(all);
    return code;
}

static int execute_rows(struct store *s, const char *query, const char *what)
{
    int code = definitions_each(s->db, query, NULL);

    return code == SQLITE_NOMEM ? NW_ENOMEM : code != SQLITE_OK ? db_fail(s, what) : NW_OK;
}

static int has_table(struct store *s)
{
    int n;

    return db_find(s, "read its definitions",
                   "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'definition'", ":i", &n);
}

int definitions_current(struct store *s)
{
    int n, there = has_table(s);

    return there <= 0 ? there
                      : db_find(s, "read its definitions", "SELECT 1 FROM definition WHERE name = '' AND digest = ?1",
                                "t:i", definitions_digest, &n);
}

int definitions_drop(struct store *s)
{
    int there = has_table(s), rc = there < 0 ? there : NW_OK;

    if (!rc)
        rc = execute_rows(s, "SELECT 'DROP VIEW \"' || name || '\"' FROM sqlite_schema WHERE type = 'view'",
                          "drop views");
    if (!rc && there)
        rc = execute_rows(
            s, "SELECT 'DROP TABLE IF EXISTS \"' || name || '\"' FROM definition WHERE name <> '' ORDER BY place DESC",
            "drop definitions");
    return !rc && there ? db_execute(s, "DELETE FROM definition", "drop definitions") : rc;
}

/* Views of all views of a kind, whichever papers have one. */
static const char unions[] =
    "SELECT 'CREATE VIEW ' || u.name || ' AS ' || group_concat('SELECT ' || u.columns || ' FROM \"' || v.name ||"
    " '\"', ' UNION ALL ')"
    " FROM view_union u JOIN (SELECT name FROM sqlite_schema WHERE type = 'view' ORDER BY name) v"
    " ON substr(v.name, -length(u.suffix)) = u.suffix GROUP BY u.name";

static int note_digest(struct store *s, const char *digest)
{
    return db_run(s, "note its definitions", "INSERT OR REPLACE INTO definition(name, place, digest) VALUES ('', 0, ?)",
                  "t", digest);
}

/* What is there now is no definition's; what is there later, and was not before, is. */
static int remember_names(struct store *s)
{
    return db_execute(s, "CREATE TEMP TABLE name_before AS SELECT name FROM main.sqlite_schema", "look at tables");
}

static int note_tables(struct store *s)
{
    return db_execute(s,
                      "INSERT INTO definition(name, place, digest) SELECT name, rowid, '' FROM main.sqlite_schema"
                      " WHERE type = 'table' AND name NOT IN (SELECT name FROM temp.name_before);"
                      "DROP TABLE temp.name_before",
                      "note its definitions");
}

int definitions_make(struct store *s)
{
    int rc = remember_names(s);

    for (const struct definition *d = definitions; d->file && !rc; d++)
        rc = db_execute(s, d->sql, d->file);
    rc = rc ? rc : execute_rows(s, unions, "join views");
    rc = rc ? rc : note_tables(s);
    return rc ? rc : note_digest(s, definitions_digest);
}

/* SQLite looks at a view's columns when it is read: an error in one would break the views of all papers. */
static const char readings[] =
    "SELECT 'SELECT * FROM \"' || name || '\" LIMIT 0' FROM main.sqlite_schema WHERE type = 'view'"
    " AND name NOT IN (SELECT name FROM temp.name_before)";

/* The views of views come last again. The digest is no longer the program's, so that the next to open makes them all
 * again. */
static int add(struct store *s, const char *file, const char *sql)
{
    int rc = execute_rows(s, "SELECT 'DROP VIEW \"' || name || '\"' FROM view_union", "drop views");

    rc = rc ? rc : remember_names(s);
    rc = rc ? rc : db_execute(s, sql, file);
    rc = rc ? rc : execute_rows(s, unions, file);
    rc = rc ? rc : execute_rows(s, readings, file);
    rc = rc ? rc : note_tables(s);
    return rc ? rc : note_digest(s, "");
}

int store_define(struct store *s, const char *file, const char *sql)
{
    int rc = db_begin(s);

    if (!rc)
        rc = db_end(s, add(s, file, sql));
    if (rc) /* a temporary table is no part of the transaction's database, but of its rollback */
        sqlite3_exec(s->db, "DROP TABLE IF EXISTS temp.name_before", NULL, NULL, NULL);
    return rc;
}
