/* check.h - would the trainer take this point? What single keys may be is checked when they are read; this is how they go
 * together, and with the model.
 * Errors     0, or NW_ESIM with the reason in why[], which begins with the full path of the key at fault. */
#ifndef NARROWS_HARNESS_TRAINING_CHECK_H
#define NARROWS_HARNESS_TRAINING_CHECK_H

#include <stddef.h>

#include "harness/scenario/scenario.h"

/* 'model' is that of the point, inferred. NW_ENOMEM, too. */
int training_check(const struct scenario *sc, const struct model *model, char *why, size_t nwhy);

/* Of it: has the data what the model takes? */
int training_data_check(const struct scenario *sc, const struct model *model, char *why, size_t nwhy);

/* Write the reason; answers NW_ESIM. */
__attribute__((format(printf, 3, 4))) int training_refuse(char *why, size_t nwhy, const char *format, ...);

#endif
