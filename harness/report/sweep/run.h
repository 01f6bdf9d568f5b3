/* run.h - shared by the summary, the rows and the figures of a sweep. Errors: as sweep.h. */
#ifndef NARROWS_HARNESS_REPORT_SWEEP_RUN_H
#define NARROWS_HARNESS_REPORT_SWEEP_RUN_H

#include <stdbool.h>
#include <stdio.h>

#include "harness/report/report.h"
#include "harness/report/sweep/axis.h"

struct sqlite3;

struct sweep_run {
    char id[32], title[256], baseline[128];
    bool plain;   /* no axis to draw, or nothing to compare: it is a table */
    bool plans;   /* all points are memory plans, */
    bool largest; /* all of which know the largest batch that fits */
    /* Free it, even after an error. x may be -1 for memory plans. */
    struct axes axes;
};

/* The newest run of the scenario and its axes. */
int sweep_open(struct sqlite3 *db, const char *scenario, const char *x, const char *y, struct sweep_run *out);

/* Which columns of which points to select: 'of' is
 *   place    all of them, with the columns of the view sweep_gain, or of memory plans of sweep_plan; x and y, in the
 *            units of the axes' labels; and rest: what a point has on the axes that are not drawn, "" if there are none
 *   ranked   not of plans; the same with i and j: x and y counted from 1; is_best: the fastest at its combination,
 *            where all variants of the run are there; of equals the one listed first
 *   best     the best ones of these; colour counts the variants among them from 1
 *   variant  those that are not the baseline's; most: the largest gain or loss of all. */
struct sweep_question {
    const char *of, *columns, *order;
};

/* The query for all points of the run, or those of one 'rest'; for sqlite3_free(), NULL after a message. */
char *sweep_query(const struct sweep_run *run, const struct sweep_question *q, const char *rest);

/* A line for each memory plan, under a line for each place on the axes. */
int sweep_plans(struct sqlite3 *db, const struct sweep_run *run, FILE *out);

/* Every point, as CSV or JSON: a column (a member) for each axis, as the scenario writes it. */
int sweep_rows(struct sqlite3 *db, const struct sweep_run *run, enum report_format format, FILE *out);

#endif
