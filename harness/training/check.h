/* check.h - would the trainer accept this point? Single keys are checked when they are read; this checks how they fit
 * together, and the model.
 * Errors     0, or NW_ESIM with the reason in why[], which begins with the full path of the wrong key. */
#ifndef NARROWS_HARNESS_TRAINING_CHECK_H
#define NARROWS_HARNESS_TRAINING_CHECK_H

#include <stddef.h>

#include "harness/scenario/scenario.h"

/* 'model' is the point's, inferred. Also NW_ENOMEM. */
int training_check(const struct scenario *sc, const struct model *model, char *why, size_t nwhy);

/* The part of it that concerns data: does it have what the model takes? */
int training_data_check(const struct scenario *sc, const struct model *model, char *why, size_t nwhy);

/* Write the reason and return NW_ESIM. */
__attribute__((format(printf, 3, 4))) int training_refuse(char *why, size_t nwhy, const char *format, ...);

#endif
