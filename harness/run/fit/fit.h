/* fit.h - fits the constants of a scenario's 'calibrate' section, so that measures of its points equal published cells.
 * A row names a constant, a cell and a measure; the cell's point is the one whose 'compare' section names it, else the
 * first of the fitted variant. Rows without a constant are further observations of the same constants. If every measure
 * is a time of the same point and has its own constant, that point is simulated repeatedly, and each constant is scaled
 * by the error of its row until all rows are met: one round is exact if a time is inversely proportional to its
 * constant. Else, or if this does not converge, least squares fits all rows together, in the logarithms of constants
 * and measures (of a gain: of the times); at least as many rows as there are constants must be met to half a percent.
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

/* Fit everything that 'f' fits; out[] has a place for each of its rows. NW_EINPUT if a cell cannot be met, or only by a
 * constant out of its key's range, or if no row depends on a constant. */
int fit_scenario(const struct scenario_file *f, struct store *store, struct fit_result out[]);

/* The constants without each of the n rows in turn: values[left * n + row] of that row's constant, NaN for a row
 * without one, and throughout where the rest tells nothing of some constant. One step of least squares in logarithms
 * from what all rows together gave, fitted[], at most a factor of two; its derivatives are taken once for all. With
 * fewer rows left than there are constants, the left row's constant takes the value elsewhere[left] (NaN: nothing is
 * known of it). */
int fit_without(const struct scenario_file *f, struct store *store, const double elsewhere[],
                const struct fit_result fitted[], double values[]);

#endif
