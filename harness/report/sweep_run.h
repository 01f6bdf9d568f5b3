/* sweep_run.h - what the summary, the rows and the figures of a sweep have in common. Errors: as sweep.h. */
#ifndef NARROWS_HARNESS_REPORT_SWEEP_RUN_H
#define NARROWS_HARNESS_REPORT_SWEEP_RUN_H

#include <stdio.h>

#include "harness/report/axis.h"
#include "harness/report/report.h"

struct sqlite3;

struct sweep_run {
    char id[32], title[256], baseline[128];
    struct axes axes; /* to be freed, also after an error */
};

/* The newest run of the scenario and its axes. */
int sweep_open(struct sqlite3 *db, const char *scenario, const char *x, const char *y, struct sweep_run *out);

/* Every point, as CSV or JSON: a column (a member) for each axis, as the scenario writes it. */
int sweep_rows(struct sqlite3 *db, const struct sweep_run *run, enum report_format format, FILE *out);

#endif
