/* leave_out.h - how far the errors depend on each of the rows that calibrate. */
#ifndef NARROWS_HARNESS_VALIDATION_LEAVE_OUT_H
#define NARROWS_HARNESS_VALIDATION_LEAVE_OUT_H

#include "harness/validation/constants.h"
#include "harness/validation/extras.h"

/* The mean errors of the sets, in %, where a calibrating row was left out: only of sets that its constants change,
 * and of groups of at most 32 rows. */
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
