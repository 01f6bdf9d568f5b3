/* precheck.h - checks that the simulator and the trainer accept every point of a scenario, before anything runs: one
 * bad point must not end a sweep half-way. That includes whether it fits in its GPUs' memory (point/fits.h). */
#ifndef NARROWS_HARNESS_RUN_PRECHECK_H
#define NARROWS_HARNESS_RUN_PRECHECK_H

#include <stddef.h>
#include <stdio.h>

#include "harness/scenario/scenario.h"

/* Points that do not fit, in ascending order. */
struct precheck_misfits {
    size_t *points; /* free() releases them */
    size_t n;
};

/* NW_EINPUT after each different reason was printed to 'err' with its first point. Of more than 100,000 points, 100,000
 * are checked, evenly spread. */
int precheck(const struct scenario_file *file, FILE *err);

/* The same, but points that do not fit in memory are printed and listed, and refused only if none fits: a sweep goes as
 * far as it can. */
int precheck_fitting(const struct scenario_file *file, struct precheck_misfits *misfits, FILE *err);

/* In place of rates that are measured as a point is run: any, for a look at what it would be. */
void precheck_fill_measured(struct scenario *sc);

#endif
