/* sizes.h - a paper's trainings come in sizes, each told by itself: '1' as the paper has them, '2' in the small, '3' a quick look, which is
 * told only where there is nothing else, '4' in the small but longer.
 * Errors     0 or NW_EDB. */
#ifndef NARROWS_HARNESS_REPORT_SIZES_H
#define NARROWS_HARNESS_REPORT_SIZES_H

#include <stdio.h>

struct sqlite3;

/* Calls 'print' for each size that 'points', a view with a column 'size', has and that is to be told. */
int sizes_each(struct sqlite3 *db, FILE *out, const char *points,
               int (*print)(struct sqlite3 *db, FILE *out, const char *size));

/* "" as the paper has it, else " in the small", ", a quick look" or " in the small, longer". */
const char *sizes_text(const char *size);

/* That of a query's ?1. */
#define SIZES_ASKED "CAST(?1 AS INTEGER)"

#endif
