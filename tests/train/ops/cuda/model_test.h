/* model_test.h - a part of ops_cuda_test. */
#ifndef NARROWS_TESTS_TRAIN_OPS_CUDA_MODEL_TEST_H
#define NARROWS_TESTS_TRAIN_OPS_CUDA_MODEL_TEST_H

#include "tests/train/ops/cuda/trial.h"

/* How many failed, of the backend "cuda" against the reference. */
int model_tests(struct ops *on_device, struct ops *on_host);

#endif
