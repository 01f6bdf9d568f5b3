/* context.h - the memory in which a net is run, one pass at a time: its tensors, the statistics of its norms, and the
 * batch.
 * Memory     is the backend's (a GPU's for CUDA). It grows to the largest net reserved and is released by
 *            context_close().
 * Threads    one per context; contexts of the same backend on the CPU may run at the same time.
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

/* A batch, in the caller's memory. */
struct batch {
    float *images;   /* [batch, channels, height, width] */
    int32_t *ids;    /* for each layer that takes any: [batch, layer_ids] */
    int32_t *labels; /* [batch, model_labels] */
};

/* Called before and after each operation, to read or change a tensor in the backend's memory. A result other than 0
 * ends the pass, and pass_run() returns it. Each function may be NULL; 'own' is passed to both. */
struct pass_hook {
    int (*before)(void *own, const struct operation *o, struct context *context);
    int (*after)(void *own, const struct operation *o, struct context *context);
    void *own;
};

struct pass {
    const struct net *net;
    const struct parameter_map *map;
    const float *dense, *tables; /* parameters, in the backend's memory */
    float *gradients;            /* of the dense parameters, added to; NULL for NET_INFER */
    uint64_t seed;               /* of dropouts */
    uint64_t step;
    /* Receives the errors of the embeddings' outputs, layer by layer: [batch, activations] each. NULL: not wanted. */
    float *row_errors;
    const struct pass_hook *hook; /* NULL: none */
};

int context_open(const struct ops_backend *backend, struct context *out);
void context_close(struct context *context); /* accepts an all-zero one */
int context_reserve(struct context *context, const struct net *n);

/* Copies the batch into the context. In NET_INFER norms read context->statistics, in the layout of net.h. */
int context_feed(struct context *context, const struct net *n, const struct batch *b);

/* Copies the integers of sample i, in the order of layers, to their places in ids[]. */
void batch_put_ids(const struct model *m, int64_t batch, int64_t i, const int32_t *sample, int32_t *ids);

/* Runs all operations of the net. Afterwards *context->loss is the loss of a NET_TRAIN. */
int pass_run(const struct pass *p, struct context *context);

/* A tensor of the net in the context's memory; NULL for NO_TENSOR. */
float *context_tensor(const struct context *context, const struct net *n, int32_t tensor);

/* Copies between the backend's memory and the caller's. */
int context_upload(struct context *context, void *to, const void *from, size_t nbytes);
int context_download(struct context *context, void *to, const void *from, size_t nbytes);

#endif
