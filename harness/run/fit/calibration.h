/* calibration.h - constants that no datasheet gives, fitted so that a simulated measure equals a published cell.
 * A platform whose file says 'calibrated' names the scenario that fits it; that scenario's 'calibrate' section says
 * which constant is fitted to which cell. fit.h describes the fit.
 * Threads    calibration_supply() may be called from many threads; each platform is fitted once per 'struct
 *            calibrations'.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_RUN_FIT_CALIBRATION_H
#define NARROWS_HARNESS_RUN_FIT_CALIBRATION_H

#include "harness/scenario/scenario.h"
#include "harness/store/store.h"

struct calibrations; /* every fit of one run, by the file that made it */

struct calibrations *calibrations_new(void); /* NULL if memory ran out */
void calibrations_free(struct calibrations *all);

/* Fit what this point's platform needs, unless it is fitted already, and record it under the run. 'store' supplies the
 * published values. NW_EINPUT if a cell cannot be met, or only by a constant out of its key's range. */
int calibration_prepare(struct calibrations *all, struct store *store, int64_t run_id, const struct scenario_file *file,
                        const struct point *p);

/* Put the fitted values into the point. NW_EINPUT, with the missing constant named, if one has no fit. */
int calibration_supply(const struct calibrations *all, const struct scenario_file *file, struct point *p);

/* The fits again of what calibration_prepare() fitted for this point, not supplied yet, made when they are first asked
 * for; *out NULL if it has no calibrated figure. They last as long as 'all'. Not to be called from several threads. */
struct refits;
int calibration_refit(struct calibrations *all, struct store *store, const struct scenario_file *file,
                      const struct point *p, const struct refits **out);

#endif
