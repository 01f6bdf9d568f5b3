/* figures.h - what is printed of an outcome: one table for texts, CSV, JSON and the page. */
#ifndef NARROWS_HARNESS_COMPARE_RENDER_FIGURES_H
#define NARROWS_HARNESS_COMPARE_RENDER_FIGURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "harness/compare/outcome.h"

struct figure {
    const char *name;                      /* in files */
    const char *head;                      /* on a screen */
    double (*of)(const struct outcome *o); /* NaN: there is none */
    const char *what;
    bool after_all; /* the same as of single steps where there is one step alone: not shown */
};

extern const struct figure figures[];
extern const size_t nfigures;

/* Is it shown on a screen, of so many steps? */
bool figure_shown(const struct figure *f, size_t steps);

enum { FIGURE_TEXT = 64 };

/* A number for a person, "-" for NaN: into text[0..FIGURE_TEXT), which is returned. */
const char *figure_text(double value, char *text);
/* For a file: all digits; 'none' where it is not finite. */
void figure_file(double value, const char *none, FILE *out);

#endif
