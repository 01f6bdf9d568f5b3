/* private.h - shared by the parts of graph_build(): the graph being built, and where each layer's tensors are.
 * Memory     for the largest possible number of operations and tensors is allocated before the first is added, so that
 *            adding cannot fail; a size out of the range of integers sets 'rc'. */
#ifndef NARROWS_MODEL_GRAPH_PRIVATE_H
#define NARROWS_MODEL_GRAPH_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/graph/graph.h"

/* What uses a layer's output. */
struct graph_use {
    int32_t readers; /* layers that read it */
    int32_t reader;  /* the only one; else LAYER_NO_LAYER */
    bool ends_path;  /* a block's path ends with it */
    bool has_error;  /* it, or a layer before it, has parameters */
};

struct graph_builder {
    struct graph *g;
    const struct split_net *split;
    const struct graph_options *options;
    size_t nsplit;   /* layers that work on patches; 0: none */
    int32_t patches; /* 1 if none */
    size_t max_operations, max_tensors;
    struct graph_use *uses; /* [layers] */
    int32_t *outputs;       /* [nsplit * patches], then the rest: tensors */
    int32_t *cuts;          /* [patches] */
    int32_t images, joined;
    int32_t *errors; /* [forward tensors] the error of each so far; NO_TENSOR: none */
    int32_t *norms;  /* [forward tensors] the batch norm that recomputes it, if it is dropped; NO_OPERATION */
    int64_t total_bytes;
    int rc;
};

int32_t graph_add_tensor(struct graph_builder *b, enum tensor_role role, int32_t layer, int32_t patch,
                         struct shape shape);
int32_t graph_add_operation(struct graph_builder *b, const struct operation *o); /* also sets the tensors' producer */

static inline struct operation graph_operation(enum operation_kind kind, int32_t layer, int32_t patch)
{
    return (struct operation){ .kind = kind,
                               .layer = layer,
                               .patch = patch,
                               .twin = NO_OPERATION,
                               .x = NO_TENSOR,
                               .x2 = NO_TENSOR,
                               .y = NO_TENSOR,
                               .dy = NO_TENSOR,
                               .dx = NO_TENSOR,
                               .dx2 = NO_TENSOR };
}

/* Layers whose arithmetic, not memory traffic, sets their time; each opens a convolution group. */
static inline bool graph_is_compute_bound(enum layer_kind kind)
{
    return kind == LAYER_CONV || kind == LAYER_FC || kind == LAYER_CLASSIFIER || kind == LAYER_LINEAR ||
           kind == LAYER_ATTENTION;
}

/* The output tensor of layer l for this patch. */
static inline int32_t *graph_output(struct graph_builder *b, size_t l, int32_t patch)
{
    size_t n = (size_t)b->patches;

    return &b->outputs[l < b->nsplit ? l * n + (size_t)patch : b->nsplit * n + l - b->nsplit];
}

void graph_forward(struct graph_builder *b);
void graph_drop_norms(struct graph_builder *b); /* fills 'norms' */
void graph_backward(struct graph_builder *b);

/* FLOPs, bytes and workspace of an operation whose tensors are set; 'forward' is the twin of a layer's backward one. */
void graph_cost(struct graph_builder *b, struct operation *o, const struct operation *forward);

#endif
