/* validation.h - predict the rows of a validation file and store them with what was measured.
 * Steps      rows and scenario are read; constants are fitted to the calibrating rows, fit after fit; every other row
 *            is predicted; what the closed form says is computed on the same rows; each calibrating row is left out in
 *            turn where its constants can do without it. All of it is stored in one transaction.
 * Errors     harness status; the message has been printed. A row that the simulator refuses is stored with the
 *            reason, and is no error. */
#ifndef NARROWS_HARNESS_VALIDATION_VALIDATION_H
#define NARROWS_HARNESS_VALIDATION_VALIDATION_H

#include "harness/store/store.h"
#include "harness/validation/constants.h"

struct validation_run {
    const char *file; /* of the validation */
    const char *data; /* CSV whose rows are predicted in place of its own; NULL: none */
    const char *command;
};

int validation_predict(struct store *s, const struct validation_run *q);

/* Read and bind every row, predict none: how many are used, and how many of them calibrate. */
int validation_check(const char *path, size_t *rows, size_t *calibrating);

/* What is known of every row besides its prediction. Free 'out' even after an error. */
struct extra {
    size_t set;         /* into spec->sets; SET_NONE */
    double closed_form; /* NaN: none */
    size_t baseline;    /* a row; BASELINE_NONE */
    const char *reason;
};
#define SET_NONE ((size_t)-1)
#define BASELINE_NONE ((size_t)-1)

int extras_read(const struct cases *c, struct extra **out);

/* The mean errors of the sets, in %, where a calibrating row was left out: only of sets that its constants change. */
struct left_out {
    size_t fit, group, row, set;
    double mean;
};
struct left_outs {
    struct left_out *list;
    size_t n;
};

/* predicted[] of all rows, NaN where there is none, with all calibrating rows. The constants are as before after it.
 * Free 'out' even after an error. */
int leave_rows_out(const struct cases *c, struct fits *f, const struct extra *extras, const double predicted[],
                   struct left_outs *out);
void left_outs_free(struct left_outs *l);

#endif
