/* fixture_source.h - samples and parameters by the hash that tests/train/trainer/pytorch/make_fixture.py has too. Batch
 * 'step' of training is samples step * batch and on, in their order. */
#ifndef NARROWS_TESTS_TRAIN_FIXTURE_SOURCE_H
#define NARROWS_TESTS_TRAIN_FIXTURE_SOURCE_H

#include "model/model.h"
#include "train/data/source.h"
#include "train/net/parameters.h"

enum { FIXTURE_BATCH = 8, FIXTURE_STEPS = 10 };

uint32_t fixture_word(uint32_t stream, uint32_t i);
float fixture_number(uint32_t stream, uint32_t i); /* uniform in [-1, 1) */

/* Samples that suit the model; valid as long as the model. */
struct data_source fixture_source(const struct model *m);

/* The parameters that PyTorch's script begins with. */
void fixture_parameters(const struct parameter_map *p, const struct model *m, float *dense, float *tables);

/* Norms of PyTorch's parameters, in its order: a batch or layer norm's scales are one, its shifts another. Returns how
 * many. */
int fixture_norms(const struct parameter_map *p, const struct model *m, const float *dense, const float *tables,
                  double *norms, int most);

#endif
