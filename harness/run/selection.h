/* selection.h - some of a scenario's points: those of the variants and places asked for, and with each of them the
 * baseline of the same place, without which there is nothing to compare it with.
 * Errors     NW_EINPUT after a message that says which variants, or how many points, there are; NW_ENOMEM. */
#ifndef NARROWS_HARNESS_RUN_SELECTION_H
#define NARROWS_HARNESS_RUN_SELECTION_H

#include <stddef.h>

#include "harness/scenario/scenario.h"

struct selection {
    const char *const *variants; /* by their names; all of them where there are none */
    size_t nvariants;
    /* Each with its own variant, or, where variants are named, for its place; all where there are none. */
    const size_t *points;
    size_t npoints;
};

/* list[0..*n): the points, in growing order, to be freed; NULL and 0: nothing is selected, all are meant. */
int selection_points(const struct scenario_file *f, const struct selection *s, size_t **list, size_t *n);

#endif
