/* extras.h - what a validation says of each row besides how it is bound.
 * Errors     NW_EINPUT, printed; NW_ENOMEM. */
#ifndef NARROWS_HARNESS_VALIDATION_EXTRAS_H
#define NARROWS_HARNESS_VALIDATION_EXTRAS_H

#include "harness/validation/cases.h"

struct extra {
    size_t set;         /* into spec->sets; SET_NONE */
    double closed_form; /* NaN: none */
    size_t baseline;    /* a row; BASELINE_NONE */
    const char *reason;
};
#define SET_NONE ((size_t)-1)
#define BASELINE_NONE ((size_t)-1)

/* [cases.n]; the caller frees it, also after an error. */
int extras_read(const struct cases *c, struct extra **out);

#endif
