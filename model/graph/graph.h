/* graph.h - one training step as a list of operations on tensors (Split-CNN, ASPLOS 2019, section 4.1): the forward
 * pass serialized, then its reverse.
 * Order      forward: the split layers patch by patch, each patch copied into the joined tensor when it is done, then
 *            the other layers; residual blocks in the model's order (path, shortcut, sum). Backward: the exact reverse,
 *            with a sum of errors where a tensor was read twice, and recomputed tensors right before their first use.
 * Tensors    an operation has named places for its tensors; an empty one is NO_TENSOR. A forward operation reads x (and
 *            x2: the shortcut, the branch that joins, an attention's memory) and writes y. A backward one reads dy and
 *            those of x, x2 and y that it needs, and writes dx (and dx2). Weights, tables, their gradients and integer
 *            inputs (of tokens and embeddings) are not tensors here. Layers before the first with weights have no
 *            backward operation, and what reads their output (or the images) writes no dx.
 * Sequences  tokens read no tensor. The error of an embedding's input is the first part of its dy. Backward, an
 *            attention recomputes queries, keys, values and probabilities in its workspace: graph_attention_bytes().
 * Loss       a softmax or sigmoid at the end has no dy: its backward operation starts from y (cross-entropy; a
 *            sigmoid's of each value). Any other last layer, and the end of a side, has the error of its output as dy:
 *            no operation writes that tensor, its producer is the first operation that reads it, and whoever runs the
 *            graph fills it.
 * Dropout    a ReLU that only a dropout reads uses the dropout's output as its y (STORED and ALGORITHM): where this is
 *            zero and y was not, the error is zero already. So the dropout can work in place.
 * Units      bytes (fp32) and FLOPs of the whole batch.
 * Ownership  graph_free() releases what graph_build() made. The model must outlive the graph. */
#ifndef NARROWS_MODEL_GRAPH_GRAPH_H
#define NARROWS_MODEL_GRAPH_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"
#include "model/split/patches.h"

/* What is kept from forward for backward. Four definitions of this "generated data" (Figure 1) are in use:
 *   STORED    what the arithmetic needs: inputs of convolutions, fully-connected layers, norms, max pools,
 *             interactions, attentions, products, GELU and SiLU, outputs of ReLU, softmax, sigmoid and tanh; ReLU and
 *             dropout in place
 *   ALGORITHM Algorithm 1 as printed: the input of every forward operation that no later operation overwrites, so also
 *             batch norms' outputs that a sum reads, though backward does not need them. It is kept until the backward
 *             operation of the one that read it
 *   CUDNN     the arguments of cuDNN's backward calls: ReLU and max pool need x and y, so no ReLU is in place
 *   OUTPUTS   the output of every operation, until the backward operation of the same layer
 * The input images are never counted. */
enum generated { GENERATED_STORED, GENERATED_ALGORITHM, GENERATED_CUDNN, GENERATED_OUTPUTS, GENERATED_KINDS };

const char *generated_name(enum generated g); /* "stored", "algorithm-1", "cudnn", "outputs" */

enum operation_kind {
    OPERATION_LAYER,  /* forward or backward of a layer, of one patch or of the whole */
    OPERATION_CUT,    /* forward: a patch y out of the input images x */
    OPERATION_JOIN,   /* forward: copy patch x to its position in the joined tensor y */
    OPERATION_UNJOIN, /* backward of JOIN: the patch's error dx out of the joined tensor's dy */
    OPERATION_SUM,    /* backward: error y = x + x2 of a tensor that two operations read */
    /* Backward: batch norm and ReLU once more, x (the norm's input) to y, with the statistics of the forward pass.
       'layer' is the batch norm; the layer of tensor y is the ReLU, or the norm if none follows. */
    OPERATION_RECOMPUTE,
};

enum { NO_TENSOR = -1, NO_PATCH = -1, NO_OPERATION = -1 };

struct operation {
    enum operation_kind kind;
    bool backward;
    /* Of the model. CUT: LAYER_NO_LAYER; JOIN, UNJOIN: the last split layer; SUM: the layer whose output's error it
       is. */
    int32_t layer;
    int32_t patch; /* row * columns + column, NO_PATCH: the whole */
    /* Convolution group: a convolution, fully-connected layer or attention with what follows it until the next one,
       numbered in forward order (what precedes the first one belongs to it). A backward operation is in the group of
       its forward twin, SUM in that of the operation before it, RECOMPUTE in that of the one after it. */
    int32_t group;
    int32_t twin; /* the backward operation of a forward one and the reverse; NO_OPERATION if there is none */
    int32_t x, x2, y, dy, dx, dx2;
    double flops;
    /* Traffic of the device's memory: every pass that reads or writes the tensors and the weights. For a sum's backward
       operation it is 0 until storage_assign() sets what it copies: nothing where the errors share memory. */
    double bytes;
    int64_t workspace_bytes; /* of convolutions and attentions, while they run */
    bool compute_bound;      /* convolutions, fully-connected layers, attentions: not a stream over memory */
};

/* INPUT: the images, and the patches cut out of them. */
enum tensor_role { TENSOR_INPUT, TENSOR_ACTIVATION, TENSOR_ERROR, TENSOR_RECOMPUTED };

struct tensor {
    enum tensor_role role;
    int32_t layer; /* whose output (or whose output's error) it is; LAYER_NO_LAYER: the input images */
    int32_t patch;
    struct shape shape; /* of one sample */
    int64_t bytes;      /* of the batch */
    int32_t producer;   /* the first operation that writes it; NO_OPERATION: the input images */
    int32_t again;      /* of a dropped one: the TENSOR_RECOMPUTED that backward reads instead; else NO_TENSOR */
    int32_t storage;    /* storage.h fills it */
};

struct graph_options {
    enum generated generated;
    /* A batch norm's output (after its ReLU, where one follows) that does not end a block's path is dropped and
       recomputed from the norm's input (section 6.3, after In-place ABN's checkpointing variant). With STORED and
       ALGORITHM only. */
    bool recompute_norm;
    double workspace_factor; /* workspace of a convolution = factor x (input + output bytes), both passes */
    int64_t workspace_limit; /* bytes, of a convolution; 0: none */
};

struct graph {
    const struct model *model;
    int64_t batch;
    enum generated generated;
    struct operation *operations;
    size_t noperations, nforward; /* forward ones come first */
    struct tensor *tensors;
    size_t ntensors;
    int64_t parameter_bytes;  /* weights, biases and tables, fp32, once */
    int64_t statistics_bytes; /* mean and deviation of every batch norm and patch, every layer norm and position */
    int32_t ngroups;
};

/* E_INVAL with "KEY: reason" (KEY: one of the options): recompute_norm with a definition that keeps what it drops; with
 * "split: reason": a split into too many operations. E_RANGE with "batch: reason" or "model: reason": tensors or
 * parameters of more than 2^62 bytes. E_NOMEM. */
int graph_build(const struct model *m, const struct split_net *split, int64_t batch,
                const struct graph_options *options, struct graph *out, char *why, size_t nwhy);
void graph_free(struct graph *g); /* accepts an all-zero one */

/* Workspace of an attention over the batch, in fp32: queries and context of its positions, keys and values of its
 * memory's positions, and the probabilities of each head; backward as much again for their errors. INT64_MAX if it is
 * too large. */
int64_t graph_attention_bytes(const struct layer *l, int64_t batch, bool backward);

/* "conv1_1", "conv1_1 backward", "block2.conv1 [1,0]", "cut [0,1]": into text[0..size). */
void graph_operation_name(const struct graph *g, const struct split_net *s, int32_t operation, char *text, size_t size);

/* The tensors that the operation reads, or writes; returns how many. */
enum { OPERATION_PLACES = 6 };
int operation_reads(const struct operation *o, int32_t tensors[OPERATION_PLACES]);
int operation_writes(const struct operation *o, int32_t tensors[OPERATION_PLACES]);

#endif
