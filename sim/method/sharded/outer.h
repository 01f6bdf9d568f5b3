/* outer.h - the exchange between copies that make several steps by themselves (local SGD, DiLoCo): each then sends how
 * far its parameters have come, as gradients are sent otherwise, and the means are applied. */
#ifndef NARROWS_SIM_METHOD_SHARDED_OUTER_H
#define NARROWS_SIM_METHOD_SHARDED_OUTER_H

#include "sim/method/sharded/plan.h"

/* What a step of 'step_ps' waits for it, on average; 0 without local steps. */
double outer_step_ps(const struct sharded_plan *p, double step_ps);

#endif
