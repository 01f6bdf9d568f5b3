/* sweep.h - the newest run of any scenario, along the axes that it sweeps: a summary, and figures.
 * One axis     NAME-speedup: each variant's speedup over the baseline against it.
 * Two or more  NAME-heat: the speedup at each place of two axes, a panel for each variant; NAME-best: which variant is
 * the
 *              best choice there. Further axes make a figure for each of their values: NAME-heat-workers-16.
 * Memory plans NAME-batch: the largest batch of each variant against one axis, where all points know it, or
 * NAME-throughput; a
 *              figure for each value of further axes: NAME-batch-depth-0.5. Without an axis of numbers none.
 * Neither      of a run that sweeps no key of numbers, has no baseline, or trains: the table that narrows run ends
 *              with, no figure.
 * Newest       changed from the command line ("NAME+changes") or not; the text says which.
 * Axes         'x' and 'y' name swept keys of numbers by their path or the end of it; NULL: the first ones in the
 *              scenario's order. Keys that advance together are one axis.
 * Errors       0; NW_EDB if there is no such run, it has no baseline or no axis of numbers, NW_EINPUT for an x or y
 *              that is not swept, or a y of memory plans, which need no baseline and no axis (all said on stderr). */
#ifndef NARROWS_HARNESS_REPORT_SWEEP_SWEEP_H
#define NARROWS_HARNESS_REPORT_SWEEP_SWEEP_H

#include <stdio.h>

#include "harness/report/report.h"

struct store;

/* Text: for each figure that there would be and each variant, at how many places it pays and at how many it is the best
 * choice, and its least and largest speedup; of memory plans each point's batch, throughput and loss. CSV and JSON:
 * every point, with its place, time and speedup. */
int report_sweep(struct store *s, const char *scenario, const char *x, const char *y, enum report_format format,
                 FILE *out);

/* Which run that is, in a line: its number, when it began, of which file; and if it was changed, the command line that
 * changed it. The same errors, so that nothing is printed before them. */
int report_sweep_which(struct store *s, const char *scenario, const char *x, const char *y, FILE *out);

/* NAME.tsv, .svg and .png in 'dir'. NW_EENV without gnuplot, the data being written all the same, and of memory plans
 * that nothing is swept of, after a message. */
int report_sweep_figures(struct store *s, const char *scenario, const char *x, const char *y, const char *plots,
                         const char *dir);

#endif
