/* leave_out.h - what a run's cells would come out as if the fit of its constants had done without one of its cells.
 * Every point that covers a cell, and the baseline that a gain is counted from, is simulated once for each refit of its
 * platform's calibration (refit.h), on all threads; what comes out is stored with the run. The same at any number of
 * threads. Nothing is done for trained or altered scenarios, and for points with nothing calibrated.
 * Errors     harness status; the message has been printed. A refit with which a point does not play leaves its cells
 *            without a value. */
#ifndef NARROWS_HARNESS_RUN_LEAVE_OUT_H
#define NARROWS_HARNESS_RUN_LEAVE_OUT_H

#include "harness/run/codec/rate.h"
#include "harness/run/experiment.h"

/* 'rates' have what the run's points need. */
int leave_out(const struct experiment *x, const struct scenario_file *file, struct codec_rates *rates, int64_t run_id);

#endif
