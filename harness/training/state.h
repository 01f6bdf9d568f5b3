/* state.h - a training run in a checkpoint: all that the trainer's next step depends on, and the record so far.
 * Errors     a nw_status, with the message printed. A checkpoint that fits the key but not the trainer is from
 *            another build, or damaged in a way that its checksum does not show. */
#ifndef NARROWS_HARNESS_TRAINING_STATE_H
#define NARROWS_HARNESS_TRAINING_STATE_H

#include "harness/training/record.h"

int training_save(const char *path, const char *key, struct trainer *t, const struct training_record *r);

/* 1 if trainer and record were restored from a checkpoint; 0 if there is none; or negative, after which the trainer
 * is unusable. */
int training_restore(const char *path, const char *key, struct trainer *t, struct training_record *r);

#endif
