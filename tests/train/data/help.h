/* help.h - a sample of any source of data in a test: memory for it, with guards behind, and a digest. */
#ifndef NARROWS_TESTS_TRAIN_DATA_HELP_H
#define NARROWS_TESTS_TRAIN_DATA_HELP_H

#include <stdint.h>

#include "train/data/source.h"

struct sample {
    int64_t nvalues, nids, nlabels;
    float *values;
    int32_t *ids, *labels;
};

struct sample sample_room(const struct data_source *s);
void sample_free(struct sample *sample);

/* Fails the test with the reason if the sample cannot be read, or if it wrote past its end. */
void sample_read(const struct data_source *s, enum data_set set, int64_t index, uint64_t augment, struct sample *to);

/* FNV-1a of all bits. */
uint64_t sample_digest(const struct sample *s);

#endif
