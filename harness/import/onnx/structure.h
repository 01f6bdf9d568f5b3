/* structure.h - the parts of onnx_structure(). Lists are built from the network's output to its input, and
 * turned round when they are done. */
#ifndef NARROWS_HARNESS_IMPORT_ONNX_STRUCTURE_H
#define NARROWS_HARNESS_IMPORT_ONNX_STRUCTURE_H

#include "harness/import/onnx/net.h"

enum { STRUCTURE_DEEP = 12 }; /* blocks in blocks: model_infer() refuses 16 */

struct layers {
    struct layer_spec *list;
    int n, capacity;
};

struct layer_spec *layers_push(struct net *n, struct layers *l, enum layer_kind kind);
void layers_turn(struct layers *l);

/* The values that a node reads of those that depend on the sample, at most 'most'; returns how many there are. */
int node_sources(const struct net *n, const struct node *node, int most, int *list);

/* The layers from the output of node 'stop' (NET_NONE: the network's input) to a value. Returns the value at which they
 * begin, or NET_NONE if they begin with tokens. */
int structure_chain(struct net *n, int value, int stop, int depth, struct layers *l);

/* What joins several branches: pushes a block, a concat or a product, and returns the value that all of them read. */
int structure_join(struct net *n, struct node *node, int depth, struct layers *l);

/* Pushes the layer of a node that reads one value, or nothing. */
void structure_layer(struct net *n, struct node *node, struct layers *l);

/* Convolutions and pools. */
void structure_window(struct net *n, struct node *node, struct layers *l);

/* What lies between two values of the same layer run, of which the second is a layout of the first. */
void structure_bridge(struct net *n, int from, int to, struct layers *l);

bool structure_has(const struct net *n, int value); /* is it a parameter? A bias may be a constant of zeros */
void structure_use(struct net *n, int value);       /* a layer has this parameter */

#endif
