/* exchange.h - exchanges parameters between a server and its workers, in this process or in several (carry.h). Every
 * byte that would cross a network is written and read by a real codec, with a state of its own for each worker and
 * tensor (3LC, arXiv 1802.07389, section 3).
 * Push       each worker compresses its gradient tensor by tensor. The server adds up what it decodes, worker by
 *            worker, and divides by the number of workers. Of a codec that is scattered (codec.h), the payloads are
 *            reduced to one, and what that decodes to is divided: so it is where each part of a tensor has an owner,
 *            who sends its sum through the codec once more, and since parts are cut between blocks, who owns which
 *            changes no bit. What owners send is not counted.
 * Pull       the server's change is compressed once and sent to all workers, so that all hold the same model (section
 *            3, "sharing compression"). Codecs without error feedback lose part of a change; the workers' model then
 *            differs from the server's, as in the papers' designs. A codec with 'pulls' (codec.h) updates the workers'
 *            model while it compresses, with the same bits as decoding. With 'pull_weights' the weights are sent, and
 *            the decoded weights are the workers' model (A2DTWP: host to GPU).
 * fp32       biases, scales and shifts of norms, and tensors of fewer than 'smallest' values are not compressed, in
 *            either direction ("we exclude small layers", section 5.1). Without a codec, nothing is; the model is then
 *            copied.
 * Threads    calls for different workers or tensors may run at the same time in one OpenMP team; their order does not
 *            change a bit.
 * Ownership  exchange_close() releases; the map must outlive it.
 * Errors     0 or E_NOMEM. */
#ifndef NARROWS_TRAIN_EXCHANGE_EXCHANGE_H
#define NARROWS_TRAIN_EXCHANGE_EXCHANGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/codec/codec.h"
#include "train/net/parameters.h"

/* One direction. A codec's parameter "seed" is set for each worker and tensor from exchange_options.seed. */
struct exchange_edge {
    const struct codec *codec; /* NULL: fp32 */
    struct codec_params params;
};

struct exchange_options {
    struct exchange_edge push, pull;
    bool pull_weights;
    int64_t smallest; /* values */
    int64_t workers;
    uint64_t seed;
    int threads; /* that may make calls at the same time; those of an OpenMP team always may */
    bool apart;  /* server and workers are in several processes: what is pulled is kept to be sent (carry.h) */
};

enum exchange_way { EXCHANGE_PUSH, EXCHANGE_PULL, EXCHANGE_WAYS };

/* What the last step sent of a tensor. */
struct tensor_traffic {
    int64_t bytes[EXCHANGE_WAYS]; /* payloads: pushed by all workers together; pulled by one of them */
    int64_t zeros[EXCHANGE_WAYS]; /* decoded values that are zero, counted in the same way; only with
                                     exchange.count_zeros */
    double threshold;             /* of worker 0's push, where the codec has one; else NaN */
};

struct exchange {
    const struct parameter_map *map;
    struct exchange_options options;
    struct tensor_traffic *traffic; /* [map.ntensors] */
    int *bytes_per_weight;          /* [map.ntensors] of a pull with codec "adt"; 0: the codec's parameter */
    bool count_zeros;
    uint8_t *states; /* of all codec contexts: nstates bytes, for a checkpoint */
    size_t nstates;
    size_t npayloads; /* bytes of all pushed payloads */
    struct exchange_private *own;
};

int exchange_open(const struct parameter_map *map, const struct exchange_options *options, struct exchange *out);
void exchange_close(struct exchange *x); /* accepts an all-zero one */

/* Calls turn(context, tensor) for each tensor, the largest first, on all threads; a turn may call what follows for
 * it. */
void exchange_each(struct exchange *x, void (*turn)(void *context, size_t tensor), void *context);

/* Arrays below hold all tensors, [ndense]; only the part of this tensor is used.
 * Pushes the worker's gradient. Where it goes through a codec, the caller may overwrite it afterwards. */
void exchange_push(struct exchange *x, size_t tensor, int64_t worker, const float *gradient);

/* Once all workers have pushed: writes the mean over gradients[0], the first worker's. */
void exchange_mean(struct exchange *x, size_t tensor, float *const gradients[]);

/* Updates the workers' model after 'change' turned the server's into 'now'. 'change' is read only if
 * exchange_pulls_change(). */
void exchange_pull(struct exchange *x, size_t tensor, const float *change, const float *now, float *model);
bool exchange_pulls_change(const struct exchange *x);

/* Does this tensor go through the codec of that edge? */
bool exchange_compresses(const struct exchange *x, enum exchange_way way, size_t tensor);

#endif
