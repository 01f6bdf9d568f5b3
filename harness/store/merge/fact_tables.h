/* fact_tables.h - every table of facts: how its rows are known in another database, and what is compared where two
 * databases have one. A table that the schema gets later needs a row here: a test compares the list with the schema. */
#ifndef NARROWS_HARNESS_STORE_MERGE_FACT_TABLES_H
#define NARROWS_HARNESS_STORE_MERGE_FACT_TABLES_H

#include <stdbool.h>

/* Things that each database numbers by itself. */
enum fact_number { FACT_UNNUMBERED, FACT_RUN, FACT_POINT, FACT_TIMING, FACT_RECORD, FACT_EXECUTION, FACT_NUMBERS };

enum fact_rule {
    FACT_ROWS,    /* row by row: those with one key must be equal */
    FACT_WHOLE,   /* all rows of an owner, its first column, or none: those of one owner must be equal */
    FACT_FIRST,   /* what is there stays, whatever the other has */
    FACT_FOLLOWS, /* rows of an owner whose row of the FACT_FIRST table before came from the same database */
};

struct fact_table {
    const char *name;
    enum fact_number number; /* what its column 'id' numbers */
    const char *key;         /* the column that tells numbered rows apart; NULL: all of them together do */
    enum fact_rule rule;
    const char *loose; /* columns that may differ, each with a blank on both sides */
    bool of_run;       /* says what a run was or listed, not what a point came to */
};

extern const struct fact_table fact_tables[]; /* rows refer to those of tables before them; ends without a name */

/* What a column of this name refers to. */
enum fact_number fact_reference(const char *column);

#endif
