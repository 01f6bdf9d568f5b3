/* rows.h - private to the fit: the rows of a 'calibrate' section, and the points whose measures they use. */
#ifndef NARROWS_HARNESS_RUN_FIT_ROWS_H
#define NARROWS_HARNESS_RUN_FIT_ROWS_H

#include <stdbool.h>

#include "harness/run/fit/fit.h"
#include "harness/run/fit/least_squares.h"
#include "harness/run/fit/past.h"
#include "harness/run/point/measures.h"
#include "harness/run/progress.h"

enum { FIT_MAX_ROWS = PAST_ROWS };

/* A point whose measures some row uses, bound once. */
struct sight {
    struct point point;
    struct measures measures;
};

struct row {
    const struct fit *fit;
    size_t sight, baseline; /* into sights; baseline only for gains */
    bool gain;              /* gain_pct or speedup: against the baseline */
    double published, reached;
};

struct fitting {
    const struct scenario_file *file;
    struct sight sights[2 * FIT_MAX_ROWS];
    size_t nsights;
    struct row rows[FIT_MAX_ROWS];
    size_t nrows;
    const struct fit *constants[LEAST_SQUARES_MOST];
    double values[LEAST_SQUARES_MOST], starts[LEAST_SQUARES_MOST];
    size_t nconstants;
    char why[256]; /* the simulator refused the last trial */
    struct progress progress;
    size_t rounds; /* of simulations, so far */
    struct past past;
};

/* Find every row's published value, point and constant. Harness status; the message has been printed. */
int fit_rows(struct fitting *x, struct store *store);

/* Print what is wrong with the section. Returns NW_EINPUT. */
int fit_complain(const struct fitting *x, const char *what, const char *about);

/* Simulate every sight with these constants, given as logarithms, and see how far each row is off: for least squares.
 * Where a sight is refused all are infinitely far off. */
int fit_residuals(void *context, const double logs[], double r[]);

#endif
