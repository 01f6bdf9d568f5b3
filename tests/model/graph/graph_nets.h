/* graph_nets.h - networks for the tests of memory planning: the paper's, and random ones. */
#ifndef NARROWS_TESTS_MODEL_GRAPH_NETS_H
#define NARROWS_TESTS_MODEL_GRAPH_NETS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

struct model nets_vgg_19(void); /* 224 x 224, dropout and softmax at its end */

/* ResNets as torchvision has them (v1.5: the 3x3 convolution of a bottleneck strides), with a softmax at the end. */
struct model nets_resnet(int64_t depth); /* 18, 50, 152 */

/* A network of random layers and blocks, nested ones too; true if it can be inferred. */
bool nets_random(uint64_t *state, struct model *out);
bool nets_random_branches(uint64_t *state, struct model *out);  /* ... and channels joined */
bool nets_random_sequences(uint64_t *state, struct model *out); /* one or two of them, of tokens or of values */

/* 3 tables of vectors of 4, behind a layer with weights or as the first layer; a sigmoid at the end. */
struct model nets_recommender(bool dense);

#endif
