/* reasons.h - why points of a scenario are refused: each reason is printed once, for the first point that it is one of,
 * and at the end for how many more. */
#ifndef NARROWS_HARNESS_RUN_REASONS_H
#define NARROWS_HARNESS_RUN_REASONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/scenario/scenario.h"

enum { MOST_REASONS = 20, REASON = 512 };

struct reason {
    const char *variant; /* of the first */
    char text[REASON], last[REASON];
    size_t points;
};

struct reasons {
    struct reason list[MOST_REASONS];
    size_t n;
    bool by_variant; /* all points of a variant are refused for one reason; else texts that differ in numbers are one */
};

/* 'why' as scenario_refuse() takes it. More than MOST_REASONS are left out. */
void reasons_add(struct reasons *reasons, const struct scenario_file *file, const struct point *p, const char *why,
                 FILE *err);
void reasons_tell(const struct reasons *reasons, const struct scenario_file *file, FILE *err);

#endif
