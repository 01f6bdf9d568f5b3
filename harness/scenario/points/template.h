/* template.h - "{model.name}/{batch}": texts of cells, compiled once and filled in for each point. */
#ifndef NARROWS_HARNESS_SCENARIO_POINTS_TEMPLATE_H
#define NARROWS_HARNESS_SCENARIO_POINTS_TEMPLATE_H

#include "harness/scenario/points/target.h"

struct bound;

/* A piece of the text: literal text, the value of a target, or the variant's name. */
struct piece {
    const char *text;
    struct target target;
    bool variant;
};

struct template
{
    struct piece *pieces;
    size_t n;
};

enum { CELL_TEXTS = 5 }; /* paper, table, row, column, measure */

struct cell_template {
    struct template texts[CELL_TEXTS];
    const char *variant; /* "" for every one */
};

struct template template_compile(struct scenario_file *f, const char *text, struct mark at, const char *key);
struct cell template_cell(const struct scenario_file *f, struct arena *a, const struct cell_template *c,
                          struct bound *b);

#endif
