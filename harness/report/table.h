/* table.h - a published table with two groups of columns, each cell printed as published, ours, difference, kind. */
#ifndef NARROWS_HARNESS_REPORT_TABLE_H
#define NARROWS_HARNESS_REPORT_TABLE_H

#include <stdio.h>

#include "harness/report/query.h"

/* What the query must return, column by column: label, then for each group published, ours, difference, kind.
 * A published NULL prints as N/A, ours NULL as "-". */
enum { TABLE_GROUP = 4, TABLE_COLUMNS = 1 + 2 * TABLE_GROUP };

struct table_style {
    const char *heads[2]; /* over the groups */
    const char *diff;     /* printf format of the difference, "%+.1f%%" */
};

void table_head(FILE *out, const struct table_style *style);
void table_rule(FILE *out);
void table_row(FILE *out, const struct table_style *style, struct query *q);

#endif
