/* tasks.h - a step's plan as tasks on the ranks of a fold: the same code for folded ranks and for all of them.
 * Turns      a rank's passes follow each other as its stage's order says. What blocks a pass (tensor, context and
 *            expert parallelism) is a piece of it; gathers, reductions, and messages between stages are on their way
 *            meanwhile, each kind in its order.
 * Together   a wire's group begins when its last rank is ready, and is done when its last flow has arrived.
 * Gathers    of the use number u of a unit (a forward or backward pass of it) may begin when use u - 1 - prefetch has
 *            ended, and the gather before is done.
 * Update     when a stage's gradients are all reduced. The step is over when the last stage's update is. */
#ifndef NARROWS_SIM_METHOD_SHARDED_TASKS_H
#define NARROWS_SIM_METHOD_SHARDED_TASKS_H

#include "sim/engine/engine.h"
#include "sim/method/sharded/acts.h"
#include "sim/parallel/fold.h"

/* What all ranks together sent, by wire. */
struct step_traffic {
    double bytes[WIRES];
};

/* Adds the step to an engine that has the fold's channels and routes. Rows count for the ranks of 'shown' alone, a
 * class, and the other tasks have no row. Status. */
int step_tasks(struct engine *e, const struct step_plan *p, const struct fold *f, size_t shown,
               struct step_traffic *traffic);

#endif
