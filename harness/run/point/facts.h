/* facts.h - a bound point and its timeline as facts to be stored.
 * Ownership  facts refer to the point, its key, its measures and the timeline, which must outlive them;
 *            point_facts_free() and tasks_free() release only the lists, and accept all-zero ones.
 * Errors     NW_ENOMEM, or 0. */
#ifndef NARROWS_HARNESS_RUN_POINT_FACTS_H
#define NARROWS_HARNESS_RUN_POINT_FACTS_H

#include "harness/run/point/measures.h"
#include "harness/scenario/scenario.h"
#include "harness/store/store.h"
#include "sim/engine/timeline.h"

/* The values of the axes, and the published cells that the point covers. */
struct point_facts {
    struct param_fact *params;
    struct cell_fact *cells;
};

int point_facts_make(const struct point *p, struct point_facts *out);
void point_facts_free(struct point_facts *f);

/* The point as it is stored, with the first 'ncells' of its cells. */
struct point_fact point_fact_of(const struct point *p, const struct point_facts *f, size_t ncells, const char *key,
                                const struct measures *m);

int tasks_of(const struct timeline *t, struct timeline_fact *out);
void tasks_free(struct timeline_fact *f);

#endif
