/* axes.h - the axes of a search for layouts, as texts of --sweep: what the user varies, and what is searched otherwise.
 * Ownership  tuned_axes_free() releases the texts. */
#ifndef NARROWS_HARNESS_TUNE_AXES_H
#define NARROWS_HARNESS_TUNE_AXES_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/scenario/scenario.h"

enum { AXES_MOST = 48 };

struct tuned_axes {
    char *list[AXES_MOST]; /* "method.tensor=1, 2, 4" */
    size_t n;
    bool failed; /* out of memory, or too many */
};

void tuned_axes_add(struct tuned_axes *a, const char *format, ...) __attribute__((format(printf, 2, 3)));
void tuned_axes_free(struct tuned_axes *a);

/* Adds those of the layout, of what is sharded and of what is computed again, but for keys that are fixed: swept
 * already in the point, or the subject of one of the settings ("method.tensor=8"). */
void tuned_axes_of_layouts(struct tuned_axes *a, const struct point *p, const char *const *sets, size_t nsets);

/* Adds one axis with every combination of codecs, each edge (weights, gradients, activations) without one and with each
 * of those that 'codecs' names for it ("weights=blockwise:bits=8"); without any named with the scenario's own.
 * NW_EINPUT after a message. */
int tuned_axes_of_codecs(struct tuned_axes *a, const struct point *p, const char *const *codecs, size_t ncodecs);

#endif
