#include <math.h>

#include "harness/status.h"
#include "harness/store/internal.h"

static int insert_row(struct store *s, const char *key, size_t place, const struct fit_fact *f)
{
    sqlite3_stmt *st = db_statement(s, ST_FIT);

    if (!st)
        return NW_EDB;
    db_bind(st, 1, key);
    sqlite3_bind_int64(st, 2, (int64_t)place);
    if (isnan(f->value))
        sqlite3_bind_null(st, 3);
    else
        sqlite3_bind_double(st, 3, f->value);
    sqlite3_bind_double(st, 4, f->reached);
    return db_step(s, st, "store a fit") == SQLITE_DONE ? NW_OK : NW_EDB;
}

int store_fit(struct store *s, const char *key, const struct fit_fact *rows, size_t n)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    for (size_t i = 0; i < n && !rc; i++)
        rc = insert_row(s, key, i, &rows[i]);
    return db_end(s, rc);
}

int store_fit_find(struct store *s, const char *key, struct fit_fact *rows, size_t n)
{
    sqlite3_stmt *st = db_statement(s, ST_FIT_FIND);
    size_t found = 0;
    int code;

    if (!st)
        return NW_EDB;
    db_bind(st, 1, key);
    while ((code = db_step(s, st, "look up a fit")) == SQLITE_ROW) {
        if (found < n)
            rows[found] = (struct fit_fact){
                .value = sqlite3_column_type(st, 0) == SQLITE_NULL ? NAN : sqlite3_column_double(st, 0),
                .reached = sqlite3_column_double(st, 1),
            };
        found++;
    }
    return code == SQLITE_DONE ? n && found == n : NW_EDB;
}
