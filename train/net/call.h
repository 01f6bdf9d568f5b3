/* call.h - one operation of a graph, computed with a backend on tensors that the caller found.
 * Places     x, x2, y, dy, dx, dx2: the operation's tensors of these names; NULL where it has none. Weights as in
 *            parameters.h; gradients are added to.
 * Norms      a batch norm writes mean and inv_std in forward; with 'inference' it reads them instead.
 * Rows       an embedding changes no table in backward: it gives its dy, with which the rows are changed (ops.h,
 *            bag_update).
 * Dropout    with 'inference' it copies its input.
 * Returns    0, or what the backend returned (the reason in its error()). */
#ifndef NARROWS_TRAIN_NET_CALL_H
#define NARROWS_TRAIN_NET_CALL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/graph/graph.h"
#include "train/ops/ops.h"

struct call {
    const struct graph *graph;
    const struct split_net *split;
    const struct operation *operation;
    const struct ops_backend *backend;
    struct ops *handle;
    const float *x, *x2;
    float *y, *dy, *dx, *dx2;
    const float *w, *b; /* b: biases; a norm's scales, then its shifts; NULL if there are none */
    float *dw, *db;
    float *mean, *inv_std;
    const float *table;    /* of embeddings */
    const int32_t *ids;    /* of the batch: rows that embeddings and tokens look up */
    float *row_errors;     /* of embeddings: a copy of dy; NULL: not wanted */
    const int32_t *labels; /* of the batch, for the loss */
    float *loss;           /* added to */
    bool inference;
    uint64_t dropout_seed;
    void *workspace;
    size_t nworkspace;
    void *stream;
};

int call_run(const struct call *c);

/* Has a layer of this kind an operation? */
bool call_computes(enum layer_kind kind);

#endif
