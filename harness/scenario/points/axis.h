/* axis.h - the axes of a sweep: the path, its values, and which axes advance together. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_AXIS_H
#define NARROWS_HARNESS_SCENARIO_POINTS_AXIS_H

#include "harness/scenario/points/setting.h"

struct axis {
    struct target target;
    struct setting *values;
    size_t n;
    bool command; /* from the command line: it overrides the variants */
    struct mark at;
};

/* Axes that advance together. */
struct dimension_of_sweep {
    struct axis *axes;
    size_t naxes, n;
};

void axes_read_file(struct scenario_file *f, const struct node *sweep);

/* Each sweep is a map of one key, "path" or "zip:path". Read them before the file's axes, which they replace. */
void axes_read_command(struct scenario_file *f, const struct node *const *sweeps, size_t n);

#endif
