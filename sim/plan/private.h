/* plan_private.h - the steps of a plan, for those that take some of them. Each goes on with what those before it have left in 'plan', whose
 * model, options and batch are set, and returns what memory_plan_make() does. */
#ifndef NARROWS_SIM_MEMORY_PLAN_PRIVATE_H
#define NARROWS_SIM_MEMORY_PLAN_PRIVATE_H

#include <stdbool.h>

#include "sim/plan/plan.h"

/* Split, graph, storages; how long each operation takes. */
int plan_operations(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy);

/* What lies in the device's general pool and when, but for the offsets; the parameter pool. */
int plan_lifetimes(struct memory_plan *plan);

/* All but the placements. */
int plan_prepare(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy);

/* The placement of one pool. One that fits into 'room' is looked for first, whether lower ones are wanted or not: if the budget
 * finds one, it does so always. */
int plan_place(const struct memory_plan *plan, struct lifetimes *l, int64_t room, bool lower, struct placement *out);

int64_t plan_room(const struct memory_plan *plan, const struct platform *p); /* of the device, beside the parameters */

#endif
