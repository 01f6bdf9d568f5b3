/* grid.h - any published table beside ours: a row a line; for each column what is published, ours, their difference and a
 * mark: a star where a constant was fitted to the cell, a tilde where ours comes of a training on other data than the paper's.
 * And what holds for every paper: how well its tables are met, which constants were fitted. At most TEXT_WIDTH wide.
 * Errors     0 or NW_EDB. */
#ifndef NARROWS_HARNESS_REPORT_GRID_H
#define NARROWS_HARNESS_REPORT_GRID_H

#include <stdbool.h>
#include <stdio.h>

struct sqlite3;

enum { GRID_COLUMNS = 3 };

struct grid {
    const char *paper, *table;
    const char *columns[GRID_COLUMNS]; /* column keys; NULL after the last */
    enum {
        GRID_PERCENT,
        GRID_POINTS,
        GRID_SHARE
    } difference; /* % of what is published; of percentages, points of them; of
                                                                  shares of one, their difference */
};

/* Does any run speak to a cell of the table? False also after an error. */
bool grid_any(struct sqlite3 *db, const struct grid *g);

int grid_print(struct sqlite3 *db, FILE *out, const struct grid *g);

/* After an empty line: how many cells of the table are predicted and calibrated, the mean absolute error of the predicted
 * ones and the worst of them, with the reason on record (paper_note); how many come of other data. */
int grid_errors(struct sqlite3 *db, FILE *out, const struct grid *g);

/* The same of these columns alone, where the table has others that say something else. */
int grid_errors_of_columns(struct sqlite3 *db, FILE *out, const struct grid *g);

/* The newest fit of every constant of the paper, with the cells it was fitted to and what they came to. */
int grid_constants(struct sqlite3 *db, FILE *out, const char *paper);

#endif
