/* net.h - a network prepared for a batch: the operations of one step, the storages of their tensors, and the offset of
 * each in a pool.
 * Plan       the memory planner's for this batch, with nothing offloaded. ReLU, dropout and sums work in place; what
 *            backward does not need is not kept ("stored", model/graph/graph.h).
 * Purpose    TRAIN: forward and backward. INFER: forward alone; a tensor lives until its last reader.
 * Statistics  of a batch norm: mean, then inverse deviation of each channel, patch by patch. Of a layer norm: the means
 *             of all positions of the batch, then their inverse deviations.
 * Units      bytes for places in the pool, floats for statistics.
 * Ownership  net_free() releases; model and parameters must outlive it. */
#ifndef NARROWS_TRAIN_NET_NET_H
#define NARROWS_TRAIN_NET_NET_H

#include <stddef.h>
#include <stdint.h>

#include "model/graph/graph.h"
#include "model/split/patches.h"
#include "train/ops/ops.h"

enum net_purpose { NET_TRAIN, NET_INFER };

struct net {
    const struct model *model;
    enum net_purpose purpose;
    int64_t batch;
    struct split_net split;
    struct graph graph;
    size_t noperations;     /* how many are run: all, or those of forward */
    int64_t *tensor_at;     /* [graph.ntensors] in the pool */
    int64_t *workspace_at;  /* [noperations]; -1: none */
    int64_t *statistics_at; /* [model.nlayers] */
    int64_t nstatistics;
    int64_t *ids_at, *row_errors_at; /* [model.nlayers] places of a batch's integers, and of the errors of embeddings'
                                        outputs */
    int64_t pool_bytes;
    int64_t kept_bytes; /* largest sum of bytes alive at one operation: no pool could be smaller */
};

/* Whether all layers have operations: E_OK, or E_INVAL with "model.layers: reason" in why[]: layers that cannot be
 * trained, a network that does not end in one softmax or sigmoid. */
int net_check(const struct model *m, char *why, size_t nwhy);

/* 'backend' gives the workspace of convolutions. 0 or a negative status (model/status.h) with the reason in why[];
 * E_INVAL with "KEY: reason": as net_check(), an impossible split (split.KEY). */
int net_make(const struct model *m, enum net_purpose purpose, int64_t batch, const struct split_spec *split,
             const struct ops_backend *backend, struct ops *handle, struct net *out, char *why, size_t nwhy);
void net_free(struct net *n); /* accepts an all-zero one */

/* The first and the last tensor: the input images, the network's output. */
int32_t net_images(const struct net *n);
int32_t net_output(const struct net *n);

/* How many patches a layer has: each has its own statistics. */
int64_t net_patches(const struct net *n, size_t layer);

#endif
