/* state.h - a training in a checkpoint: all that the trainer's next step depends on, and what was recorded so far.
 * Errors     harness status, the message printed: a checkpoint that fits the key but not the trainer is damaged beyond its checksum,
 *            or of another build. */
#ifndef NARROWS_HARNESS_TRAINING_STATE_H
#define NARROWS_HARNESS_TRAINING_STATE_H

#include "harness/training/record.h"

int training_save(const char *path, const char *key, struct trainer *t, const struct training_record *r);

/* 1 if there was a checkpoint and both are as it says; 0 if there is none; or negative, the trainer then being of no use. */
int training_restore(const char *path, const char *key, struct trainer *t, struct training_record *r);

#endif
