/* prepared.h - samples that were there before anything is timed: in memory for narrows, in a file for a peer, the
 * same for both.
 * Source     prepared.source gives them as any source does, by copying; a test sample is the training sample of that
 *            number.
 * File       values of all samples [n, values] (fp32), then ids [n, ids] and labels [n, labels] (int32), in this
 *            machine's order of bytes.
 * Ownership  prepared_free() releases; what they were made from need not outlive them.
 * Errors     NW_ENOMEM; NW_ESIM with the source's reason in why[]; NW_EIO. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_PREPARED_H
#define NARROWS_HARNESS_BENCH_TRAIN_PREPARED_H

#include <stdio.h>

#include "model/model.h"
#include "train/data/source.h"

struct prepared {
    struct data_source source;
    float *values;
    int32_t *ids, *labels;
};

/* All training samples of 'from', as they are. */
int prepared_make(const struct data_source *from, struct prepared *out, char *why, size_t nwhy);
void prepared_free(struct prepared *p); /* accepts an all-zero one */

int prepared_write(const struct prepared *p, FILE *f);

/* What no generator makes: for a model without tables 'samples' of values in [-1, 1) and labels of any class, by
 * chance. */
void random_source(const struct model *m, int64_t samples, struct data_source *out);

#endif
