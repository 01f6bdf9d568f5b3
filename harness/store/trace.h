/* trace.h - a training run, its settings and what it did: tables training and trace_*, stored with the point that was
 * trained.
 * Steps      count from 0; steps[i] is step i.
 * Bytes      of all workers together.
 * Unknown    NaN; -1 for zeros; "" for no metric. A loss that is not finite is stored as unknown: a training run that
 *            diverged is a result, too.
 * Ownership and errors as in store.h. */
#ifndef NARROWS_HARNESS_STORE_TRACE_H
#define NARROWS_HARNESS_STORE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store;

enum trace_precision { TRACE_FP32, TRACE_MP, TRACE_BF16, TRACE_PRECISIONS };
enum trace_direction { TRACE_PUSH, TRACE_PULL }; /* from the workers, to the workers */

struct trace_tensor_fact {
    const char *name; /* "block3.conv1" */
    int64_t values;
    bool compressed; /* false: sent as fp32 */
};

struct trace_step_fact {
    int64_t epoch, samples; /* of all workers */
    double loss;            /* mean over the samples */
    double learning_rate;
    enum trace_precision precision;
    /* Of the step's multiply-adds in that precision; the others are in fp32. NaN: not counted. */
    double precision_share;
    int64_t pushed_bytes, pulled_bytes;
    double ema; /* average of the losses, for dynamic precision; NaN without it */
};

/* One tensor in one step and direction; the trainer chooses the steps. */
struct trace_exchange_fact {
    int64_t step;
    size_t tensor; /* place in tensors[] */
    enum trace_direction direction;
    int64_t bytes;    /* after the codec */
    int64_t zeros;    /* values that arrive as 0; of all workers' tensors, so up to workers * values */
    double threshold; /* of the codec, mean over the workers */
};

/* A masked or watched layer (DCT-MP) in one step: the smallest magnitude kept if the share 'dropped' of each row were
 * dropped, as the mean over the rows. */
struct trace_threshold_fact {
    int64_t step;
    size_t cut; /* place in cuts[] */
    double dropped, threshold;
};

/* From this step on each weight of the tensor has so many bits: a row where they change, the first at step 0. */
struct trace_bits_fact {
    int64_t step;
    size_t tensor;
    int bits;
};

struct trace_evaluation_fact {
    int64_t after_steps, samples;
    double loss, top1, top5; /* accuracies as shares */
    double other;            /* training_fact.metric */
};

/* How long one rank of a training that is spread over several took for the parts of a step, waiting included, and what
 * went through its link, heads of messages included. Measured: another run has other times. */
struct trace_rank_fact {
    int64_t rank, step;
    int64_t compute_ns, encode_ns, push_ns, update_ns, pull_ns, decode_ns;
    int64_t sent_bytes, received_bytes;
};

struct training_fact {
    const char *model, *data;     /* "resnet-20-cifar"; "CIFAR-10", "generated images, 10 classes" */
    const char *metric;           /* "BLEU", "AUC", "" */
    bool real_data;               /* 0: other data than the paper trained on; its cells then are 'scaled' */
    int64_t seed, workers, batch; /* batch: samples of one worker's step */
    const struct trace_tensor_fact *tensors;
    size_t ntensors;
    const struct trace_step_fact *steps;
    size_t nsteps;
    const struct trace_exchange_fact *exchanges;
    size_t nexchanges;
    const struct trace_bits_fact *bits;
    size_t nbits;
    const struct trace_evaluation_fact *evaluations;
    size_t nevaluations;
    const char *const *cuts; /* names of layers */
    const struct trace_threshold_fact *thresholds;
    size_t nthresholds;
    const struct trace_rank_fact *ranks; /* none of a training in a single process */
    size_t nranks;
};

/* The steps of the point with this key, in order, and how many workers took them. 1; 0 if no such point was trained; or
 * negative. The caller frees *steps. */
int store_trace_steps(struct store *s, const char *key, struct trace_step_fact **steps, size_t *nsteps,
                      int64_t *workers);

/* How many values the tensors of that point have, and how many of them go through a codec. As above. */
int store_trace_values(struct store *s, const char *key, int64_t *values, int64_t *coded);

/* The key of the point that a run lists at this position, if it is of this variant. 1; 0 if there is none; or
 * negative. */
int store_listed_key(struct store *s, int64_t run_id, size_t position, const char *variant, char key[33]);

/* The simulated time of a training run's steps on one platform. */
struct timing_step_fact {
    int64_t steps;  /* done by then */
    double seconds; /* since the beginning */
};

struct timing_fact {
    const char *key;       /* 32 hex digits: hash of what the times depend on */
    const char *point;     /* key of the trained point */
    const char *label;     /* "10 Mbit/s" */
    const char *simulated; /* name of the scenario */
    const struct timing_step_fact *steps;
    size_t nsteps;
};

/* One transaction. A timing whose key is stored already is not changed. NW_EDB if no such point was trained. */
int store_timing(struct store *s, int64_t run_id, const struct timing_fact *t);
int store_has_timing(struct store *s, const char *key); /* 1, 0 or negative */

#endif
