/* source.h - a source of samples: one interface for generators and for files.
 * Sample     'values' floats [channels, height, width]; 'ids' integers (rows of embedding tables, or tokens, in the
 *            order in which the network's layers take them); 'labels' integers, each in 0 .. classes-1 or LABEL_NONE.
 * Pure       sample(set, index, augment) depends only on its arguments: the same bits in any order, on any thread.
 * Augment    0: the sample unchanged. Otherwise the seed of a random variation (a shifted crop, a mirror image), if the
 *            source was opened with any. Test samples are never varied.
 * Threads    many threads may read an open source at the same time.
 * Errors     sample() returns 0, or E_DATA with the reason in why[] ("FILE: offset N: expected X, got Y"). */
#ifndef NARROWS_TRAIN_DATA_SOURCE_H
#define NARROWS_TRAIN_DATA_SOURCE_H

#include <stddef.h>
#include <stdint.h>

enum { LABEL_NONE = -1 };

enum data_set { DATA_TRAIN, DATA_TEST, DATA_SETS };

struct data_shape {
    int64_t channels, height, width;
    int64_t ids;     /* per sample */
    int64_t labels;  /* per sample: 1 for an image, one for each position of a sentence */
    int64_t classes; /* 2 for clicked or not */
};

struct data_source {
    const char *name; /* "images", "cifar10" */
    struct data_shape shape;
    int64_t count[DATA_SETS]; /* samples */
    int (*sample)(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, float *values,
                  int32_t *ids, int32_t *labels, char *why, size_t nwhy);
    void (*close)(struct data_source *s); /* frees the source itself too */
    void *own;
};

#endif
