/* agree.h - every rank works from rank 0's point: what was fitted or measured there, and when the simulation let each
 * task begin and end.
 * Errors     a nw_status, the message printed; the same on all ranks. */
#ifndef NARROWS_HARNESS_EXEC_AGREE_H
#define NARROWS_HARNESS_EXEC_AGREE_H

#include "harness/scenario/scenario.h"
#include "sim/engine/task_graph.h"

/* At rank 0 the point is supplied (harness/run/supply.h), at the others just bound: paths[] are the figures that it
 * left open before. */
void agree_on_point(int rank, struct point *p, const char *const paths[], size_t npaths);

/* The graph must have the same tasks everywhere: NW_EIO if it has not. */
int agree_on_times(struct task_graph *g);

#endif
