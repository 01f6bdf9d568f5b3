/* run.h - train one point.
 * Same bits  the readings depend on the scenario alone (and on the backend's arithmetic), not on the number of
 *            threads or ranks, nor on whether the run was stopped and resumed from a checkpoint.
 * Stopping   'stop' is called between steps. If the job has a path for checkpoints, one is written then, and the next
 *            run of the same key resumes from it. A finished run leaves none.
 * Ranks      other than 0 get no readings and no result, write nothing, and return what rank 0 does; they may have no
 *            key, name, checkpoint or progress. The result has their times. A failure in the middle of a training does
 *            not return from them.
 * Errors     a nw_status: NW_ESIM with the reason in why[], which begins with the key if one is wrong; NW_EINTR if
 *            'stop' returned true. */
#ifndef NARROWS_HARNESS_TRAINING_RUN_H
#define NARROWS_HARNESS_TRAINING_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/scenario/scenario.h"
#include "harness/training/ranks/ranks.h"
#include "harness/training/result.h"
#include "harness/training/step_progress.h"
#include "sim/readings.h"

struct training_job {
    const struct scenario *scenario;    /* one that is trained, and that passed training_check() */
    int threads;                        /* at least 1 */
    const char *key, *name;             /* of the point; name: as progress shows it */
    const char *checkpoint;             /* path; "": write and read none */
    struct training_progress *progress; /* NULL: none */
    bool (*stop)(void);                 /* NULL: never */
    int64_t most_steps;                 /* 0: all; else it ends after so many, if it has more */
    struct ranks *ranks;                /* all of which call this together; NULL: this process is alone */
};

/* Adds to *out, with names of training_readings[]. With most_steps the schedule is that of the whole run, but nothing
 * is evaluated and *out stays as it is: result->record.steps are what is wanted. */
int training_run(const struct training_job *job, struct readings *out, struct training_result *result, char *why,
                 size_t nwhy);

#endif
