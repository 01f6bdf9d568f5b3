/* axis.h - the axes that a run sweeps, and their labels in a figure.
 * Ownership  axes_free() releases what axes_read() made.
 * Errors     0; NW_EDB, NW_ENOMEM, NW_EINPUT for a key that is not swept, after a message that names those that are. */
#ifndef NARROWS_HARNESS_REPORT_SWEEP_AXIS_H
#define NARROWS_HARNESS_REPORT_SWEEP_AXIS_H

#include <stdbool.h>
#include <stddef.h>

struct sqlite3;

enum { AXIS_LABEL = 96, AXIS_MOST = 16 };

struct axis {
    char *path;
    long stride;            /* equal for keys that advance together */
    bool numbers;           /* every value is one */
    char name[AXIS_LABEL];  /* "eth bandwidth", "workers" */
    char label[AXIS_LABEL]; /* "eth bandwidth (Gbit/s)", "workers" */
    double scale;           /* from base units to those of the label */
};

struct axes {
    struct axis list[AXIS_MOST]; /* in the scenario's order: the slowest first */
    size_t n;
    int x, y; /* in 'list'; -1: none */
};

/* The axes of a run, two of them chosen: the keys that 'x' and 'y' name by their path or the end of it
 * ("eth.bandwidth"), or, where those are NULL, the first ones that are numbers. NW_EDB if there is no axis of
 * numbers. */
int axes_read(struct sqlite3 *db, const char *run, const char *x, const char *y, struct axes *out);

/* All of them, none chosen; and one of numbers along which to draw, y being none. NW_EDB from axes_choose_x(), too. */
int axes_list(struct sqlite3 *db, const char *run, struct axes *out);
int axes_choose_x(struct axes *a, const char *x);
void axes_free(struct axes *a);

/* Is the axis neither drawn nor advancing together with one that is? */
bool axes_other(const struct axes *a, size_t i);

#endif
