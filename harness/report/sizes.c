#include "harness/report/sizes.h"

#include <sqlite3.h>

#include "harness/report/query.h"
#include "harness/status.h"

int sizes_each(struct sqlite3 *db, FILE *out, const char *points,
               int (*print)(struct sqlite3 *db, FILE *out, const char *size))
{
    char sql[256];
    int rc = NW_OK;

    sqlite3_snprintf(sizeof(sql), sql,
                     "SELECT DISTINCT size FROM %s WHERE size <> 3 OR NOT EXISTS (SELECT 1 FROM %s WHERE size <> 3)"
                     " ORDER BY size",
                     points, points);
    struct query q = query_open(db, sql, NULL);

    while (!rc && query_next(&q))
        rc = print(db, out, query_text(&q, 0));
    int closed = query_close(&q);
    return rc ? rc : closed;
}

const char *sizes_text(const char *size)
{
    static const char *const texts[] = { "", " in the small", ", a quick look", " in the small, longer" };

    return texts[*size - '1'];
}
