/* network.h - the networks that are timed, as scenarios of the program's own, and one of them made ready to be trained.
 * Ownership  network_close() releases; a trainer of it must be closed before.
 * Errors     harness status; the message has been printed. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_NETWORK_H
#define NARROWS_HARNESS_BENCH_TRAIN_NETWORK_H

#include <stdbool.h>

#include "harness/bench/train/prepared.h"
#include "harness/scenario/scenario.h"
#include "harness/training/options.h"

struct network_text {
    const char *scenario;
    const char *model; /* in scenarios/models, what the scenario calls model.yaml; NULL: it has its own */
    bool random;       /* there is no generator of its samples: they are drawn by chance */
};

enum { NETWORK_PARTS = 2 };

/* What takes a step as one: parts that have nothing to do with each other. A peer knows it by its name. */
struct network_kind {
    const char *name;
    struct network_text parts[NETWORK_PARTS];
    size_t nparts;
};

extern const struct network_kind train_resnet_20, train_dlrm_mlps, train_dlrm;

struct network {
    struct scenario_file *file;
    struct point point;
    struct model model;
    struct training_options options;
    struct data_source *made;          /* the generator; NULL: random */
    struct prepared prepared;          /* what it made, unless it is to make samples as they are needed */
    const struct data_source *samples; /* those that are trained on: either's */
};

/* 'sets': "training.workers=4" and the like. */
int network_open(const struct network_text *text, const char *const *sets, size_t nsets, int threads, bool as_needed,
                 struct network *out);
void network_close(struct network *n); /* accepts an all-zero one */

#endif
