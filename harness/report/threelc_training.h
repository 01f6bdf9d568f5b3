/* threelc_training.h - what 3LC's designs came to when they were trained (results_schema/014_3lc_training.sql), beside what the paper
 * prints, size by size (sizes.h). Where none was trained nothing is printed.
 * Errors     0 or NW_EDB. */
#ifndef NARROWS_HARNESS_REPORT_THREELC_TRAINING_H
#define NARROWS_HARNESS_REPORT_THREELC_TRAINING_H

#include <stdio.h>

struct sqlite3;

int threelc_trained_accuracy(struct sqlite3 *db, FILE *out); /* Table 1's last two columns */
int threelc_trained_bits(struct sqlite3 *db, FILE *out);     /* Table 2 */
int threelc_trained_convergence(struct sqlite3 *db,
                                FILE *out); /* what Figures 4 to 6 are drawn from: accuracies after fewer steps */
int threelc_trained_speedup(struct sqlite3 *db, FILE *out); /* ... and times, simulated with the bits that were sent */
int threelc_trained_claims(struct sqlite3 *db,
                           FILE *out); /* what the paper says of all that, and whether it holds here */

/* "WHAT in the small: MODEL on DATA, 10 workers ..." */
int threelc_heading(struct sqlite3 *db, FILE *out, const char *what, const char *size);

/* A number of the query's row, of what is unknown a dash. */
struct query;
void threelc_number(FILE *out, struct query *q, int column, const char *format, double scale, int width);

#endif
