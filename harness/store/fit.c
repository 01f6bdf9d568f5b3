/* fit.c - fits made before. */
#include "harness/status.h"
#include "harness/store/internal.h"

int store_fit(struct store *s, const char *key, const struct fit_fact *rows, size_t n)
{
    int rc = db_begin(s);

    if (rc)
        return rc;
    for (size_t i = 0; i < n && !rc; i++)
        rc = db_run(s, "store a fit",
                    "INSERT INTO fit(key, place, value, reached) VALUES (?,?,?,?) ON CONFLICT DO NOTHING", "tldd", key,
                    i, rows[i].value, rows[i].reached);
    return db_end(s, rc);
}

int store_fit_find(struct store *s, const char *key, struct fit_fact *rows, size_t n)
{
    sqlite3_stmt *st = db_select(s, "SELECT value, reached FROM fit WHERE key = ? ORDER BY place", "t", key);
    size_t found = 0;
    int code;

    if (!st)
        return NW_EDB;
    while ((code = db_step(s, st, "look up a fit")) == SQLITE_ROW)
        if (found++ < n)
            db_read(st, "dd", &rows[found - 1].value, &rows[found - 1].reached);
    return code == SQLITE_DONE ? n && found == n : NW_EDB;
}
