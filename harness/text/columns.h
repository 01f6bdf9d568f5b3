/* columns.h - a table of texts: every column as wide as its widest text; columns without any text are left out.
 * Units      widths count characters of UTF-8.
 * Ownership  columns_close() releases what columns_open() made; the heads must live until then.
 * Errors     when memory runs out, columns_close() returns NW_ENOMEM and prints nothing. */
#ifndef NARROWS_HARNESS_TEXT_COLUMNS_H
#define NARROWS_HARNESS_TEXT_COLUMNS_H

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
