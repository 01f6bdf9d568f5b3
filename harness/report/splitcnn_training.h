/* splitcnn_training.h - what networks on patches came to when they were trained (results_schema/019_splitcnn_training.sql), beside what
 * the paper prints. Sizes: '1' as the paper has it, '2' in the small, '3' a quick look, which is told only where there is nothing else,
 * '4' in the small but longer: of that only what stochastic splits come to.
 * Where none was trained nothing is printed.
 * Errors     0 or NW_EDB. */
#ifndef NARROWS_HARNESS_REPORT_SPLITCNN_TRAINING_H
#define NARROWS_HARNESS_REPORT_SPLITCNN_TRAINING_H

#include <stdio.h>

struct sqlite3;

int splitcnn_trained_patches(struct sqlite3 *db, FILE *out); /* Figures 4 to 7, as numbers */
int splitcnn_trained_table1(struct sqlite3 *db, FILE *out);
int splitcnn_trained_claims(struct sqlite3 *db, FILE *out); /* what the paper says of that; whether it holds here */

/* Call 'print' for each size that is to be told. */
int splitcnn_each_size(struct sqlite3 *db, FILE *out, int (*print)(struct sqlite3 *db, FILE *out, const char *size));

/* "" as the paper has it, else " in the small", ", a quick look" or " in the small, longer". */
const char *splitcnn_size_text(const char *size);

/* Text of a size in queries. */
#define SPLITCNN_SIZE "CAST(?1 AS INTEGER)"

#endif
