/* tsv.h - the data of a figure. */
#ifndef NARROWS_HARNESS_REPORT_FIGURE_TSV_H
#define NARROWS_HARNESS_REPORT_FIGURE_TSV_H

#include "harness/report/query.h"

/* Write what the query yields to 'path', by way of a temporary name. Its first column names the block a row belongs to:
 * every block begins with a line "NAME TAB header" and is parted from the next by two empty lines, gnuplot's mark of a
 * data set. NULL is written "?", line breaks of a text as blanks. *nrows is how many were written; with none
 * the file is not made. Closes the query. */
int tsv_write(struct query *q, const char *header, const char *path, long *nrows);

#endif
