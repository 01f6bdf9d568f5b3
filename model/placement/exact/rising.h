/* rising.h - private to EXACT: a search that places items in the order of their offsets. It knows alignments and gaps,
 * which the search of valleys does not, and where that one is lost it may not be. README.md has the mathematics. */
#ifndef NARROWS_MODEL_PLACEMENT_EXACT_RISING_H
#define NARROWS_MODEL_PLACEMENT_EXACT_RISING_H

#include "model/placement/private.h"

enum { RISING_MOST = 8192, RISING_VARIANTS = 3 }; /* items of a pool; orders of choices */

struct rising;
struct rising *rising_make(const struct pool *pool); /* at most RISING_MOST items; NULL: no memory */
void rising_free(struct rising *r);

/* As search_run(). With windows SEARCH_NONE proves nothing: each buffer lies above or below each other as a whole. */
int rising_run(struct rising *r, int64_t height, int variant, struct search_budget *budget, int64_t offset[]);

#endif
