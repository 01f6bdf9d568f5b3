/* node.h - private to read.c: a message of a file as a node of the last rank. NW_EINPUT with the reason printed, or
 * NW_ENOMEM. */
#ifndef NARROWS_HARNESS_IMPORT_CHAKRA_NODE_H
#define NARROWS_HARNESS_IMPORT_CHAKRA_NODE_H

#include "harness/import/chakra/chakra.pb-c.h"
#include "harness/import/chakra/nodes.h"

int chakra_take_node(struct chakra *c, const Chakra__Node *m);

#endif
