/* ops_help.h - for the tests of layers' operations: every usable backend in turn, tensors that notice a write past their end, and the
 * shapes that are tried. Tensors can be read and written by both sides, on a GPU's backend too. */
#ifndef NARROWS_TESTS_TRAIN_OPS_HELP_H
#define NARROWS_TESTS_TRAIN_OPS_HELP_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "train/ops/ops.h"

#define COUNT(a) (sizeof(a) / sizeof(*(a)))

struct bench {
    const struct ops_backend *b;
    struct ops *o;
    const void *with;
};

/* Opens each usable backend and calls fn. */
void each_backend(void (*fn)(struct bench *t));
void each_backend_with(void (*fn)(struct bench *t), const void *with);
/* After a call: it worked, it is done, and the caller has as many threads as before. */
void worked(struct bench *t, int rc, const char *what);
void threads(int n);

struct tensor {
    float *v;
    size_t n;
    int on_device;
};

/* Values in (-1, 1) drawn from the seed; with seed 0 all are -777, to be overwritten. */
struct tensor tensor(const struct bench *t, size_t n, uint64_t seed);
/* No value at the end was changed; frees it. */
void tensor_done(struct tensor *x);
void tensor_fill(struct tensor *x, uint64_t seed);
void tensor_copy(struct tensor *to, const struct tensor *from);
/* The index of the first value that differs in its bits, or -1. */
int64_t first_difference(const struct tensor *a, const struct tensor *b);

/* Batch, channels in and out, image, kernel, stride, paddings; the outputs follow. */
struct conv_row {
    const char *why;
    int64_t batch, in, out, height, width, kernel, stride, top, bottom, left, right;
};
struct conv_shape shape_of(const struct conv_row *row);
size_t nimage(const struct conv_shape *s);
size_t nweights(const struct conv_shape *s);
size_t noutput(const struct conv_shape *s);

#endif
