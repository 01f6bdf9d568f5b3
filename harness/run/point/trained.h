/* trained.h - train a point and add the measures of the training run to those of its simulation. */
#ifndef NARROWS_HARNESS_RUN_POINT_TRAINED_H
#define NARROWS_HARNESS_RUN_POINT_TRAINED_H

#include "harness/run/point/measures.h"
#include "harness/training/run.h"
#include "harness/training/step_progress.h"

struct trained_job {
    const struct scenario *scenario;
    int threads;
    const char *key, *name;             /* of the point; name: as progress shows it */
    const char *db;                     /* the database's path: checkpoints go to DB.checkpoints/ */
    struct training_progress *progress; /* NULL: none */
    struct ranks *ranks;                /* NULL: this process is alone */
    struct ranks_order order;           /* given to the other ranks, which then train it, too */
};

/* Train the point, and add its results to the measures. A trained value replaces a simulated one of the same name
 * (push_bytes, bytes_per_weight), which rests on assumptions. The caller stores *result with the point, and releases
 * it. Harness status; NW_ESIM with the reason in why[]; NW_EINTR after a signal that asked to stop; a checkpoint has
 * then been written. */
int trained_measure(const struct trained_job *job, struct measures *out, struct training_result *result, char *why,
                    size_t nwhy);

/* The number of steps of the training run, as far as it is known before its data is opened. */
int64_t trained_steps(const struct scenario *sc);

#endif
