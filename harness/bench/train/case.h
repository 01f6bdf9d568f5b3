/* case.h - two ways to train a network, timed in turn, and what came of it. For harness/bench/train.
 * Turns      a repetition is a turn of either side, first one then the other and the next time the other way round;
 *            both take as many steps. What is compared are the two turns of a repetition: what else the machine does
 *            at the time hits both. */
#ifndef NARROWS_HARNESS_BENCH_TRAIN_CASE_H
#define NARROWS_HARNESS_BENCH_TRAIN_CASE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "harness/bench/train/network.h"

enum { TRAIN_MAX_REPS = 1000, TRAIN_WAY_SETS = 3 };

/* How narrows trains besides the plain way, which is fp32 without traces on samples that are there. */
struct train_way {
    const char *name;
    const char *sets[TRAIN_WAY_SETS];
    bool as_needed; /* samples are made while training */
};

struct train_case {
    const char *name;
    const struct network_kind *kind;
    int64_t workers;
    const struct train_way *way; /* compared with the plain way; NULL: the plain way is, with a peer */
};

extern const struct train_case train_cases[]; /* ends with a name that is NULL */

/* One side of a case: all its turns. */
struct train_series {
    char program[64]; /* "narrows", "PyTorch 1.13.0"; of a cost "plain" or the way's name; "": this side is missing */
    int64_t elapsed_ns[TRAIN_MAX_REPS];
};

/* 'first' is compared with 'second': narrows with the peer, the way with the plain one. */
struct train_timed {
    const struct train_case *c;
    int threads, reps;
    int64_t samples, steps; /* of a step; of a turn */
    struct train_series first, second;
};

double train_samples_per_s(const struct train_timed *t, const struct train_series *s); /* by the median turn */

/* Medians and quartiles over the repetitions. */
struct train_ratio {
    double median, low, high;
};
struct train_ratio
train_speed(const struct train_timed *t); /* of the first to the second: above 1 the first is faster */
struct train_ratio train_extra_pct(const struct train_timed *t); /* time of the first beyond the second's */

void train_print_head(const struct train_case *c, const char *peer, FILE *out);
void train_print_line(const struct train_timed *t, FILE *out);

#endif
