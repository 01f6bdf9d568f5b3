/* decoder.h - a decoder's layers as one GPU computes its part of them: operations, parameters, and what is kept for the
 * backward pass, under tensor, sequence and context parallelism.
 * Tensor     as Megatron-LM: the projections into heads and the first product of the feed-forward network are divided
 *            by columns, those back by rows, the vocabulary by rows; after each half of a layer the group adds up
 *            (arXiv 1909.08053). 'sequence': between them each rank has its share of the positions, and the sum is a
 *            reduce-scatter there and an all-gather back (arXiv 2205.05198).
 * Context    each rank has its share of the sequence's positions, and of the heads for all of them while attention is
 *            computed: all-to-all before and after it (DeepSpeed-Ulysses, arXiv 2309.14509).
 * Experts    are divided among 'expert' replicas, and each by the tensor group as a feed-forward network is: every
 *            rank's tokens go to their experts in an all-to-all and back in another (GShard, arXiv 2006.16668). Each
 *            rank is taken to be as slow as the one with the fullest experts, and these to have 'imbalance' times the
 *            mean of tokens each, as far as the model's capacity lets them. A token is sent once for each of its
 *            experts, though several may be on one machine, and nothing else is computed meanwhile.
 * Latent     attention: the matrices that make latent values are on every rank of the tensor group, as is the router;
 *            those that make heads of them are divided. That the former's gradients are added up over the group is not
 *            counted.
 * Units      bytes; values where a name says so; everything is of one micro-batch on one GPU. */
#ifndef NARROWS_SIM_PARALLEL_DECODER_H
#define NARROWS_SIM_PARALLEL_DECODER_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"
#include "model/precision.h"
#include "sim/parallel/gpu_work.h"

enum attention_form {
    ATTENTION_EAGER, /* the square of positions is written, and kept */
    ATTENTION_FLASH, /* it is not */
};

struct decoder {
    const struct gpt_spec *gpt;
    int64_t samples; /* of a micro-batch */
    int64_t tensor, context;
    bool sequence;
    enum attention_form attention;
    bool dropout;                     /* after attention's softmax and each half of a layer; GPT alone */
    bool fused_loss;                  /* softmax and cross entropy in one kernel */
    enum compute_precision precision; /* of activations and products */
    bool has_experts;                 /* the layer that is asked for */
    int64_t expert;                   /* replicas that its experts are divided among; 0: 1 */
    double imbalance;                 /* tokens of the fullest expert over the mean; below 1: 1 */
    double route_s;                   /* of a GPU, to choose experts, in each pass */
    double permute_share, loss_share; /* of the memory's bandwidth: of copying tokens into
                                         experts' order, a fused loss's; 0: the platform's */
};

/* The vocabulary is filled up to a multiple of 128 x the tensor group. Of one rank. */
int64_t decoder_vocabulary(const struct decoder *d);

/* One layer, and what comes before the first and after the last one. */
int decoder_layer(const struct decoder *d, struct gpu_works *forward, struct gpu_works *backward);
int decoder_words(const struct decoder *d, struct gpu_works *forward, struct gpu_works *backward);
int decoder_head(const struct decoder *d, struct gpu_works *forward, struct gpu_works *backward);

/* Parameters of one rank, values: of a layer but for its experts, of these, of the table of words (and of positions),
 * of what comes after the last layer; where the words' table is used there again, without it. */
int64_t decoder_layer_values(const struct decoder *d);
int64_t decoder_expert_values(const struct decoder *d);
int64_t decoder_words_values(const struct decoder *d);
int64_t decoder_head_values(const struct decoder *d);

/* Bytes of activations kept from a layer's forward pass until its backward pass; without the core: what attention
 * keeps between its projections. 'input' is what the layer reads: all that is kept with full recomputation. */
double decoder_layer_kept(const struct decoder *d);
double decoder_core_kept(const struct decoder *d);
double decoder_input(const struct decoder *d);
double decoder_head_kept(const struct decoder *d);

/* Bytes of what lives besides while the backward pass of the head, or of a layer, is computed. */
double decoder_head_extra(const struct decoder *d, bool received);
double decoder_layer_extra(const struct decoder *d);

/* Distinct shapes of a layer's weights, values of one of each: Transformer Engine keeps a gradient of each shape. With
 * experts those of attention, and those of experts apart. */
double decoder_layer_shapes(const struct decoder *d);
double decoder_expert_shapes(const struct decoder *d);

/* Tokens of one rank that an expert takes, on the way to the fullest one. */
int64_t decoder_expert_tokens(const struct decoder *d);

/* FLOPs of the model in one pass forward and back, nothing computed twice, of all ranks, a sample: what MFU counts. */
double decoder_model_flops(const struct gpt_spec *g);

#endif
