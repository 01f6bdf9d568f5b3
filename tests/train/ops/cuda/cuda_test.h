/* cuda_test.h - what the parts of ops_cuda_test share: the backend "cuda" and the reference, and trials on both. */
#ifndef NARROWS_TESTS_TRAIN_OPS_CUDA_CUDA_TEST_H
#define NARROWS_TESTS_TRAIN_OPS_CUDA_CUDA_TEST_H

#include "tests/train/ops/cuda/trial.h"

extern struct ops *on_device, *on_host;

/* Shapes for 'conv', without the outputs, which complete() adds; false: there are none. */
extern const struct conv_shape shapes[];
bool complete(struct trial *t);

int64_t draw(int64_t low, int64_t high); /* random, low to high */

bool is(const struct operation *op, const char *start);

/* Compares all operations whose names begin with 'start'. */
void try_all(const struct trial *t, const char *start);

/* How many failed: long lines of values, values far from zero or from each other, labels and losses that are none. */
int value_tests(void);

#endif
