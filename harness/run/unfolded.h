/* unfolded.h - a note on layouts whose ranks are not alike: exact, but every rank is played, which takes longer. */
#ifndef NARROWS_HARNESS_RUN_UNFOLDED_H
#define NARROWS_HARNESS_RUN_UNFOLDED_H

#include <stdio.h>

#include "harness/scenario/scenario.h"

/* Of the first such point of a file that precheck() has passed, at the line of its method. */
void unfolded_note(const struct scenario_file *file, FILE *err);

#endif
