/* lane.h - memory in which a net is run, one pass at a time: the pool of its tensors, its norms' statistics, the batch.
 * Memory     is the backend's (a GPU's for CUDA). It grows to the largest net that it has been reserved for and is never given
 *            back before context_close().
 * Threads    one per context; lanes of one host backend may run side by side.
 * Errors     0, or E_FAILED with the reason in context->why. */
#ifndef NARROWS_TRAIN_NET_CONTEXT_H
#define NARROWS_TRAIN_NET_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "train/net/net.h"
#include "train/net/parameters.h"

struct context {
    const struct ops_backend *backend;
    struct ops *handle;
    char *pool;
    float *statistics;
    int32_t *labels, *ids;
    float *loss;
    size_t npool, nstatistics, nlabels, nids; /* bytes */
    char why[256];
};

/* What a batch brings, in the caller's own memory. */
struct batch {
    float *images;   /* [batch, channels, height, width] */
    int32_t *ids;    /* layer by layer that takes any: [batch, layer_ids] */
    int32_t *labels; /* [batch, model_labels] */
};

/* Is told of each operation, before and after it: to look at a tensor, or to change it. The tensors are in the backend's memory. Answers 0,
 * or what pass_run() shall answer. */
struct pass_hook {
    int (*before)(void *own, const struct operation *o, struct context *context);
    int (*after)(void *own, const struct operation *o, struct context *context);
    void *own;
};

struct pass {
    const struct net *net;
    const struct parameter_map *map;
    const float *dense, *tables; /* parameters, in the backend's memory */
    float *gradients;            /* of the dense ones, added to; NULL for NET_INFER */
    uint64_t seed;               /* of dropouts */
    uint64_t step;
    /* Receives the errors of the embeddings' outputs, layer by layer: [batch, activations] each. NULL: not wanted. */
    float *row_errors;
    const struct pass_hook *hook; /* NULL: none */
};

int context_open(const struct ops_backend *backend, struct context *out);
void context_close(struct context *context); /* accepts an all-zero one */
int context_reserve(struct context *context, const struct net *n);

/* The batch into the lane's memory. For NET_INFER norms take their statistics from context->statistics, laid out as net.h says. */
int context_feed(struct context *context, const struct net *n, const struct batch *b);

/* The integers of sample i, in the order of layers, to their places in a batch. */
void batch_put_ids(const struct model *m, int64_t batch, int64_t i, const int32_t *sample, int32_t *ids);

/* All operations of the net. The loss of a NET_TRAIN is then *context->loss. */
int pass_run(const struct pass *p, struct context *context);

/* Where a tensor of the net lies. */
float *context_tensor(const struct context *context, const struct net *n, int32_t tensor);

/* Copies between the backend's memory and the caller's. */
int context_upload(struct context *context, void *to, const void *from, size_t nbytes);
int context_download(struct context *context, void *to, const void *from, size_t nbytes);

#endif
