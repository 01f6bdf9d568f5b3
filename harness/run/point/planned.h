/* planned.h - the memory plan of a bound scenario, and its rows as facts.
 * Ownership  planned_free() releases; the rows' texts live in 'struct plan_rows'. The scenario must outlive both.
 * Errors     harness status; NW_ESIM with the reason in why[], which begins with the key. */
#ifndef NARROWS_HARNESS_RUN_POINT_PLANNED_H
#define NARROWS_HARNESS_RUN_POINT_PLANNED_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/scenario/scenario.h"
#include "harness/store/store.h"
#include "model/model.h"
#include "sim/plan/plan.h"

struct planned {
    const struct scenario *scenario;
    struct model model;
    struct memory_plan plan;
    int64_t largest; /* batch that fits, of one GPU; -1: not asked for */
};

/* For a scenario whose method is memory-plan; with its 'fill', at the largest batch that fits. 'largest': find that
 * batch even if the scenario does not ask for it. */
int planned_make(const struct scenario *sc, bool largest, struct planned *out, char *why, size_t nwhy);
void planned_free(struct planned *p); /* accepts an all-zero one */

/* A row for each operation. */
struct plan_rows {
    struct plan_step_fact *steps;
    char (*names)[64];
    struct plan_fact fact;
};
int plan_rows_of(const struct planned *p, struct plan_rows *out);
void plan_rows_free(struct plan_rows *r); /* accepts all-zero ones */

#endif
