/* closed.h - a step's time as sums and maxima, for whoever looks at very many layouts.
 * Pipeline   m micro-batches, v parts a stage, slowest stage S, the sum over all stages T:
 *            (m - 1) S + T for one part, (m - 1) S + S + (T - S) / v for more; messages are waited for on the way in
 *            and out, and in between as far as they take longer than a pass.
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
