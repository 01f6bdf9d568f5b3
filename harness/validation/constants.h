/* constants.h - the constants of a validation: which rows calibrate them, which rows they are for, and their values. */
#ifndef NARROWS_HARNESS_VALIDATION_CONSTANTS_H
#define NARROWS_HARNESS_VALIDATION_CONSTANTS_H

#include "harness/validation/cases.h"

enum { FIT_MOST_KEYS = 8, CONSTANTS_MOST = 64 };

/* Rows that share the constants of a fit. */
struct fit_group {
    const char *name;
    size_t *rows; /* those that calibrate, given ones and the validation's own */
    size_t nrows;
    double values[FIT_MOST_KEYS]; /* NaN: not fitted yet */
    double off;                   /* by how much the worst calibrating row is missed, as a share */
};

struct fitted {
    const struct validation_fit *fit;
    char *keys; /* private: the text that paths[] point into */
    const char *paths[FIT_MOST_KEYS];
    size_t npaths;
    struct fit_group *groups;
    size_t ngroups;
    size_t *group_of;        /* [cases.n]; GROUP_FREE, GROUP_MISSING */
    const char **group_name; /* [cases.n] */
    bool *calibrates;        /* [cases.n] */
};

#define GROUP_FREE ((size_t)-1)    /* the fit does not concern the row */
#define GROUP_MISSING ((size_t)-2) /* no row calibrates the constants of this one */

struct fits {
    struct fitted *list;
    size_t n, ready; /* the first 'ready' of them count: the one that is being fitted, and those before it */
};

/* Rows of the validation's own that calibrate nothing are no longer used where others were given. Free 'out' even after
 * an error. */
int fits_open(struct cases *c, bool given, struct fits *out);
void fits_free(struct fits *f);

/* The constants of a row, in the order of the fits; *n of them. False where one is missing, with why[]. */
bool fits_constants(const struct fits *f, size_t row, struct constant out[CONSTANTS_MOST], size_t *n, char *why,
                    size_t nwhy);

/* Does a later fit find the same constants for the same groups? Then those of this one are where it began. */
bool fit_is_repeated(const struct fits *f, size_t which);

/* Does any fit use the row? */
bool fits_calibrates(const struct fits *f, size_t row);

/* Simulate n rows on all processors: out[], NaN where one is refused, with its reason in why[] (NULL: not wanted), to
 * be freed each. NW_EINTR, NW_ENOMEM. */
int fits_play(const struct cases *c, const struct fits *f, const size_t rows[], size_t n, double out[], char *why[]);

/* Fit all groups of fit 'which', the constants of those before it being there. */
int fit_all(const struct cases *c, struct fits *f, size_t which);

/* Fit one group to the n rows given, from its values. *off as in the group. */
int fit_group(const struct cases *c, struct fits *f, size_t which, size_t group, const size_t rows[], size_t n,
              double *off);

#endif
