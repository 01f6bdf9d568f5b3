/* splitcnn_training.h - what networks on patches came to when they were trained (results_schema/019_splitcnn_training.sql), beside what
 * the paper prints, size by size (sizes.h); of those trained longer only what stochastic splits come to.
 * Where none was trained nothing is printed.
 * Errors     0 or NW_EDB. */
#ifndef NARROWS_HARNESS_REPORT_SPLITCNN_TRAINING_H
#define NARROWS_HARNESS_REPORT_SPLITCNN_TRAINING_H

#include <stdio.h>

struct sqlite3;

int splitcnn_trained_patches(struct sqlite3 *db, FILE *out); /* Figures 4 to 7, as numbers */
int splitcnn_trained_table1(struct sqlite3 *db, FILE *out);
int splitcnn_trained_claims(struct sqlite3 *db, FILE *out); /* what the paper says of that; whether it holds here */

#endif
