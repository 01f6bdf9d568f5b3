/* dynprec.h - networks trained in the precisions of "A Dynamic Approach to Accelerate Deep Learning Training"
 * (results_schema/016_dynprec_training.sql), beside what the paper prints, size by size (sizes.h). Where none was trained
 * nothing is printed.
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

/* A number of the query's row, of what is unknown a dash. */
struct query;
void dynprec_number(FILE *out, struct query *q, int column, const char *format, int width);

#endif
