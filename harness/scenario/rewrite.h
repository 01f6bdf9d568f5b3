/* rewrite.h - one point of a scenario as a scenario of its own. */
#ifndef NARROWS_HARNESS_SCENARIO_REWRITE_H
#define NARROWS_HARNESS_SCENARIO_REWRITE_H

#include "harness/scenario/scenario.h"

/* Writes the file at 'to' with the sections of the file that 'f' was opened from, what its point's axes and variant give
 * it, and the settings of the command line ("path=value"); without sweep, variants, and what compares or fits. Paths of
 * files that it names become absolute. NW_EIO after a message. */
int scenario_rewrite(const struct scenario_file *f, size_t point, const char *to);

#endif
