/* table.h - a table to be printed in any style; its cells are texts.
 * Ownership  texts are copied; table_free() frees all.
 * Errors     adding to a table that ran out of memory does nothing; table_bad() reports it. */
#ifndef NARROWS_HARNESS_REPORT_STYLE_TABLE_H
#define NARROWS_HARNESS_REPORT_STYLE_TABLE_H

#include <stdbool.h>
#include <stddef.h>

struct table_cell {
    char *text;
    char *kind;   /* kind of the result: 'predicted', 'calibrated', ...; NULL: not a result */
    char *anchor; /* NULL: none */
    int distance; /* of narrows' value from the published one, in steps from 0 (near) to 4; -1: not shown */
};
struct table_column {
    char *group, *head; /* adjacent columns of one group share its heading; "": no group */
    bool right;         /* of numbers */
};
struct table {
    struct table_column *columns;
    struct table_cell *cells; /* row by row */
    bool *rules;              /* a line above this row */
    size_t ncolumns, nrows;
    bool bad;
};

struct table *table_new(void); /* NULL if memory is short */
void table_free(struct table *t);
/* Columns are all added before the first row. */
void table_column(struct table *t, const char *group, const char *head, bool right);
void table_row(struct table *t, bool rule); /* a row of empty cells */
/* The cell of the last row; NULL if the table is bad. Its text may be set once. */
struct table_cell *table_cell(struct table *t, size_t column);
void table_text(struct table *t, struct table_cell *cell, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool table_bad(const struct table *t);

#endif
