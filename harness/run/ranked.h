/* ranked.h - a training scenario on several ranks: rank 0 runs its experiment as it would alone, the others train what
 * it says.
 * Errors     a nw_status. */
#ifndef NARROWS_HARNESS_RUN_RANKED_H
#define NARROWS_HARNESS_RUN_RANKED_H

#include <stdio.h>

#include "harness/scenario/scenario.h"
#include "harness/training/ranks/ranks.h"

/* Do these points (NULL: all) have enough workers for so many ranks? NW_EINPUT after a message on err if not. */
int ranked_check(const struct scenario_file *file, const size_t *points, size_t npoints, int ranks, FILE *err);

/* What the other ranks get to know of this point. */
int ranked_order(const struct scenario_file *file, size_t index, struct ranks_order *order);

/* On a rank other than 0, with the same file: until rank 0 dismisses it. Returns rank 0's status. jobs as in struct
 * experiment. */
int ranked_follow(struct ranks *r, const struct scenario_file *file, int jobs);

#endif
