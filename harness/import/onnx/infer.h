/* infer.h - the parts of onnx_shapes(). */
#ifndef NARROWS_HARNESS_IMPORT_ONNX_INFER_H
#define NARROWS_HARNESS_IMPORT_ONNX_INFER_H

#include "harness/import/onnx/net.h"

/* The shape of one output of a node that changes the layout, or that makes a tensor of a shape. */
void infer_layout(struct net *n, struct node *node, int output);

/* The whole numbers of a node's first output, where its inputs' are known. */
void infer_ints(struct net *n, struct node *node);

#endif
