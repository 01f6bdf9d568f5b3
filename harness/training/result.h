/* result.h - what a training run was and did, as it is stored with its point.
 * Errors     0 or NW_ENOMEM. */
#ifndef NARROWS_HARNESS_TRAINING_RESULT_H
#define NARROWS_HARNESS_TRAINING_RESULT_H

#include "harness/scenario/scenario.h"
#include "harness/training/options.h"
#include "harness/training/record.h"

/* 'fact' points to the other members, so a result must not be copied. */
struct training_result {
    struct training_record record;
    struct trace_tensor_fact *tensors;
    char (*names)[64];
    char **cuts;                   /* names of the masked layers, then NULL */
    struct trace_rank_fact *ranks; /* of a training on several */
    size_t nranks;
    char model[64], data[160];
    struct training_fact fact;
};

/* Fill in all but result->record and ->ranks from these, the options and the trainer; 'last' is the last evaluation.
 * Overwrites what was there. training_result_free() is needed after an error, too. */
int training_result_describe(const struct training *t, const struct training_options *o, const struct model *m,
                             const struct trainer *trainer, const struct evaluation *last,
                             struct training_result *result);
void training_result_free(struct training_result *r); /* accepts an all-zero one */

#endif
