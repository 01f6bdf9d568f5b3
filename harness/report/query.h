/* query.h - reading views row by row. Bound texts must live, and returned texts live, until the query is closed
 * or advanced.
 * Errors     the first one is printed and kept; query_close() returns it. */
#ifndef NARROWS_HARNESS_REPORT_QUERY_H
#define NARROWS_HARNESS_REPORT_QUERY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct query {
    sqlite3_stmt *st; /* for sqlite3_column_*(); NULL after an error */
    int rc;
};

/* Bind the texts after 'sql' to ?1, ?2, ... in order; end them with NULL. */
struct query query_open(sqlite3 *db, const char *sql, ...) __attribute__((sentinel));
/* Bind a run's id to ?1. */
struct query query_run(sqlite3 *db, const char *sql, int64_t run_id);
bool query_next(struct query *q);
int query_close(struct query *q); /* 0 or NW_EDB */

const char *query_text(struct query *q, int column); /* "" for NULL */
bool query_null(struct query *q, int column);
double query_real(struct query *q, int column);
int query_column(struct query *q, const char *name); /* -1 where the query has none of that name */

#endif
