/* precheck.h - checks that the simulator and the trainer accept every point of a scenario, before anything runs: one
 * bad point must not end a sweep half-way. */
#ifndef NARROWS_HARNESS_RUN_PRECHECK_H
#define NARROWS_HARNESS_RUN_PRECHECK_H

#include <stdio.h>

#include "harness/scenario/scenario.h"

/* NW_EINPUT after every different reason was printed to 'err' with the first point that has it. A scenario of more than
 * 100,000 points is judged by as many, evenly spread. */
int precheck(const struct scenario_file *file, FILE *err);

#endif
