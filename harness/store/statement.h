/* statement.h - statements of a store, kept prepared, with their values and rows: for those who know its tables. */
#ifndef NARROWS_HARNESS_STORE_STATEMENT_H
#define NARROWS_HARNESS_STORE_STATEMENT_H

#include <sqlite3.h>
#include <stdint.h>

struct store;

/* Print "FILE: what: SQLite's words" and a hint where one helps; NW_EDB. */
int db_fail(const struct store *s, const char *what);

/* 'sql' must be a literal: a statement stays prepared and is found again by the address of its text.
 * Values of statements. 'types' has a letter for each parameter of the statement, whose values follow in order:
 *   i  int or bool      l  int64_t or size_t                    o  int64_t, NULL where it is negative
 *   d  double           f  double, NULL where it is not finite  t  text, NULL stands for ""
 * After a colon, or for db_read(), it has a letter for each column; pointers to the results follow:
 *   i  int *            l  int64_t *      d  double *, NaN for NULL      t  char *, size_t: its size
 * Texts must live during the call; those of db_select() until its rows have been read. */

/* Run a statement that returns no rows: NW_OK, or NW_EDB after a message that says 'what' was tried. */
int db_run(struct store *s, const char *what, const char *sql, const char *types, ...);

/* The first row of a statement: 1 and its columns, 0 if there is none, or NW_EDB after a message. */
int db_find(struct store *s, const char *what, const char *sql, const char *types, ...);

/* A statement with its values, to be read row by row: db_step(), then db_read(). NULL after a message. */
sqlite3_stmt *db_select(struct store *s, const char *sql, const char *types, ...);
void db_read(sqlite3_stmt *st, const char *types, ...);

/* SQLITE_ROW, SQLITE_DONE, or NW_EDB after a message. */
int db_step(struct store *s, sqlite3_stmt *st, const char *what);

/* Execute all of 'sql', which returns nothing. */
int db_execute(struct store *s, const char *sql, const char *what);

/* Begin a transaction that takes the write lock at once, so that it cannot fail later for lack of it. */
int db_begin(struct store *s);
/* Commit if rc is 0, else roll back; the final code. */
int db_end(struct store *s, int rc);

#endif
