/* a2dtwp.h - the report of "Reducing Data Motion to Accelerate the Training of Deep Neural Networks". Every number is
 * read from a view, the paper's own contradictions included; nothing is computed here. 0 or NW_EDB. */
#ifndef NARROWS_HARNESS_REPORT_A2DTWP_H
#define NARROWS_HARNESS_REPORT_A2DTWP_H

#include <stdio.h>

struct sqlite3;

int a2dtwp_tables(struct sqlite3 *db, FILE *out);    /* II and III, and how well they are met */
int a2dtwp_constants(struct sqlite3 *db, FILE *out); /* what was fitted, and to which cell */
int a2dtwp_figure4(struct sqlite3 *db, FILE *out);   /* the 18 gains and their averages */
int a2dtwp_text(struct sqlite3 *db, FILE *out);      /* bytes per flop and what else the text states */

/* Of what was trained; nothing where nothing was. */
int a2dtwp_trained_gains(struct sqlite3 *db, FILE *out);    /* Figure 4 */
int a2dtwp_trained_policies(struct sqlite3 *db, FILE *out); /* Figure 3; AWP's bytes and errors; how T was found */
int a2dtwp_trained_epochs(struct sqlite3 *db, FILE *out);   /* Figure 5 */
int a2dtwp_trained_claims(struct sqlite3 *db, FILE *out);

#endif
