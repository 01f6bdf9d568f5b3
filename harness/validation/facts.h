/* facts.h - a prediction as the rows of the database. */
#ifndef NARROWS_HARNESS_VALIDATION_FACTS_H
#define NARROWS_HARNESS_VALIDATION_FACTS_H

#include "harness/run/progress.h"
#include "harness/validation/leave_out.h"
#include "harness/validation/validation.h"

/* All that is known of a validation after it was played. */
struct prediction {
    struct validation *spec;
    struct cases cases;
    struct fits fits;
    struct extra *extras;
    double *predicted; /* [cases.n]; NaN: none */
    char **why;        /* [cases.n] why not, to be freed */
    struct left_outs left;
    struct progress progress;
};

/* A run with its facts. */
int prediction_store(const struct prediction *p, struct store *s, const struct validation_run *q);

#endif
