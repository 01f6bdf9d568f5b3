/* cells.h - the published cells that the points cover, and the constants that a file fits to published cells. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_CELLS_H
#define NARROWS_HARNESS_SCENARIO_POINTS_CELLS_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/yaml/tree.h"

/* The sections 'compare' and 'calibrate', and the variants that they and 'baseline' name. */
void cells_read(struct scenario_file *f, const struct node *root);

/* Fill in the texts of the fits, as the fitted variant of the first combination has them. */
void fits_expand(struct scenario_file *f);

#endif
