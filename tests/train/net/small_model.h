/* small_model.h - a convolution, a batch norm and a fully-connected layer with biases: parameter tensors of each
 * sort. */
#ifndef NARROWS_TESTS_TRAIN_NET_SMALL_MODEL_H
#define NARROWS_TESTS_TRAIN_NET_SMALL_MODEL_H

#include "model/model.h"

struct model small_model(void); /* model_free() releases */

#endif
