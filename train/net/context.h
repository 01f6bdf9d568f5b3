/* lane.h - memory in which a net is run, one pass at a time: the pool of its tensors, its norms' statistics, the batch.
 * Memory     is the backend's (a GPU's for CUDA). It grows to the largest net that it has been reserved for and is never given
 *            back before lane_close().
 * Threads    one per lane; lanes of one host backend may run side by side.
 * Errors     0, or E_FAILED with the reason in lane->why. */
#ifndef NARROWS_TRAIN_NET_LANE_H
#define NARROWS_TRAIN_NET_LANE_H

#include <stddef.h>
#include <stdint.h>

#include "train/net/net.h"
#include "train/net/parameters.h"

struct lane {
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
    int (*before)(void *context, const struct operation *o, struct lane *lane);
    int (*after)(void *context, const struct operation *o, struct lane *lane);
    void *context;
};

struct pass {
    const struct net *net;
    const struct parameter_map *map;
    const float *dense, *tables; /* parameters, in the backend's memory */
    float *gradients;            /* of the dense ones, added to; NULL for NET_INFER */
    uint64_t seed;               /* of dropouts */
    uint64_t step;
    float *
        row_errors; /* receives the errors of what embeddings put out, layer by layer [batch, activations]; NULL: none wanted */
    const struct pass_hook *hook; /* NULL: none */
};

int lane_open(const struct ops_backend *backend, struct lane *out);
void lane_close(struct lane *l); /* accepts an all-zero one */
int lane_reserve(struct lane *l, const struct net *n);

/* The batch into the lane's memory. For NET_INFER norms take their statistics from lane->statistics, laid out as net.h says. */
int lane_feed(struct lane *l, const struct net *n, const struct batch *b);

/* The integers of sample i, in the order of layers, to their places in a batch. */
void batch_put_ids(const struct model *m, int64_t batch, int64_t i, const int32_t *sample, int32_t *ids);

/* All operations of the net. The loss of a NET_TRAIN is then *lane->loss. */
int pass_run(const struct pass *p, struct lane *lane);

/* Where a tensor of the net lies. */
float *lane_tensor(const struct lane *l, const struct net *n, int32_t tensor);

/* Copies between the backend's memory and the caller's. */
int lane_upload(struct lane *l, void *to, const void *from, size_t nbytes);
int lane_download(struct lane *l, void *to, const void *from, size_t nbytes);

#endif
