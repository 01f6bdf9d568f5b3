/* supply.h - fills in what a bound point leaves open: constants to be fitted, rates to be measured here. For
 * commands that look at single points of a scenario. What is fitted or measured is recorded under a run
 * "NAME+SUFFIX".
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_RUN_SUPPLY_H
#define NARROWS_HARNESS_RUN_SUPPLY_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/run/codec/rate.h"
#include "harness/run/fit/calibration.h"
#include "harness/scenario/scenario.h"
#include "harness/store/store.h"

struct supply {
    const struct scenario_file *file;
    struct store *store;
    int64_t run_id;
    struct calibrations *calibrations;
    struct codec_rates *rates; /* the points supplied refer to them */
};

/* Does this point leave anything open? */
bool supply_needed(const struct scenario_file *f, struct point *p);

/* Open the database 'db' and begin the run. Zero *s first; supply_close() it also after an error. */
int supply_open(struct supply *s, const struct scenario_file *f, const char *db, const char *suffix,
                const char *baseline, const char *command);
int supply_point(struct supply *s, struct point *p);

/* The fits again (refit.h) of the constants of a point that is not supplied yet, NULL if it has none, once another one
 * was supplied; and a supplied point with the constants of one of them. */
int supply_refits(struct supply *s, const struct point *p, const struct refits **out);
void supply_refit(struct supply *s, const struct refits *r, size_t i, struct point *p);

/* End the run, if rc is 0, and let go of everything; answers rc, or what went wrong now. The points must be gone. */
int supply_close(struct supply *s, int rc);

#endif
