/* part.h - a part of a paper's report, made from its row of report_part: a table, or paragraphs.
 * Errors     0; NW_EDB after a message, also for an error in the definition (it names paper and part). */
#ifndef NARROWS_HARNESS_REPORT_PART_PART_H
#define NARROWS_HARNESS_REPORT_PART_PART_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/report/query.h"
#include "harness/report/style/style.h"

struct part {
    const char *paper, *section, *name, *heading, *before, *shape, *format, *query, *after;
};

/* Write it, or nothing if it has no rows; 'level' is its heading's. */
int part_write(sqlite3 *db, const struct part *p, const struct style *style, int level, FILE *out);

/* The rows of its query, unformatted: CSV with a header, or a JSON array of objects. */
int part_rows(sqlite3 *db, const struct part *p, bool json, FILE *out);

/* Report an error in a definition, naming it; NW_EDB. */
int part_faulty(const struct part *p, const char *what);

/* grid.c: a grid of cells, and a sentence on its errors ("" if there are none to report). *t is NULL if there are no
 * rows. */
int grid_read(sqlite3 *db, const struct part *p, struct table **t, char *said, size_t size);

#endif
