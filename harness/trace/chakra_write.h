/* chakra_write.h - the tasks of a step as Chakra execution traces, one a rank, as harness/import/chakra reads them.
 * Nodes      Task t is node 3 t. A transfer between ranks is a send on one and, as node 3 t + 1, a receive on the
 *            other; its comm_tag is t, its comm_size the bytes on the wire. Work is a computation, on the GPU where its
 *            resource is one; a transfer within a rank is a load. What only orders tasks is metadata, and so is node
 *            3 t + 2, which ends at the instant before which task t does not begin.
 * Times      start and duration as simulated: in microseconds, which is what the format has, rounded down, and to the
 *            picosecond as the attribute duration_ps. */
#ifndef NARROWS_HARNESS_TRACE_CHAKRA_WRITE_H
#define NARROWS_HARNESS_TRACE_CHAKRA_WRITE_H

#include <stdio.h>

#include "sim/engine/task_graph.h"

/* NULL if the traces can say all of the graph, else what they cannot. */
const char *chakra_cannot(const struct task_graph *g);

/* Write the trace of a rank; 'lost' grows by the dependencies on tasks of other ranks that no transfer carries.
 * NW_ENOMEM; errors of the stream are its own. */
int chakra_write(const struct task_graph *g, int rank, FILE *out, size_t *lost);

#endif
