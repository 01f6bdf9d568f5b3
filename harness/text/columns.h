/* columns.h - a table of texts: every column as wide as what stands in it, those without anything left out.
 * Units      widths count characters of UTF-8.
 * Ownership  columns_close() releases what columns_open() made; the heads must live until then.
 * Errors     memory that ran out leaves the table without what came afterwards, and columns_close() answers
 *            NW_ENOMEM. */
#ifndef NARROWS_HARNESS_RUN_COLUMNS_H
#define NARROWS_HARNESS_RUN_COLUMNS_H

#include <stdbool.h>
#include <stdio.h>

struct column {
    const char *head;
    bool left; /* aligned to the left: words */
};

struct columns *columns_open(const struct column *list, size_t n); /* NULL: out of memory */

/* The next cell of the row, or the first of the next one. */
void columns_put(struct columns *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

int columns_close(struct columns *c, FILE *out); /* prints; accepts NULL */

#endif
