/* report.h - a paper's tables and figures beside what the runs in a database say.
 * Units      as the papers print them (ms, %, x); the figures' axes name theirs.
 * Ownership  nothing is kept: the store stays the caller's.
 * Errors     0, or a negative nw_status after a message on stderr: NW_EINPUT for a paper that is not known, NW_EDB,
 *            NW_EIO, NW_EENV where gnuplot is missing. */
#ifndef NARROWS_HARNESS_REPORT_REPORT_H
#define NARROWS_HARNESS_REPORT_REPORT_H

#include <stdio.h>

struct store;

enum report_format { REPORT_TEXT, REPORT_CSV, REPORT_JSON };

/* The papers that there are reports of, in the order of their scenarios' folders; ends with NULL. */
extern const char *const report_papers[];

/* Does any run in the store speak to the paper? 1, 0, or negative. */
int report_spoken(struct store *s, const char *paper);

/* Print the report of 'paper' ("a2dtwp"). NW_EDB if no run in the store speaks to it, with what to run. CSV and JSON
 * are the rows of the view comparison, in the paper's order. */
int report_print(struct store *s, const char *paper, enum report_format format, FILE *out);

/* Draw the paper's figures into directory 'dir' (made if missing): NAME.tsv, NAME.svg, NAME.png. 'plots' is the
 * directory of the templates. One that is not drawn keeps no other back; in the end a line on stderr names those, and why. No data
 * is no error; NW_EENV if gnuplot is not installed, the data files being written all the same; NW_EIO if one failed. Files appear
 * under their names only when complete. */
int report_figures(struct store *s, const char *paper, const char *plots, const char *dir);

/* The same, but the figures that were not drawn go to 'undrawn' alone, a stream in memory: "NAME, NAME (why); NAME (why)", after
 * "; " if it holds something. */
int report_figures_noting(struct store *s, const char *paper, const char *plots, const char *dir, FILE *undrawn);

#endif
