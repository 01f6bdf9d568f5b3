/* graph_player.h - runs a graph symbolically: what a storage holds is a number that says how it was computed. Memory is
 * garbage before a storage's first operation and after its last one, and whatever the graph and the storages say, an
 * operation reads what memory holds. At the end every gradient of weights must be what the layers themselves say,
 * computed without the graph. Errors are sums of numbers, so that the order of adding does not matter; all else is
 * hashed. */
#ifndef NARROWS_TESTS_MODEL_GRAPH_PLAYER_H
#define NARROWS_TESTS_MODEL_GRAPH_PLAYER_H

#include <stdbool.h>

#include "model/graph/graph.h"
#include "model/split/patches.h"
#include "model/storage/storage.h"

/* False with a line in 'why' if something that was read or came out is wrong. */
bool player_run(const struct graph *g, const struct split_net *split, const struct storage_list *s, char *why,
                size_t nwhy);

#endif
