/* definitions.h - views and the papers' tables, recreated if they are not the program's.
 * Errors     0 or NW_EDB after a message. All but definitions_current() need an open transaction. */
#ifndef NARROWS_HARNESS_STORE_DEFINITIONS_H
#define NARROWS_HARNESS_STORE_DEFINITIONS_H

#include <sqlite3.h>
#include <stdbool.h>

struct store;

/* Are a database's definitions those of the program? 1, 0, or negative. */
int definitions_current(struct store *s);

/* Drop all views and what earlier definitions made. Afterwards facts may be migrated. */
int definitions_drop(struct store *s);

/* Create all of them. */
int definitions_make(struct store *s);

/* Execute the statements that a query returns, one per row; ?1 is 'argument', if not NULL. All are read first: a schema
 * must not change during a query of it. Returns SQLite's code, without a message. */
int definitions_each(sqlite3 *db, const char *query, const char *argument);

#endif
