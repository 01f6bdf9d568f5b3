/* statement.c - statements that a store keeps prepared, the values bound to them, and the rows read from them. */
#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "harness/store/internal.h"

int db_fail(const struct store *s, const char *what)
{
    int code = sqlite3_errcode(s->db);
    const char *hint = "";

    switch (code & 0xff) {
    case SQLITE_BUSY: hint = " (another process has held it for more than 10 s)"; break;
    case SQLITE_FULL: hint = " (what was stored before is safe; free some space and run the same command again)"; break;
    case SQLITE_READONLY: hint = " (choose another file with --db, or make this one and its directory writable)"; break;
    case SQLITE_CORRUPT: hint = " (the file is damaged)"; break;
    default: break;
    }
    fprintf(stderr, "narrows: %s: %s: %s%s\n", s->path, what, sqlite3_errmsg(s->db), hint);
    return NW_EDB;
}

/* The kept statement of this text, reset and unbound; NULL after a message. */
static sqlite3_stmt *prepared(struct store *s, const char *sql)
{
    struct statement *kept = s->statements;

    while (kept->st && kept->sql != sql)
        kept++;
    assert(kept < s->statements + MOST_STATEMENTS - 1);
    if (kept->st) {
        sqlite3_reset(kept->st);
        sqlite3_clear_bindings(kept->st);
    } else if (sqlite3_prepare_v3(s->db, sql, -1, SQLITE_PREPARE_PERSISTENT, &kept->st, NULL) == SQLITE_OK) {
        kept->sql = sql;
    } else {
        db_fail(s, "prepare a statement");
    }
    return kept->st;
}

static void bind_whole(sqlite3_stmt *st, int at, int64_t value, bool absent)
{
    if (!absent)
        sqlite3_bind_int64(st, at, value);
}

/* Binds as many values as 'types' has letters before a colon or its end. A parameter that is left out is NULL. */
static void bind_values(sqlite3_stmt *st, const char *types, va_list *values)
{
    int at = 0;
    double real;
    const char *text;
    int64_t whole;

    for (; *types && *types != ':'; types++)
        switch (at++, *types) {
        case 'i': bind_whole(st, at, va_arg(*values, int), false); break;
        case 'l': bind_whole(st, at, va_arg(*values, int64_t), false); break;
        case 'o': whole = va_arg(*values, int64_t), bind_whole(st, at, whole, whole < 0); break;
        case 'd': sqlite3_bind_double(st, at, va_arg(*values, double)); break;
        case 'f':
            real = va_arg(*values, double);
            if (isfinite(real))
                sqlite3_bind_double(st, at, real);
            break;
        case 't':
            text = va_arg(*values, const char *);
            sqlite3_bind_text(st, at, text ? text : "", -1, SQLITE_STATIC);
            break;
        default: assert(!"a letter of statement.h");
        }
    assert(at == sqlite3_bind_parameter_count(st));
}

static void read_values(sqlite3_stmt *st, const char *types, va_list *values)
{
    for (int at = 0; *types; at++, types++)
        switch (*types) {
        case 'i': *va_arg(*values, int *) = sqlite3_column_int(st, at); break;
        case 'l': *va_arg(*values, int64_t *) = sqlite3_column_int64(st, at); break;
        case 'd':
            *va_arg(*values, double *) =
                sqlite3_column_type(st, at) == SQLITE_NULL ? NAN : sqlite3_column_double(st, at);
            break;
        case 't': {
            char *text = va_arg(*values, char *);
            snprintf(text, va_arg(*values, size_t), "%s", (const char *)sqlite3_column_text(st, at));
            break;
        }
        default: assert(!"a letter of statement.h");
        }
}

int db_step(struct store *s, sqlite3_stmt *st, const char *what)
{
    int code = sqlite3_step(st);

    if (code != SQLITE_ROW && code != SQLITE_DONE) {
        int rc = db_fail(s, what);

        sqlite3_reset(st);
        return rc;
    }
    if (code == SQLITE_DONE)
        sqlite3_reset(st);
    return code;
}

int db_execute(struct store *s, const char *sql, const char *what)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? NW_OK : db_fail(s, what);
}

int db_begin(struct store *s)
{
    return db_run(s, "begin a transaction", "BEGIN IMMEDIATE", "");
}

int db_end(struct store *s, int rc)
{
    if (!rc)
        rc = db_run(s, "commit a transaction", "COMMIT", "");
    if (!rc)
        return NW_OK;
    /* SQLite has rolled back by itself where the disk is full; a second ROLLBACK would only complain. */
    if (!sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
    return rc;
}

sqlite3_stmt *db_select(struct store *s, const char *sql, const char *types, ...)
{
    sqlite3_stmt *st = prepared(s, sql);
    va_list values;

    va_start(values, types);
    if (st)
        bind_values(st, types, &values);
    va_end(values);
    return st;
}

void db_read(sqlite3_stmt *st, const char *types, ...)
{
    va_list values;

    va_start(values, types);
    read_values(st, types, &values);
    va_end(values);
}

int db_run(struct store *s, const char *what, const char *sql, const char *types, ...)
{
    sqlite3_stmt *st = prepared(s, sql);
    va_list values;

    va_start(values, types);
    if (st)
        bind_values(st, types, &values);
    va_end(values);
    return st && db_step(s, st, what) == SQLITE_DONE ? NW_OK : NW_EDB;
}

int db_find(struct store *s, const char *what, const char *sql, const char *types, ...)
{
    sqlite3_stmt *st = prepared(s, sql);
    va_list values;
    int code = NW_EDB;

    va_start(values, types);
    if (st) {
        bind_values(st, types, &values);
        code = db_step(s, st, what);
    }
    if (code == SQLITE_ROW) {
        read_values(st, strchr(types, ':') + 1, &values);
        sqlite3_reset(st);
    }
    va_end(values);
    return code == SQLITE_ROW ? 1 : code == SQLITE_DONE ? 0 : NW_EDB;
}
