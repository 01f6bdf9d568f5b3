/* help.h - for the tests of a trainer: networks, options and steps that fail the test where they cannot be had. */
#ifndef NARROWS_TESTS_TRAIN_TRAINER_HELP_H
#define NARROWS_TESTS_TRAIN_TRAINER_HELP_H

#include "tests/train/trainer/fixture_source.h"
#include "train/trainer/trainer.h"

enum { STEPS = 6 };

/* A network of PyTorch's fixture ("cnn"), or a shipped one ("transformer-small"). */
struct model model_of(const char *network);

/* A codec with its first two parameters. */
struct exchange_edge edge(const char *name, double p0, double p1);

/* Batches of 4, a falling rate, the best backend, one thread. */
struct trainer_options options(int64_t workers);

struct trainer *open_trainer(const struct trainer_options *o, const struct model *m, const struct data_source *data);
struct step_report step(struct trainer *t);

/* What a checkpoint has of the trainer under this name. */
void *section(struct trainer *t, const char *name, size_t *nbytes);

#endif
