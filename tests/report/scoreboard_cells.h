/* scoreboard_cells.h - the cells of a paper, worked out again from facts and from what the paper prints. */
#ifndef NARROWS_TESTS_REPORT_SCOREBOARD_CELLS_H
#define NARROWS_TESTS_REPORT_SCOREBOARD_CELLS_H

#include <sqlite3.h>
#include <stddef.h>

enum { SCOREBOARD_MOST_CELLS = 1000 };

struct cell {
    const char *paper, *table, *row, *column, *unit;
    double published, ours;
    const char *kind; /* "missing"; NULL: nothing is to come out for it */
    double error;
};

/* What the facts say of every published cell; cells[SCOREBOARD_MOST_CELLS], whose texts are never freed. */
size_t scoreboard_cells(sqlite3 *db, const char *paper, struct cell *cells);

sqlite3_stmt *scoreboard_prepare(sqlite3 *db, const char *sql);

/* The first column of a query's first row: NAN for NULL and for no row. The texts that follow, up to a NULL, are bound
 * to ?1, ?2, ... */
double scoreboard_ask(sqlite3 *db, const char *sql, ...);

#endif
