/* trainer.h - a network trained for real: workers compute gradients of their own samples, a server averages them and updates the model,
 * the workers get what it changed. All in this process; what would travel is made by real codecs (exchange/exchange.h).
 * Step       1. each worker: its batch, forward, backward, in the step's arithmetic; 2. push; 3. the server: velocity = momentum * velocity +
 *            gradient + decay * weights, weights -= rate * velocity, in fp32 (biases, scales and shifts decay as weights do); rows of
 *            embedding tables by plain SGD, without momentum or decay, as DLRM has it; 4. pull; 5. policies look at the result.
 * Norms      each worker's batch norms use the statistics of its own batch; the running ones, which evaluation uses, are worker 0's ("one
 *            worker responsible for updating batch normalization parameters", 3LC, section 5.2).
 * Bits       depend on options, model and data alone: not on threads, on who watches, or on being stopped and resumed.
 * Memory     what the memory planner says of the network for one worker's batch, once for each worker computed at a time, and three copies
 *            of the parameters (model, gradient, velocity); where codecs are, a gradient for each worker and the server's own copies.
 * Ownership  model, data and what options point to must outlive the trainer.
 * Errors     0 or a negative code with the reason in why[], or in trainer_why(). */
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

enum trainer_precision { TRAINER_FP32, TRAINER_MP, TRAINER_BF16, TRAINER_DYNAMIC, TRAINER_PRECISIONS };

/* DCT-MP: of the outputs of these layers only the greatest of each sample cross to the next machine, and the errors of the same places come
 * back (arXiv 2010.08899, Algorithm 2). */
struct mask_options {
    const int32_t *layers;
    size_t nlayers;
    double dropped; /* share of a row's values, of a sample's or of a position's in a sequence; 0: none, only watched */
    bool evaluates; /* in evaluation, too, as where the parts stay on their machines */
    const double *watched; /* shares: trainer_watch() */
    size_t nwatched;
};

struct trainer_options {
    int64_t workers, batch; /* batch: of each worker */
    uint64_t seed;          /* of weights, order, variations of samples, dropout, stochastic splits */
    struct initialization initialization;
    double momentum, weight_decay;
    struct rate rate; /* rate.steps: how long training is to be */
    bool in_order;    /* samples as they stand in the data; else each epoch in an order of its own */
    bool augment;
    struct exchange_options exchange; /* 'workers' and 'seed' are the trainer's */
    enum trainer_precision precision;
    struct dynamic_precision_config dynamic; /* TRAINER_DYNAMIC */
    struct awp_config awp;                   /* interval 0: no AWP */
    bool awp_by_block;                       /* the layers of a residual block change together */
    int bytes_per_weight; /* 1..4: of every weight that is pulled, all the time; 0: by AWP, or as the codec says */
    struct mask_options mask;
    struct split_spec split; /* depth 0: none; wiggle above 0: another one for each step */
    bool evaluate_split;     /* evaluation splits, too (evenly) */
    int64_t evaluation_batch;
    const struct ops_backend *backend;
    int threads; /* at most so many workers are computed at a time; 1: all threads work on one */
};

/* What was multiplied and added, all workers together. */
struct multiply_adds {
    uint64_t products[FMA_NMODES][OPS_NPASSES]; /* of convolutions and products, counted where they are done */
    uint64_t norms, update;                     /* by what they are made of; always fp32 */
};

struct step_report {
    int64_t step, epoch; /* from 0 */
    double loss;         /* mean over the workers */
    double rate;
    enum fma_mode mode;
    double ema; /* of the losses, this one among them, by which dynamic precision decides; NaN: nothing does */
    int64_t samples;
    int64_t push_bytes;       /* of all workers together */
    int64_t pull_bytes;       /* of one worker: all pull the same */
    int64_t mask_bytes[2];    /* DCT-MP: activations forward, errors backward, all workers */
    const double *thresholds; /* [mask.nlayers][mask.nwatched]; NULL: not watched */
    struct multiply_adds multiply_adds;
    const struct tensor_traffic *traffic; /* of each tensor of trainer_map() */
    const int *bytes_per_weight;          /* bytes of each weight of a tensor in the next step; 0: no policy says */
};

struct evaluation {
    double loss, accuracy, top5; /* mean; shares 0..1. Of two classes top5 is 1 */
    double auc;                  /* of clicks: the chance that a click is thought likelier than no click; else NaN */
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

/* The same on training samples, the first ones, as they are: how well it knows what it has learnt from. */
int trainer_evaluate_training(struct trainer *t, int64_t samples, struct evaluation *out);

/* The same for a model that reads a sentence and writes one (two streams of tokens), which is then also made to write: word by word, the
 * likeliest each time, until 'end' or the last position; what it wrote is compared with the labels (bleu.h). */
struct translation_words {
    int32_t begin, end;
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
/* By what share the norms of the weights that AWP watches changed in a step, the mean so far; NAN without AWP. */
double trainer_norm_change(const struct trainer *t);
void trainer_count_zeros(struct trainer *t, bool on); /* for the steps that follow */
/* In the steps that follow: of the rows of each masked layer, as they are before anything is dropped, the magnitude from which on values
 * would be kept if a watched share were dropped; the mean over the rows of all workers (arXiv 2010.08899, Figure 5). */
void trainer_watch(struct trainer *t, bool on);

/* Of the model's convolutions, those that train on patches: as near to the depth asked for as places to join allow. */
double trainer_split_share(const struct trainer *t);

/* Bytes that the trainer holds for activations, and for parameters in all their copies. */
struct trainer_memory {
    int64_t activations, parameters;
};
struct trainer_memory trainer_memory(const struct trainer *t);

/* Everything that the next step depends on, as runs of bytes: to be written to a checkpoint, or read back into a trainer that was opened
 * alike. The runs stay the trainer's. Call trainer_restored() when all have been filled. */
struct trainer_section {
    const char *name;
    void *bytes;
    size_t nbytes;
};
enum { TRAINER_SECTIONS = 12 };
int trainer_sections(struct trainer *t, struct trainer_section sections[TRAINER_SECTIONS], size_t *n);
int trainer_restored(struct trainer *t);

#endif
