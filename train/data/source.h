/* source.h - where samples come from: one interface for generators and for files that people have.
 * Shapes     a sample is 'values' floats [channels, height, width], then 'ids' integers (rows of embedding tables, tokens: in the
 *            order in which the network's layers take them), and 'labels' integers, each in 0 .. classes-1 or LABEL_NONE.
 * Pure       sample(set, index, augment) is a function of its arguments: the same bits in any order, on any thread.
 * Augment    0: the sample as it is. Else the seed of a random variation of it (a shifted crop, a mirror image), where the source
 *            has any and was opened with it; one seed varies each sample in its own way. Test samples are never varied.
 * Threads    after it is open a source may be read from many threads at once.
 * Errors     sample() returns 0, or E_DATA with the reason in why[] ("FILE: offset N: what was expected, what came"). */
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
