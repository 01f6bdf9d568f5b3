/* training.h - the section 'training' of a scenario: the model is really trained, on one machine, by workers that take
 * turns and exchange the bytes that they would send over a network. schema/training.c documents each key.
 * Units      samples; steps, in each of which every worker computes one batch; shares 0 .. 1. Times of the learning
 *            rate, of evaluations and so on are counted in steps; the first step is number 0.
 * Text       as written, checked when read: codecs as on the command line ("3lc:s=1.75"), shares, names.
 * Zero       where noted: not given, or taken from the model or the files.
 * Ownership  texts live as long as the scenario file. */
#ifndef NARROWS_HARNESS_SCENARIO_TRAINING_H
#define NARROWS_HARNESS_SCENARIO_TRAINING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/split/patches.h"
#include "train/policy/dynamic_precision.h"

/* The first three are synthetic, the others are read from 'path'. */
enum training_data_kind {
    TRAINING_IMAGES,
    TRAINING_CLICKS,
    TRAINING_TRANSLATION,
    TRAINING_CIFAR10,
    TRAINING_IDX,
    TRAINING_CRITEO,
    TRAINING_JPEG,
    TRAINING_IWSLT,
    TRAINING_DATA_KINDS,
};

struct training_data {
    enum training_data_kind kind;
    const char *path;   /* "" for synthetic data */
    const char *digest; /* stamp.h: differs if the data at 'path' changes */
    int64_t seed;
    int64_t train, test; /* samples; 0: all in the files, or the usual number of that kind of synthetic data */
    int64_t classes, channels, height, width, dense; /* 0: as the model's */
    int64_t tables, rows;                            /* 0: as the model's, all tables together */
    int64_t positions, vocabulary;                   /* 0: as the model's */
    double difficulty, base_rate, noise;
    bool crop, mirror;
};

enum training_backend {
    TRAINING_BEST,
    TRAINING_REFERENCE,
    TRAINING_GEMM,
    TRAINING_DNNL,
    TRAINING_CUDA,
    TRAINING_BACKENDS,
};

/* Precision of multiply-adds: fp32; bf16 products with fp32 sums (mixed precision); bf16 throughout; or switching
 * between the latter two during training (train/policy/dynamic_precision.h). */
enum training_precision {
    TRAINING_FP32,
    TRAINING_MP,
    TRAINING_BF16,
    TRAINING_DYNAMIC,
    TRAINING_PRECISIONS,
};

/* Where the chains of bf16 multiply-adds end (train/ops/ops.h): with their sum, or with each image, as in MP. */
enum training_chains { TRAINING_WHOLE, TRAINING_CUT, TRAINING_CHAINS };

enum training_initialization {
    TRAINING_HE_NORMAL,      /* deviation sqrt(2 / in) */
    TRAINING_GLOROT_UNIFORM, /* +- sqrt(6 / (in + out)) */
    TRAINING_LECUN_NORMAL,   /* deviation sqrt(1 / in) */
    TRAINING_NORMAL,         /* initial_deviation */
    /* deviation sqrt(2 / (in + out)); rows of a table of n rows +- 1 / sqrt(n); biases sqrt(1 / out) */
    TRAINING_DLRM,
    TRAINING_INITIALIZATIONS,
};

struct training_optimizer {
    double momentum, weight_decay;
};

enum training_schedule {
    TRAINING_CONSTANT,
    /* from * factor ^ n: n = floor(step / every), or the number of shares in 'at' that are <= step / steps */
    TRAINING_STEP,
    TRAINING_EXPONENTIAL, /* from * factor ^ (step / every), not rounded down */
    TRAINING_COSINE,      /* to + (from - to) (1 + cos(pi step / steps)) / 2 (arXiv 1608.03983, without restarts) */
    TRAINING_SCHEDULES,
};

/* In step s < warmup the schedule's rate is multiplied by (s + 1) / warmup; with scale_by_workers, every rate by
 * 'workers'. */
struct training_rate {
    enum training_schedule schedule;
    double from, to, factor;
    int64_t every, warmup;
    const char *at; /* "0.5, 0.75", or as fractions, "150/350, 250/350": training_drops() */
    bool scale_by_workers;
};

enum training_pull { TRAINING_DELTAS, TRAINING_WEIGHTS, TRAINING_PULLS };

/* Parameters of batch norms are always sent as fp32. */
struct training_exchange {
    const char *push, *pull;
    enum training_pull pull_of;
    int64_t min_values; /* smaller tensors are sent as fp32 */
};

enum training_group { TRAINING_LAYER, TRAINING_BLOCK, TRAINING_GROUPS };

/* Whose norms AWP compares: the server's fp32 weights', or those of the weights as they were sent. */
enum training_norms { TRAINING_MASTER, TRAINING_SENT, TRAINING_NORMS };

/* train/policy/awp.h, with at most 32 bits; interval 0: off. */
struct training_awp {
    double threshold;
    int64_t interval, step_bits, start_bits;
    enum training_group group;
    enum training_norms norms;
};

/* DCT-MP: the smallest values of each row of these layers' outputs, and of their gradients, are dropped; dropped 0:
 * off. */
struct training_mask {
    const char *after; /* names separated by commas: training_named() */
    double dropped;
};

enum training_evaluated { TRAINING_AS_SPLIT, TRAINING_UNSPLIT, TRAINING_EVALUATED };
enum training_copy { TRAINING_SERVERS, TRAINING_WORKERS, TRAINING_COPIES };

/* Split-CNN; depth 0: off. With a wiggle every step draws a new split; the seed in 'spec' is not used. */
struct training_split {
    struct split_spec spec;
    enum training_evaluated evaluate;
};

struct training {
    struct training_data data;
    int64_t workers, batch; /* samples of each worker in a step */
    int64_t steps;          /* 0: given as epochs; else epochs is 0: training_steps() */
    double epochs;
    int64_t seed; /* of everything random: initial weights, samples, dropout, stochastic codecs and splits */
    enum training_backend backend;
    enum training_precision precision;
    enum training_chains chains;             /* for TRAINING_BF16 and TRAINING_DYNAMIC */
    struct dynamic_precision_config dynamic; /* only for TRAINING_DYNAMIC */
    enum training_initialization initialization;
    double initial_deviation, initial_biases; /* TRAINING_NORMAL */
    struct training_optimizer optimizer;
    struct training_rate rate;
    struct training_exchange exchange;
    struct training_awp awp;
    int64_t weight_bits; /* 8, 16, 24 or 32 of each weight in every pull; 0: off. Excludes AWP */
    struct training_mask mask;
    struct training_split split;
    int64_t evaluate_every, evaluate_batch, evaluate_samples, evaluate_training;
    enum training_copy evaluate_weights;
    int64_t trace_every, checkpoint_every;
    const char *trace_thresholds; /* shares as in training_drops() */
};

/* Number of steps, given the number of training samples: at least 1. */
int64_t training_steps(const struct training *t, int64_t samples);

/* Its name for ops_backend_find(); "" for the best. */
const char *training_backend_name(enum training_backend backend);

/* "images" and so on, in the order of enum training_data_kind; then NULL. */
extern const char *const training_data_names[];
bool training_data_synthetic(enum training_data_kind kind);

/* Read 'at': increasing shares above 0 and below 1, separated by commas, each a number or a fraction. Returns how many,
 * or -1 with the reason in why[]. */
enum { TRAINING_MOST_DROPS = 16 };
int training_drops(const char *at, double shares[TRAINING_MOST_DROPS], char *why, size_t nwhy);

/* Is 'name' one of the names in the list? */
bool training_named(const char *list, const char *name);

/* Take the next name from the list at *list, without blanks around it. Returns its length, 0 at the end. */
size_t training_next(const char **list, const char **name);

#endif
