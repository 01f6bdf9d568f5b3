/* exchange.h - how parameters travel between a server and its workers, who all are in this process: every byte that would cross a network is
 * made by a real codec and read back by it, with a context of its own for each worker and tensor (3LC, arXiv 1802.07389, section 3).
 * Push       each worker's gradient, tensor by tensor, compressed with the worker's own context; the server adds up what comes out, worker
 *            by worker, and divides by their number.
 * Pull       what the server changed, compressed once and shared by all workers, who therefore all hold the same model (section 3,
 *            "sharing compression"). What the codec of a change loses and does not remember is lost: then the workers' model is not the
 *            server's, as in the paper's designs without error feedback. With 'pull_weights' the weights themselves travel, and a
 *            worker's model is what came out (A2DTWP: host to GPU).
 * As it is   biases, norms' scales and shifts, and tensors of fewer than 'smallest' values travel as fp32, in both directions ("we exclude
 *            small layers", section 5.1). Where the edge has no codec everything does: then the model is copied, not added up.
 * Bits       do not depend on the number of threads: these share out tensors.
 * Ownership  exchange_close() releases; the map must outlive it.
 * Errors     0 or EXCHANGE_ENOMEM. */
#ifndef NARROWS_TRAIN_EXCHANGE_EXCHANGE_H
#define NARROWS_TRAIN_EXCHANGE_EXCHANGE_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/codec/codec.h"
#include "train/net/parameters.h"

enum { EXCHANGE_ENOMEM = -3 };

/* One direction. A parameter called "seed" is replaced by one for each worker and tensor. */
struct exchange_edge {
    const struct codec *codec; /* NULL: fp32, as it is */
    struct codec_params params;
};

struct exchange_options {
    struct exchange_edge push, pull;
    _Bool pull_weights;
    int64_t smallest; /* values */
    int64_t workers;
    uint64_t seed;
};

enum exchange_way { EXCHANGE_PUSH, EXCHANGE_PULL, EXCHANGE_WAYS };

/* What the last step sent of a tensor. */
struct tensor_traffic {
    int64_t bytes[EXCHANGE_WAYS]; /* payloads: pushed by all workers together; pulled by one of them */
    int64_t
        zeros[EXCHANGE_WAYS]; /* values that came out as zero, likewise; counted where exchange.count_zeros is set */
    double threshold;         /* of worker 0's push, where the codec has one; else NaN */
};

struct exchange {
    const struct parameter_map *map;
    struct exchange_options options;
    struct tensor_traffic *traffic; /* [map.ntensors] */
    int *keep; /* [map.ntensors] bytes of each weight that a pull of codec "adt" sends; 0: as its parameter says */
    _Bool count_zeros;
    uint8_t *contexts; /* of all edges, for a checkpoint: contexts[0 .. ncontexts) */
    size_t ncontexts;
    struct exchange_private *own;
};

int exchange_open(const struct parameter_map *map, const struct exchange_options *options, struct exchange *out);
void exchange_close(struct exchange *x); /* accepts an all-zero one */

/* mean[0..ndense) from the gradients of all workers; gradients[w] are worker w's and are not changed. */
void exchange_push(struct exchange *x, const float *const gradients[], float *mean);

/* The workers' model, after the server's became 'now' by 'change'; that is not read where weights travel. */
void exchange_pull(struct exchange *x, const float *change, const float *now, float *model);

/* Does this tensor go through the codec of that edge? */
_Bool exchange_compresses(const struct exchange *x, enum exchange_way way, size_t tensor);

#endif
