/* validation.h - predict the rows of a validation file and store them with what was measured.
 * Steps      rows and scenario are read; constants are fitted to the calibrating rows, fit after fit; every other row
 *            is predicted; what the closed form says is computed on the same rows; each calibrating row is left out in
 *            turn where its constants can do without it. All of it is stored in one transaction.
 * Errors     harness status; the message has been printed. A row that the simulator refuses is stored with the
 *            reason, and is no error. */
#ifndef NARROWS_HARNESS_VALIDATION_VALIDATION_H
#define NARROWS_HARNESS_VALIDATION_VALIDATION_H

#include "harness/store/store.h"

struct validation_run {
    const char *file; /* of the validation */
    const char *data; /* CSV whose rows are predicted in place of its own; NULL: none */
    const char *command;
};

int validation_predict(struct store *s, const struct validation_run *q);

/* Read and bind every row, predict none: how many are used, and how many of them calibrate. */
int validation_check(const char *path, size_t *rows, size_t *calibrating);

#endif
