/* difference.h - the gradient of an operation, on every backend, against central differences of its own forward: of
 * L = sum r y with r drawn, at four points, summed in double. */
#ifndef NARROWS_TESTS_TRAIN_OPS_DIFFERENCE_H
#define NARROWS_TESTS_TRAIN_OPS_DIFFERENCE_H

#include "tests/train/ops/help.h"

enum { MOST_INPUTS = 5 };

/* forward: in[] to y. backward: the gradients of in[] from dy; 'y' is forward's. */
struct operation {
    const char *name;
    int (*forward)(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y);
    int (*backward)(struct bench *t, const struct operation *op, struct tensor *in, struct tensor *y, struct tensor *dy,
                    struct tensor *gradient);
    size_t (*sizes)(const struct operation *op, size_t nin[MOST_INPUTS]); /* of the inputs, 0: none; returns y's */
    unsigned added; /* bit i: gradient i is added to what is there */
    enum { SMOOTH, NOT_ZERO, APART } inputs;
    float step;
    const void *shape;   /* of operations that know no windows */
    struct conv_row row; /* also: batch and channels of images, in and out of a fully-connected layer */
};

/* On every backend, with one thread: there are many small calls. */
void check_operations(const struct operation *operations, size_t n);

#endif
