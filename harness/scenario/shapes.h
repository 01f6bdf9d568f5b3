/* shapes.h - an error at the place of the layer if the layers of a model do not fit each other. */
#ifndef NARROWS_HARNESS_SCENARIO_SHAPES_H
#define NARROWS_HARNESS_SCENARIO_SHAPES_H

#include "harness/scenario/points/reference.h"

void shapes_check(struct scenario_file *f, const struct image *image, const char *prefix);

/* All models of a scenario. One that changes layers is checked point by point instead, when it is run or checked. */
void shapes_check_all(struct scenario_file *f);

#endif
