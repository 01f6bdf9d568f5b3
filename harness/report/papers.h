/* papers.h - the papers, and the sections and figures of each one's report. Every number is read from a view or a measure;
 * nothing is computed here. Sections answer 0 or NW_EDB. */
#ifndef NARROWS_HARNESS_REPORT_PAPERS_H
#define NARROWS_HARNESS_REPORT_PAPERS_H

#include <stdio.h>

#include "harness/report/figure.h"

struct sqlite3;

struct paper {
    const char *name, *scenarios;
    int (*sections[6])(struct sqlite3 *db, FILE *out); /* ends with NULL */
    /* What was trained beside what the paper trained: each prints nothing where the database has no such training. Ends with NULL. */
    int (*trained[6])(struct sqlite3 *db, FILE *out);
    const struct figure *figures; /* ends with a NULL name; ?1 of their queries is the paper */
};

/* NULL after a message that lists those there are. */
const struct paper *paper_find(const char *name);

/* "3LC: 3-value lossy compression for distributed machine learning" */
int threelc_table1(struct sqlite3 *db, FILE *out);
int threelc_constants(struct sqlite3 *db, FILE *out);
int threelc_breakdown(struct sqlite3 *db, FILE *out); /* where a step's time goes, design by design */
int threelc_text(struct sqlite3 *db, FILE *out);      /* the step in seconds; what the model does not hold */
extern const struct figure threelc_drawings[];

extern const struct figure a2dtwp_drawings[]; /* its sections are in a2dtwp.h */

/* "Training recommender systems at scale: communication-efficient model and data parallelism" (DCT) */
int dct_times(struct sqlite3 *db, FILE *out);       /* Figure 7a, Table 5, the hybrid */
int dct_utilisation(struct sqlite3 *db, FILE *out); /* before and after, and what cannot hold at once */
int dct_constants(struct sqlite3 *db, FILE *out);
int dct_curves(struct sqlite3 *db, FILE *out);  /* Figure 7c: time against sparsity */
int dct_trained(struct sqlite3 *db, FILE *out); /* Tables 1 to 4 */
int dct_claims(struct sqlite3 *db, FILE *out);  /* what becomes of the paper's statements */
extern const struct figure dct_drawings[];

/* "Split-CNN" */
int splitcnn_figure1(struct sqlite3 *db, FILE *out);
int splitcnn_figure8(struct sqlite3 *db, FILE *out);
int splitcnn_figure10(struct sqlite3 *db, FILE *out);
int splitcnn_placement(struct sqlite3 *db, FILE *out);
int splitcnn_figure11(struct sqlite3 *db, FILE *out);
extern const struct figure splitcnn_drawings[];

#endif
