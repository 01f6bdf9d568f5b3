/* internal.h - private to the files of harness/store/merge/. */
#ifndef NARROWS_HARNESS_STORE_MERGE_INTERNAL_H
#define NARROWS_HARNESS_STORE_MERGE_INTERNAL_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/store/internal.h"
#include "harness/store/merge/fact_tables.h"
#include "harness/store/merge/merge.h"

/* How things that one database numbers are numbered in the other, in ascending order of the former. */
struct numbers {
    struct number {
        int64_t there, here;
        bool old;  /* it was here before */
        bool kept; /* its row of a FACT_FIRST table was, too */
    } * rows;
    size_t n, space;
};

struct merging {
    struct store *into, *from;
    int64_t run_id; /* that takes the place of all runs; 0: none */
    struct numbers numbers[FACT_NUMBERS];
    struct merge_counts *counts;
};

enum { MOST_COLUMNS = 24 };

/* A table of facts on its way: its columns, and statements that read, insert, find and number its rows. */
struct merged_table {
    const struct fact_table *fact;
    int ncolumns;
    struct merged_column {
        char name[32];
        enum fact_number refers; /* FACT_UNNUMBERED: a value */
        bool number;             /* 'id' of a numbered table, always the first: not copied */
        bool key, loose;
    } columns[MOST_COLUMNS];
    sqlite3_stmt *read, *insert, *find, *count;
};

/* In table.c. table_open() may leave some statements open when it fails: table_close() all the same. */
int table_open(struct merging *m, const struct fact_table *fact, struct merged_table *t);
void table_close(struct merged_table *t);

/* In conflict.c: is the row that 'find' is at equal to that of 'read'? NW_EDB after a message if not. */
int conflict_check(const struct merging *m, const struct merged_table *t);
/* A message about the row of 'read', and NW_EDB. Rows of its owner are here, but not this one, or more of them. */
int conflict_missing(const struct merging *m, const struct merged_table *t, const char *what);

/* In copy.c: all rows of the table; then, in place of that, of all tables. */
int copy_table(struct merging *m, const struct fact_table *fact);
int copy_facts(struct merging *m);
const struct number *number_find(const struct numbers *numbers, int64_t there);

/* In order.c: number the runs after 'last' again where they are not in the order of their beginnings. 1 if runs up to
 * 'last' had to be numbered again as well and 'alone' is false: nothing is done then. */
int order_runs(struct store *s, int64_t last, bool alone);

#endif
