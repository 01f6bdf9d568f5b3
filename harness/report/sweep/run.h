/* sweep_run.h - what the summary, the rows and the figures of a sweep have in common. Errors: as sweep.h. */
#ifndef NARROWS_HARNESS_REPORT_SWEEP_RUN_H
#define NARROWS_HARNESS_REPORT_SWEEP_RUN_H

#include <stdio.h>

#include "harness/report/report.h"
#include "harness/report/sweep/axis.h"

struct sqlite3;

struct sweep_run {
    char id[32], title[256], baseline[128];
    _Bool plain;      /* there is nothing to draw it along, or nothing to compare: it is a table */
    _Bool plans;      /* of memory: all points are */
    _Bool largest;    /* all of these know the largest batch that fits */
    struct axes axes; /* to be freed, also after an error; of plans x may be -1 */
};

/* The newest run of the scenario and its axes. */
int sweep_open(struct sqlite3 *db, const char *scenario, const char *x, const char *y, struct sweep_run *out);

/* A line for each memory plan, under a line for each place on the axes. */
int sweep_plans(struct sqlite3 *db, const struct sweep_run *run, FILE *out);

/* Every point, as CSV or JSON: a column (a member) for each axis, as the scenario writes it. */
int sweep_rows(struct sqlite3 *db, const struct sweep_run *run, enum report_format format, FILE *out);

#endif
