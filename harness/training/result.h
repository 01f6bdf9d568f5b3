/* result.h - what a training was and did, as it is stored with its point.
 * Errors     0 or NW_ENOMEM. */
#ifndef NARROWS_HARNESS_TRAINING_RESULT_H
#define NARROWS_HARNESS_TRAINING_RESULT_H

#include "harness/scenario/scenario.h"
#include "harness/training/options.h"
#include "harness/training/record.h"

/* The fact refers to what stands beside it: a result is never copied. */
struct training_result {
    struct training_record record;
    struct trace_tensor_fact *tensors;
    char (*names)[64];
    char **cuts; /* names of the layers that are masked; then NULL */
    char model[64], data[160];
    struct training_fact fact;
};

/* result->record is there; the rest is made of it and of what was trained, evaluated at last as 'last' says. What was there before is
 * lost; training_result_free() releases it after an error, too. */
int training_result_describe(const struct training *t, const struct training_options *o, const struct model *m,
                             const struct trainer *trainer, const struct evaluation *last,
                             struct training_result *result);
void training_result_free(struct training_result *r); /* accepts an all-zero one */

#endif
