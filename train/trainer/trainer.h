/* trainer.h - trains a network for real. Workers compute gradients of their own samples, a server averages them and
 * updates the model, and the workers receive the update. All of them run in this process, or are spread over several
 * (peers.h); what would cross a network goes through real codecs (exchange/exchange.h).
 * Step       each worker runs forward and backward on its own batch, in the precision of the step. Push: the gradients
 *            go to the server, which updates in fp32: velocity = momentum * velocity + gradient + decay * weights;
 *            weights -= rate * velocity. Biases, scales and shifts decay as weights do; rows of embedding tables are
 *            updated by plain SGD, without momentum or decay, as in DLRM. Pull: the update goes to the workers. Then
 *            the policies run.
 * Norms      each worker's batch norms use the statistics of its own batch. Evaluation uses the running statistics of
 *            worker 0 ("one worker responsible for updating batch normalization parameters", 3LC, section 5.2).
 * Bits       depend only on options, model and data: not on threads, on being watched, on being stopped and resumed, or
 *            on the number of processes.
 * Memory     activations: what the memory planner gives for one worker's batch, times the number of workers that
 *            compute at the same time. Parameters: model, gradient and velocity; with codecs also a gradient for each
 *            worker and the server's copies.
 * Ownership  model, data and what options point to must outlive the trainer.
 * Errors     0, or a negative code with the reason in why[] or trainer_why(). */
#ifndef NARROWS_TRAIN_TRAINER_TRAINER_H
#define NARROWS_TRAIN_TRAINER_TRAINER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/gemm/fma_mode.h"
#include "model/split/patches.h"
#include "train/data/source.h"
#include "train/exchange/exchange.h"
#include "train/net/parameters.h"
#include "train/ops/ops.h"
#include "train/optimizer/rate.h"
#include "train/policy/awp.h"
#include "train/policy/dynamic_precision.h"
#include "train/trainer/peers.h"

enum trainer_precision { TRAINER_FP32, TRAINER_MP, TRAINER_BF16, TRAINER_DYNAMIC, TRAINER_PRECISIONS };

/* DCT-MP (arXiv 2010.08899, Algorithm 2): of the outputs of these layers only the largest of each sample go to the next
 * machine; errors come back for these only. */
struct mask_options {
    const int32_t *layers;
    size_t nlayers;
    /* Share of the values of a row (a sample, or a position of a sequence) that are dropped. 0: only watched. */
    double dropped;
    bool evaluates;        /* also in evaluation, as if the stages stayed on their machines */
    const double *watched; /* shares: trainer_watch() */
    size_t nwatched;
};

struct trainer_options {
    int64_t workers, batch; /* batch: of each worker */
    uint64_t seed;          /* of weights, order, variations of samples, dropout, stochastic splits */
    struct initialization initialization;
    double momentum, weight_decay;
    struct rate rate; /* rate.steps: the length of the training run */
    bool in_order;    /* samples in the order of the data; else a new order each epoch */
    bool augment;
    struct exchange_options exchange; /* 'workers' and 'seed' are the trainer's */
    enum trainer_precision precision;
    enum ops_chains chains;                  /* of TRAINER_BF16, and of TRAINER_DYNAMIC while it is bf16 */
    struct dynamic_precision_config dynamic; /* TRAINER_DYNAMIC */
    struct awp_config awp;                   /* interval 0: no AWP */
    bool awp_by_block;                       /* the layers of a residual block change together */
    bool awp_of_sent;     /* norms are those of the weights as the workers have them; else of the server's */
    int bytes_per_weight; /* 1..4: of every weight that is pulled, always; 0: by AWP, or the codec's parameter */
    struct mask_options mask;
    struct split_spec split; /* depth 0: none; wiggle above 0: a new one for each step */
    bool evaluate_split;     /* evaluation splits as well, evenly */
    bool evaluate_workers;   /* evaluation uses the weights that the workers have pulled, not the server's */
    int64_t evaluation_batch;
    const struct ops_backend *backend;
    int threads;                       /* workers computed at a time, at most; 1: all threads work on one */
    const struct trainer_peers *peers; /* NULL: all workers are in this process */
};

/* Multiply-adds of all workers together. */
struct multiply_adds {
    uint64_t products[FMA_NMODES][OPS_NPASSES]; /* of convolutions and products, as counted by the backend */
    uint64_t norms, update;                     /* computed from the shapes; always fp32 */
};

struct step_report {
    int64_t step, epoch; /* from 0 */
    double loss;         /* mean over the workers */
    double rate;
    enum fma_mode mode;
    double ema; /* exponential moving average of the losses, for dynamic precision; NaN without it */
    int64_t samples;
    int64_t push_bytes;       /* of all workers together */
    int64_t pull_bytes;       /* of one worker: all pull the same */
    int64_t mask_bytes[2];    /* DCT-MP: activations forward, errors backward, all workers */
    const double *thresholds; /* [mask.nlayers][mask.nwatched]; NULL: not watched */
    struct multiply_adds multiply_adds;
    const struct tensor_traffic *traffic; /* of each tensor of trainer_map() */
    const int *bytes_per_weight;          /* of each tensor, in the next step; 0: no policy sets it */
};

struct evaluation {
    double loss, accuracy, top5; /* mean; shares 0..1. Of two classes top5 is 1 */
    double auc;                  /* of clicks: the probability that a click scores above a non-click; else NaN */
    double bleu;                 /* of trainer_translate(), 0..1; else NaN */
    int64_t samples;             /* labels counted */
};

struct trainer;

int trainer_open(const struct trainer_options *options, const struct model *model, const struct data_source *data,
                 struct trainer **out, char *why, size_t nwhy);
void trainer_close(struct trainer *t); /* accepts NULL */

int trainer_step(struct trainer *t, struct step_report *report);

/* The server's model on 'samples' test samples (0: all). Changes nothing. */
int trainer_evaluate(struct trainer *t, int64_t samples, struct evaluation *out);

/* The same on the first training samples, without augmentation. */
int trainer_evaluate_training(struct trainer *t, int64_t samples, struct evaluation *out);

/* The same for a model that translates (two streams of tokens). It also decodes each sentence greedily, word by word
 * until 'end' or the last position, and compares the result with the labels (bleu.h). 'unknown', if not negative,
 * stands for words outside the vocabulary: where it is written it is never right. */
struct translation_words {
    int32_t begin, end, unknown;
};
int trainer_translate(struct trainer *t, int64_t samples, const struct translation_words *words,
                      struct evaluation *out);

const char *trainer_why(const struct trainer *t);
const struct parameter_map *trainer_map(const struct trainer *t);
/* Which tensors go through a codec, and with how many bytes. */
const struct exchange *trainer_exchange(const struct trainer *t);
/* The server's dense parameters, in the host's memory, until the next call; NULL: failed. */
const float *trainer_weights(struct trainer *t);
int64_t trainer_steps_done(const struct trainer *t);
const struct multiply_adds *trainer_multiply_adds(const struct trainer *t);   /* of all steps so far */
uint64_t multiply_adds_in(const struct multiply_adds *a, enum fma_mode mode); /* products of all passes */
uint64_t multiply_adds_all(const struct multiply_adds *a);
/* Mean relative change in a step of the norms that AWP watches, so far; NAN without AWP. */
double trainer_norm_change(const struct trainer *t);
void trainer_count_zeros(struct trainer *t, bool on); /* for the steps that follow */
/* From the next step on, reports thresholds: for each masked layer and watched share, the smallest magnitude that would
 * be kept if that share were dropped, as the mean over the rows of all workers (arXiv 2010.08899, Figure 5). */
void trainer_watch(struct trainer *t, bool on);

/* Share of the convolutions that train on patches: as close to the requested depth as the places for a join allow. */
double trainer_split_share(const struct trainer *t);

/* Bytes that the trainer holds for activations, and for parameters in all their copies. */
struct trainer_memory {
    int64_t activations, parameters;
};
struct trainer_memory trainer_memory(const struct trainer *t);

/* Everything that the next step depends on, as sections of bytes that a checkpoint stores. To restore, open a trainer
 * with the same options, fill its sections and call trainer_restored(). The sections belong to the trainer. */
struct trainer_section {
    const char *name;
    void *bytes;
    size_t nbytes;
};
enum { TRAINER_SECTIONS = 12 };
int trainer_sections(struct trainer *t, struct trainer_section sections[TRAINER_SECTIONS], size_t *n);
int trainer_restored(struct trainer *t);

#endif
