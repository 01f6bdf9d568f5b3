/* fit.h - the constants of a scenario's 'calibrate' section, so that measures of its points come to published cells.
 * A row names a constant, a cell and a measure; the point that covers that cell is the one whose 'compare' section
 * says so, else the fitted variant's first. Rows without a constant are further observations of the same constants.
 * Where every measure is a time of one point and has a constant of its own, that point is simulated and each
 * constant scaled by how far its row is off until all are met: exact at once where a time is inversely proportional
 * to its constant. Else, or where that comes no closer, all rows together are brought as close as least squares can,
 * in the logarithms of constants and measures (of a gain: of the times); as many rows as constants must be met to
 * half a percent.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_RUN_FIT_FIT_H
#define NARROWS_HARNESS_RUN_FIT_FIT_H

#include "harness/scenario/scenario.h"
#include "harness/store/store.h"

struct fit_result {
    const struct fit *fit;
    double value; /* of its constant; NaN for a row without one */
    double published, reached;
    const char *platform; /* name; lives as long as the file */
};

/* Fit everything that 'f' fits; out[] has a place for each of its rows. NW_EINPUT where a cell cannot be met, or
 * only by a constant that its key forbids, or where no row answers to a constant. */
int fit_scenario(const struct scenario_file *f, struct store *store, struct fit_result out[]);

#endif
