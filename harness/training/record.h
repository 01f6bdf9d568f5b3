/* record.h - what a training run did, step by step, as the database stores it. Checkpoints contain it too, so that a
 * run that was resumed has all of its past.
 * Errors     0 or NW_ENOMEM: what was recorded before stays. */
#ifndef NARROWS_HARNESS_TRAINING_RECORD_H
#define NARROWS_HARNESS_TRAINING_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/trace.h"
#include "train/trainer/trainer.h"

/* Sums over all steps of what is exchanged. */
struct record_sums {
    double push_bytes, pull_bytes;              /* of all tensors; pushed by all workers, pulled by one */
    double coded_push_bytes, coded_push_values; /* through a codec, by all workers */
    double coded_pull_bytes, coded_pull_values; /* the same, of one pull */
};

struct training_record {
    struct trace_step_fact *steps;
    size_t nsteps, steps_capacity;
    struct trace_exchange_fact *exchanges;
    size_t nexchanges, exchanges_capacity;
    struct trace_bits_fact *bits;
    size_t nbits, bits_capacity;
    struct trace_evaluation_fact *evaluations;
    size_t nevaluations, evaluations_capacity;
    struct trace_threshold_fact *thresholds;
    size_t nthresholds, thresholds_capacity;
    struct record_sums sums;
    int *bytes_per_weight; /* [tensors] in the step before; 0: none yet */
    size_t ntensors;
};

/* Begin the record of a trainer that has done no step: its first bits are noted. */
int record_open(const struct trainer *t, struct training_record *out);
void record_close(struct training_record *r); /* accepts an all-zero one */

/* Record a step. 'tensors': its tensors too; zeros were counted. 'mask': where the step's thresholds are from. */
int record_step(struct training_record *r, const struct trainer *t, const struct mask_options *mask,
                const struct step_report *step, bool tensors);
int record_evaluation(struct training_record *r, int64_t after_steps, const struct evaluation *e, double other);

#endif
