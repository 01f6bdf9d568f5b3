/* selection.h - some of a scenario's points: those with the given variants and indices, and for each of them the
 * baseline of the same combination, to compare it with.
 * Errors     NW_EINPUT after a message that says which variants, or how many points, there are, or that none is left;
 *            NW_ENOMEM. */
#ifndef NARROWS_HARNESS_RUN_SELECTION_H
#define NARROWS_HARNESS_RUN_SELECTION_H

#include <stddef.h>

#include "harness/scenario/scenario.h"

struct selection {
    const char *const *variants; /* by their names; all of them where there are none */
    size_t nvariants;
    /* Indices: each point itself or, if variants are named, its combination; none: all. */
    const size_t *points;
    size_t npoints;
    /* Of these, those whose index leaves the remainder 'part' when divided by 'nparts': without the baselines of other
     * parts, so that all parts together have each once. nparts 0: all. */
    size_t part, nparts;
    /* And of these, those whose indices this file has, one a line, in ascending order; NULL: all. Without baselines. */
    const char *only;
    /* None of these, in ascending order, whatever was asked for. */
    const size_t *without;
    size_t nwithout;
};

/* list[0..*n): the points, in ascending order, which the caller frees; NULL and 0: no selection, use all. */
int selection_points(const struct scenario_file *f, const struct selection *s, size_t **list, size_t *n);

#endif
