/* help.h - for the tests of layers' operations: every usable backend in turn, tensors that notice a write past
 * their end, and the shapes that are tried. Tensors can be read and written by both sides, on a GPU's backend too. */
#ifndef NARROWS_TESTS_TRAIN_OPS_HELP_H
#define NARROWS_TESTS_TRAIN_OPS_HELP_H

#include <stdio.h>

#include "tests/test.h"
#include "train/ops/ops.h"

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

/* Each value is as expected, but for the tolerance. */
void expect(struct bench *t, const char *why, const float *got, const float *want, size_t n, double tolerance);
/* 'n' values of a literal, where the backend can read them; and the same of integers, which ids_of() reads. */
struct tensor given(const struct bench *t, const float *values, size_t n);
struct tensor given_ids(const struct bench *t, const int32_t *values, size_t n);
const int32_t *ids_of(const struct tensor *x);

#define GIVEN(t, ...) given(t, (const float[]){ __VA_ARGS__ }, COUNT(((const float[]){ __VA_ARGS__ })))
#define EXPECT(t, why, x, tolerance, ...) \
    expect(t, why, (x).v, (const float[]){ __VA_ARGS__ }, COUNT(((const float[]){ __VA_ARGS__ })), tolerance)
#define GIVEN_IDS(t, ...) given_ids(t, (const int32_t[]){ __VA_ARGS__ }, COUNT(((const int32_t[]){ __VA_ARGS__ })))

/* each_name(): a test that calls name() with every backend. */
#define EACH(name)                        \
    static void each_##name(void **state) \
    {                                     \
        (void)state;                      \
        each_backend(name);               \
    }

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
