/* order.h - which samples each worker takes in each step.
 * Epoch      all samples, in an order drawn from (seed, epoch) or in that of the data (a log in the order of time).
 *            Worker w of W takes positions w, w + W, ...: its own shard, another one in each epoch. A step takes
 *            workers x batch samples; what is left at the end of an epoch and not enough for a step is skipped, so that
 *            a sample counts at most once an epoch.
 * Pure       the same seed gives the same order, for batches in any sequence. Going to another epoch takes a pass over
 *            the samples.
 * Errors     0 or E_NOMEM. */
#ifndef NARROWS_TRAIN_DATA_ORDER_H
#define NARROWS_TRAIN_DATA_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct order {
    uint64_t seed;
    bool shuffled;
    int64_t samples, workers, batch;
    int64_t epoch;    /* the epoch of 'places'; -1: none */
    uint32_t *places; /* NULL: in the order of the data */
};

/* 'samples' of them, at least workers x batch and below 2^32. */
int order_open(bool shuffled, uint64_t seed, int64_t samples, int64_t workers, int64_t batch, struct order *out);
void order_close(struct order *o); /* accepts an all-zero one */

int64_t order_steps(const struct order *o); /* in an epoch */

/* Writes the samples of 'worker' in this step, counted from the start of training, to index[0..batch). Returns the
 * epoch. */
int64_t order_batch(struct order *o, int64_t step, int64_t worker, int64_t *index);

#endif
