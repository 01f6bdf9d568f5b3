/* exchange.h - how parameters travel between a server and its workers, who all are in this process: every byte that would cross a network is
 * made by a real codec and read back by it, with a context of its own for each worker and tensor (3LC, arXiv 1802.07389, section 3).
 * Push       each worker's gradient, tensor by tensor, compressed with the worker's own context; the server adds up what comes out, worker
 *            by worker, and divides by their number.
 * Pull       what the server changed, compressed once and shared by all workers, who therefore all hold the same model (section 3,
 *            "sharing compression"). What the codec of a change loses and does not remember is lost: then the workers' model is not the
 *            server's, as in the paper's designs without error feedback. A codec that compresses model pulls in one go (codec.h, 'pulls')
 *            brings what the workers hold up to date as it compresses, to the bits that they would decode: that is not done again. With
 *            'pull_weights' the weights themselves travel, and a worker's model is what came out (A2DTWP: host to GPU).
 * As it is   biases, norms' scales and shifts, and tensors of fewer than 'smallest' values travel as fp32, in both directions ("we exclude
 *            small layers", section 5.1). Where the edge has no codec everything does: then the model is copied, not added up.
 * Threads    Calls may be made for different workers or tensors at a time, by the threads of one OpenMP team. The bits do not depend on
 *            who calls when.
 * Ownership  exchange_close() releases; the map must outlive it.
 * Errors     0 or E_NOMEM. */
#ifndef NARROWS_TRAIN_EXCHANGE_EXCHANGE_H
#define NARROWS_TRAIN_EXCHANGE_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/codec/codec.h"
#include "train/net/parameters.h"

/* One direction. A parameter called "seed" is replaced by one for each worker and tensor. */
struct exchange_edge {
    const struct codec *codec; /* NULL: fp32, as it is */
    struct codec_params params;
};

struct exchange_options {
    struct exchange_edge push, pull;
    bool pull_weights;
    int64_t smallest; /* values */
    int64_t workers;
    uint64_t seed;
    int threads; /* that may call at a time; as many as OpenMP's teams have may in any case */
};

enum exchange_way { EXCHANGE_PUSH, EXCHANGE_PULL, EXCHANGE_WAYS };

/* What the last step sent of a tensor. */
struct tensor_traffic {
    int64_t bytes[EXCHANGE_WAYS]; /* payloads: pushed by all workers together; pulled by one of them */
    int64_t zeros[EXCHANGE_WAYS]; /* values that came out as zero, the same way; only with exchange.count_zeros */
    double threshold;             /* of worker 0's push, where the codec has one; else NaN */
};

struct exchange {
    const struct parameter_map *map;
    struct exchange_options options;
    struct tensor_traffic *traffic; /* [map.ntensors] */
    int *bytes_per_weight;          /* [map.ntensors] of a pull with codec "adt"; 0: as the codec's parameter says */
    bool count_zeros;
    uint8_t *states; /* of all codec contexts: nstates bytes, for a checkpoint */
    size_t nstates;
    size_t npayloads; /* bytes for what is on its way to the server */
    struct exchange_private *own;
};

int exchange_open(const struct parameter_map *map, const struct exchange_options *options, struct exchange *out);
void exchange_close(struct exchange *x); /* accepts an all-zero one */

/* Calls turn(context, tensor) for each tensor, the largest first, on all threads. A turn may do all that follows of its tensor. */
void exchange_each(struct exchange *x, void (*turn)(void *context, size_t tensor), void *context);

/* Arrays that follow are of all tensors, [ndense], and only this one's part of them is looked at.
 * The worker's gradient is on its way. A tensor that goes through a codec may be forgotten then. */
void exchange_push(struct exchange *x, size_t tensor, int64_t worker, const float *gradient);

/* When all workers have pushed it: the mean, in the place of the first one's gradient; gradients[w] are worker w's. */
void exchange_mean(struct exchange *x, size_t tensor, float *const gradients[]);

/* The workers' model, after the server's became 'now' by 'change'; that is read only where exchange_pulls_change(). */
void exchange_pull(struct exchange *x, size_t tensor, const float *change, const float *now, float *model);
bool exchange_pulls_change(const struct exchange *x);

/* Does this tensor go through the codec of that edge? */
bool exchange_compresses(const struct exchange *x, enum exchange_way way, size_t tensor);

#endif
