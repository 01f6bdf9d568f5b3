/* private.h - the steps of a plan, for callers that take only some. Each continues with the results of those before it
 * in 'plan', whose model, options and batch are set, and returns what memory_plan_make() does. */
#ifndef NARROWS_SIM_PLAN_PRIVATE_H
#define NARROWS_SIM_PLAN_PRIVATE_H

#include <stdbool.h>

#include "sim/plan/plan.h"

/* Split, graph, storages; how long each operation takes. */
int plan_operations(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy);

/* The buffers of the device's general pool with their lifetimes, without offsets; the size of the parameter pool. */
int plan_lifetimes(struct memory_plan *plan);

/* All but the placements. */
int plan_prepare(struct memory_plan *plan, const struct platform *p, char *why, size_t nwhy);

/* Places one pool. It searches for a placement that fits in 'space' first, even if lower ones are wanted, so that the
 * search for lower ones cannot use up the budget before one fits. */
int plan_place(const struct memory_plan *plan, struct lifetimes *l, int64_t space, bool lower, struct placement *out);

int64_t plan_space(const struct memory_plan *plan,
                   const struct platform *p); /* of the device, without the parameters */

#endif
