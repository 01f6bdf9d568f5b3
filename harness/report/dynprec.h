/* dynprec.h - networks trained in the precisions of "A Dynamic Approach to Accelerate Deep Learning Training"
 * (results_schema/016_dynprec_training.sql), beside what the paper prints. Sizes: '1' as the paper has it, '2' in the small, '3' a quick
 * look, which is told only where there is nothing else. Where none was trained nothing is printed.
 * Errors     0 or NW_EDB. */
#ifndef NARROWS_HARNESS_REPORT_DYNPREC_H
#define NARROWS_HARNESS_REPORT_DYNPREC_H

#include <stdio.h>

#include "harness/report/figure.h"

struct sqlite3;

int dynprec_table1(struct sqlite3 *db, FILE *out); /* accuracies */
int dynprec_shares(struct sqlite3 *db,
                   FILE *out); /* the other half of Table 1: FMAs in BF16, and what dynamic precision decided */
int dynprec_figure2a(struct sqlite3 *db, FILE *out); /* what a step's multiply-adds are for */
int dynprec_claims(struct sqlite3 *db, FILE *out);   /* what the paper concludes, and whether it holds here */
extern const struct figure dynprec_drawings[];

/* Call 'print' for each size that is to be told. */
int dynprec_each_size(struct sqlite3 *db, FILE *out, int (*print)(struct sqlite3 *db, FILE *out, const char *size));

/* " in the small", "" */
const char *dynprec_size_words(const char *size);

/* A number of the query's row, of what is unknown a dash. */
struct query;
void dynprec_number(FILE *out, struct query *q, int column, const char *format, int width);

/* A rule of so many dashes. */
void dynprec_rule(FILE *out, int width);

/* Text of a size in queries. */
#define DYNPREC_SIZE "size = CAST(?1 AS INTEGER)"

#endif
