/* sweep.h - any scenario's newest run by what it sweeps: a summary, and figures.
 * One axis     NAME-speedup: each variant's speedup over the baseline against it.
 * Two or more  NAME-heat: the speedup at each place of two axes, a panel for each variant; NAME-best: which variant is the
 *              best choice there. Further axes make a figure for each of their values: NAME-heat-workers-16.
 * Axes         'x' and 'y' name swept keys of numbers by their path or the end of it; NULL: the first ones in the
 *              scenario's order. Keys that advance together are one axis.
 * Errors       0; NW_EDB if there is no such run, it has no baseline or no axis of numbers, NW_EINPUT for an x or y that is
 *              not swept (all said on stderr). */
#ifndef NARROWS_HARNESS_REPORT_SWEEP_H
#define NARROWS_HARNESS_REPORT_SWEEP_H

#include <stdio.h>

#include "harness/report/report.h"

struct store;

/* Text: for each figure that there would be and each variant, at how many places it pays and at how many it is the best
 * choice, and its least and greatest speedup. CSV and JSON: every point, with its place, time and speedup. */
int report_sweep(struct store *s, const char *scenario, const char *x, const char *y, enum report_format format,
                 FILE *out);

/* NAME.tsv, .svg and .png in 'dir'. NW_EENV without gnuplot, the data being written all the same. */
int report_sweep_figures(struct store *s, const char *scenario, const char *x, const char *y, const char *plots,
                         const char *dir);

#endif
