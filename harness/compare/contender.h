/* contender.h - the codecs that are compared, each with one setting of its parameters.
 * Names      as a person may write them: "3lc:s=1.75", "fp16".
 * Ownership  contenders_free() releases; codecs and rows are static.
 * Errors     NW_EINPUT with a line on 'err', NW_ENOMEM. */
#ifndef NARROWS_HARNESS_COMPARE_CONTENDER_H
#define NARROWS_HARNESS_COMPARE_CONTENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "kernels/codec/codec.h"

struct tensor; /* of harness/tensor/tensors.h; the simulator has one of its own */

struct contender {
    char *name;
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params params;
    bool shaped; /* its matrix is that of each tensor: contender_params() */
};

struct contenders {
    struct contender *list;
    size_t n;
};

/* Those of names[0..n), or, for n = 0, every codec of the table: with its presets, or, where a single setting would say
 * little, with a few. 'impl': the implementation, NULL: the best. */
int contenders_choose(struct contenders *c, const char *const *names, size_t n, const char *impl, FILE *err);
void contenders_free(struct contenders *c); /* accepts an all-zero one */

/* The parameters for one tensor. powersgd's columns, unless they were given, are the values of one output: those of a
 * tensor divided by its first dimension, as PyTorch's hook takes them. A vector is one row, and is sent as it is. */
struct codec_params contender_params(const struct contender *c, const struct tensor *t);

#endif
