/* tables.h - which facts a record holds: a row for each table, in an order in which rows refer to those before them. A
 * table or a column that the schema gets later is left out until it is listed here; what is listed and a record lacks
 * stays NULL. */
#ifndef NARROWS_HARNESS_RECORD_TABLES_H
#define NARROWS_HARNESS_RECORD_TABLES_H

#include <stdbool.h>
#include <stddef.h>

enum { RECORD_MOST_COLUMNS = 16 };

/* What a column is to a database that imports it. */
enum column_role {
    COLUMN_VALUE,  /* as it is */
    COLUMN_LOCAL,  /* a text that may name files of the machine: their folders stay there */
    COLUMN_KEY,    /* made different from that of a point which was computed here */
    COLUMN_RUN,    /* run.id, */
    COLUMN_POINT,  /* point.id, */
    COLUMN_TIMING, /* trace_timing.id: numbered again */
};

struct record_column {
    const char *name;
    enum column_role role;
    int dropped; /* of a double's 52 bits of fraction: for what is looked at in figures only */
};

struct record_table {
    const char *name;
    const char *of;    /* which of its rows: an SQL condition on the sets of export.c */
    const char *order; /* in which rows are most alike, and those that are referred to are sorted */
    struct record_column columns[RECORD_MOST_COLUMNS]; /* ends with a row without a name */
};

extern const struct record_table record_tables[]; /* ends with a row without a name */
enum { RECORD_TABLES = 16 };

/* The table, or the column of one, with this name; NULL if there is none. */
const struct record_table *record_table(const char *name);
const struct record_column *record_column(const struct record_table *t, const char *name);

/* Does the column number the rows of its own table? */
bool record_numbers(const struct record_table *t, const struct record_column *c);

#endif
