/* record.h - what a training did, step by step, as the database keeps it; it goes into checkpoints too, so that a training that
 * went on has all of its past.
 * Errors     0 or NW_ENOMEM: what was recorded before stays. */
#ifndef NARROWS_HARNESS_TRAINING_RECORD_H
#define NARROWS_HARNESS_TRAINING_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/store/trace.h"
#include "train/trainer/trainer.h"

/* Sums over all steps of what goes through a codec, and of what AWP or ADT pull. */
struct record_sums {
    double push_bytes, pull_bytes;              /* of all tensors; pushed by all workers, pulled by one */
    double coded_push_bytes, coded_push_values; /* through a codec: all workers */
    double coded_pull_bytes, coded_pull_values; /* ... of one pull */
};

struct training_record {
    struct trace_step_fact *steps;
    size_t nsteps, steps_room;
    struct trace_exchange_fact *exchanges;
    size_t nexchanges, exchanges_room;
    struct trace_bits_fact *bits;
    size_t nbits, bits_room;
    struct trace_evaluation_fact *evaluations;
    size_t nevaluations, evaluations_room;
    struct trace_threshold_fact *thresholds;
    size_t nthresholds, thresholds_room;
    struct record_sums sums;
    int *keep; /* [tensors] bytes of each weight in the step before; 0: none yet */
    size_t ntensors;
};

/* Of a trainer that has not begun: its first bits are noted. */
int record_open(const struct trainer *t, struct training_record *out);
void record_close(struct training_record *r); /* accepts an all-zero one */

/* A step is done; 'tensors': its tensors are to be looked at, too, and zeros were counted. 'mask': of which the step's thresholds are. */
int record_step(struct training_record *r, const struct trainer *t, const struct mask_options *mask,
                const struct step_report *step, bool tensors);
int record_evaluation(struct training_record *r, int64_t after_steps, const struct evaluation *e, double other);

#endif
