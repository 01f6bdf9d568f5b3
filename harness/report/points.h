/* points.h - measures of a scenario's newest run as a table: a line for each point, under a line for each place on its axes.
 * Errors     0 or NW_EDB. Nothing is printed where there is no such run. */
#ifndef NARROWS_HARNESS_REPORT_POINTS_H
#define NARROWS_HARNESS_REPORT_POINTS_H

#include <stdio.h>

struct sqlite3;

enum { POINTS_COLUMNS = 10 };

struct points_column {
    const char *measure, *head, *format;
    double scale; /* what is printed is the measure times this */
};

struct points {
    const char *scenario, *title;
    struct points_column columns[POINTS_COLUMNS + 1]; /* ends with a null measure */
};

int points_print(struct sqlite3 *db, FILE *out, const struct points *p);

#endif
