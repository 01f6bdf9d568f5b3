/* private.h - the contexts of an exchange, for each tensor of each worker's push and of the pull, and scratch
 * memory. */
#ifndef NARROWS_TRAIN_EXCHANGE_PRIVATE_H
#define NARROWS_TRAIN_EXCHANGE_PRIVATE_H

#include <stdbool.h>

#include "train/exchange/exchange.h"

/* What the receiver found in one payload, and the codec's threshold, NaN if it has none. */
struct arrival {
    int64_t bytes, zeros;
    double threshold;
};

/* A context: one tensor of one worker's push, or of the pull. */
struct codec_context {
    const struct codec *codec; /* NULL: fp32 */
    const struct codec_impl *impl;
    struct codec_params params;
    size_t state;        /* offset among the contexts */
    size_t payload;      /* of a push: offset in 'payloads'; of a pull, in 'pulled' */
    size_t most;         /* bytes of a payload there */
    struct arrival sent; /* in this step */
};

/* Of one thread. */
struct scratch {
    uint8_t *payload, *work;
    float *values;
};

struct exchange_private {
    struct codec_context *push, *pull; /* [tensor * workers + worker], [tensor] */
    size_t *order;                     /* [tensor] the largest first */
    uint8_t *states;                   /* the memory of exchange.states */
    uint8_t *payloads;                 /* pushed and not yet received */
    uint8_t *pulled;                   /* the newest pull; NULL: not kept */
    struct scratch *scratch;
    int nscratch;
    uint8_t *memory; /* of all scratch */
};

/* Do pulls use codec.pulls, whose only state is the workers' model? */
bool exchange_pulls_in_one_go(const struct exchange *x);

/* Decode what 'pulled' has of this tensor into the workers' model of it, as the server did. */
void exchange_pull_arrived(struct exchange *x, size_t tensor, float *model);

#endif
