/* refit.h - every fit of a scenario made again without one of its cells, as far as the others, or the same fit on
 * another machine ('elsewhere'), tell all constants without it: how far a prediction depends on each of the cells.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_RUN_FIT_REFIT_H
#define NARROWS_HARNESS_RUN_FIT_REFIT_H

#include <stddef.h>

#include "harness/run/fit/fit.h"
#include "harness/run/point/key.h"
#include "harness/scenario/scenario.h"
#include "harness/store/store.h"

struct refit {
    char *left[4];  /* the cell that was left out: paper, table, row, column */
    double *values; /* of refits.constants */
};

struct refits {
    char *platform;
    char **constants; /* full paths */
    size_t nconstants;
    struct refit *list; /* in the order of the scenario's rows */
    size_t n;
};

/* The fit of the scenario f, from the database if it was made before. *results has a place for each of its *n rows; the
 * caller frees it, also after an error. */
int fit_or_recall(const struct scenario_file *f, struct store *store, char key[POINT_KEY_LENGTH + 1],
                  struct fit_result **results, size_t *n);

/* All refits of the scenario 'file', each recalled if it was made before. Free *out also after an error. */
int refits_make(struct store *store, const char *file, struct refits *out);
void refits_free(struct refits *r); /* accepts an all-zero one */

/* Put the constants of a refit into a point. */
void refit_supply(const struct refits *r, size_t i, struct point *p);

#endif
