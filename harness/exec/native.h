/* native.h - the exchanges of a data-parallel graph left to the MPI library: MPI_Iallreduce in the place of the
 * scenario's own transfers, as a peer.
 * Errors     NW_EINPUT with the reason in why[] for a graph that has none, or that encodes: no library sums codes. */
#ifndef NARROWS_HARNESS_EXEC_NATIVE_H
#define NARROWS_HARNESS_EXEC_NATIVE_H

#include <stddef.h>

#include "sim/engine/task_graph.h"

int native_exchange(struct task_graph *g, char *why, size_t nwhy);

#endif
