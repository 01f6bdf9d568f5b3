#include "harness/report/query.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"

static int fail(sqlite3 *db)
{
    fprintf(stderr, "narrows: report: %s\n", sqlite3_errmsg(db));
    return NW_EDB;
}

struct query query_open(sqlite3 *db, const char *sql, ...)
{
    struct query q = { NULL, NW_OK };
    const char *text;
    va_list ap;

    if (sqlite3_prepare_v2(db, sql, -1, &q.st, NULL) != SQLITE_OK) {
        q.rc = fail(db);
        return q;
    }
    va_start(ap, sql);
    for (int i = 1; (text = va_arg(ap, const char *)) != NULL; i++)
        sqlite3_bind_text(q.st, i, text, -1, SQLITE_STATIC);
    va_end(ap);
    return q;
}

struct query query_run(sqlite3 *db, const char *sql, int64_t run_id)
{
    struct query q = query_open(db, sql, NULL);

    sqlite3_bind_int64(q.st, 1, run_id);
    return q;
}

bool query_next(struct query *q)
{
    int code = q->st ? sqlite3_step(q->st) : SQLITE_DONE;

    if (code != SQLITE_ROW && code != SQLITE_DONE)
        q->rc = fail(sqlite3_db_handle(q->st));
    return code == SQLITE_ROW;
}

int query_close(struct query *q)
{
    sqlite3_finalize(q->st);
    q->st = NULL;
    return q->rc;
}

const char *query_text(struct query *q, int column)
{
    const char *text = (const char *)sqlite3_column_text(q->st, column);

    return text ? text : "";
}

bool query_null(struct query *q, int column)
{
    return sqlite3_column_type(q->st, column) == SQLITE_NULL;
}

double query_real(struct query *q, int column)
{
    return sqlite3_column_double(q->st, column);
}

int query_column(struct query *q, const char *name)
{
    for (int i = 0; q->st && i < sqlite3_column_count(q->st); i++)
        if (!strcmp(sqlite3_column_name(q->st, i), name))
            return i;
    return -1;
}
