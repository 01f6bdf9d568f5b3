/* closed.h - a step's time as sums and maxima, for whoever looks at very many layouts.
 * Pipeline   m micro-batches, v parts a stage, p stages, the slowest S, the sum over all T, messages x forward and y
 *            backward. Filling and draining: (T - S) / v + (p - 1) (x + y). 1F1B has as many micro-batches under way as
 *            there are stages from one on, so that from the p-th micro-batch on one takes as long as a stage waits for
 *            the first of them to come back, if that is longer than S. With several parts each of the first v - 1
 *            rounds of p passes forward waits for p messages, the last ones backward alike; in between a micro-batch
 *            takes at least its passes in one direction and their v messages.
 * Overlap    what a unit gathers and reduces is hidden behind the passes of its neighbours as far as they last: of each
 *            stage the longer of both counts, and the first gather and the last reduction besides.
 * It is no bound: links that carry two things at once are as fast as for one. */
#ifndef NARROWS_SIM_METHOD_SHARDED_CLOSED_H
#define NARROWS_SIM_METHOD_SHARDED_CLOSED_H

#include "sim/method/sharded/plan.h"

struct closed_step {
    double step_ps;
    double compute_ps, exposed_ps; /* of the slowest stage: what GPUs compute, and what they wait for wires */
    double blocking_ps;            /* of it: within passes, for tensor and context groups */
    double bubble_ps, tail_ps;     /* filling and draining; reductions and updates after the last pass */
    double update_ps;              /* of the tail: the updates, with what they fetch and store */
};

struct closed_step closed_step(const struct sharded_plan *p);

/* Time of an act by itself. */
double closed_act_ps(const struct sharded_plan *p, const struct act *a);

#endif
