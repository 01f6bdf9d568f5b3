/* uneven.h - a note on a batch that does not divide among the workers: allowed, but some workers wait for others. */
#ifndef NARROWS_HARNESS_RUN_UNEVEN_H
#define NARROWS_HARNESS_RUN_UNEVEN_H

#include <stdio.h>

#include "harness/scenario/scenario.h"

/* Of the first such point of a file that precheck() has passed, at the line that its batch comes from. */
void uneven_note(const struct scenario_file *file, FILE *err);

#endif
