/* run.h - train one point.
 * Same bits  what is reported depends on the scenario alone (and on the backend's arithmetic), not on the number of threads, nor on
 *            whether training was stopped and went on from a checkpoint.
 * Stopping   'stop' is asked between steps. Where the job has a path for checkpoints, one is written then, and the next run of the same
 *            key goes on from it; a training that is over has none.
 * Errors     harness status; NW_ESIM with the reason in why[], which begins with the key where one is at fault; NW_EINTR where
 *            'stop' said so. */
#ifndef NARROWS_HARNESS_TRAINING_RUN_H
#define NARROWS_HARNESS_TRAINING_RUN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/scenario/scenario.h"
#include "harness/training/result.h"
#include "harness/training/step_progress.h"
#include "sim/readings.h"

struct training_job {
    const struct scenario *scenario;    /* one that is trained, and that training_check() takes */
    int threads;                        /* at least 1 */
    const char *key, *name;             /* of the point; name: as progress shows it */
    const char *checkpoint;             /* path; "": none is written or read */
    struct training_progress *progress; /* NULL: none */
    bool (*stop)(void);                 /* NULL: never */
};

/* Adds to *out, under names of training_readings[]. */
int training_run(const struct training_job *job, struct readings *out, struct training_result *result, char *why,
                 size_t nwhy);

#endif
