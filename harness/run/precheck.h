/* precheck.h - checks that the simulator and the trainer accept every point of a scenario, before anything runs: one
 * bad point must not end a sweep half-way. */
#ifndef NARROWS_HARNESS_RUN_PRECHECK_H
#define NARROWS_HARNESS_RUN_PRECHECK_H

#include <stdio.h>

#include "harness/scenario/scenario.h"

/* NW_EINPUT after each different reason was printed to 'err' with its first point. Of more than 100,000 points, 100,000
 * are checked, evenly spread. */
int precheck(const struct scenario_file *file, FILE *err);

#endif
