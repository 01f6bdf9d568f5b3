/* suite.h - the suite on shaped links: two calibration runs, then predictions for every point, stored before any is
 * executed, then their execution.
 * Files      scenarios/validation/shaped/: calibration.yaml (one flow: payload's share of a link's rate) and
 *            calibration-messages.yaml (an allreduce of a few bytes: the time of a message), then the suite's own. What
 *            they calibrate is of the link 'eth', as in the platform shaped-lab.
 * Errors     a nw_status, the message printed: NW_EIO if points failed, after all others were executed. */
#ifndef NARROWS_HARNESS_EXEC_SUITE_H
#define NARROWS_HARNESS_EXEC_SUITE_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/exec/campaign.h"

struct suite {
    const char *db, *command;
    const char *const *files; /* scenarios in place of the suite's own; none: those */
    size_t nfiles;
    const char *only; /* part of a file's name; NULL: all */
    const char *join; /* a lab that is up; NULL: one of its own */
    int repetitions, limit_s;
    bool again;
    bool (*stop)(void);
};

int suite_run(const struct suite *s);

#endif
