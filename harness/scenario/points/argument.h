/* argument.h - the arguments of --set and --sweep as nodes like those of a file. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_ARGUMENT_H
#define NARROWS_HARNESS_SCENARIO_POINTS_ARGUMENT_H

#include "harness/scenario/scenario.h"
#include "harness/scenario/yaml/tree.h"

/* The *n texts "path=value" of an option, each as a map of one key. Arguments with an error are not counted in *n. */
const struct node **argument_nodes(struct scenario_file *f, const char *option, const char *const *texts, size_t *n);

#endif
