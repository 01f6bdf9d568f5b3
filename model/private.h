/* private.h - shared by the parts of model_infer(): the layers so far and the running shape.
 * Counts     count_product() and shape_volume() are -1 past 2^48, count_flops() past 2^53, so that sums of a few
 *            of them fit in 63 bits. */
#ifndef NARROWS_MODEL_PRIVATE_H
#define NARROWS_MODEL_PRIVATE_H

#include <stdbool.h>

#include "model/model.h"

enum { MAX_NESTING = 16 };

/* No product of shapes may pass this; sums over layers are checked where they are made. */
static const int64_t max_count = (int64_t)1 << 48;

/* FLOPs of a layer: 2^48 is less than attention among 131,072 positions of a large decoder needs. Exact in a double. */
static const int64_t max_flops = (int64_t)1 << 53;

/* What inference carries from layer to layer. */
struct inference {
    struct model *m;
    size_t capacity;
    struct shape at; /* the running output shape */
    int from;        /* ... and the layer that computes it */
    int64_t classes;
    int block, nblocks;     /* present block, how many were seen */
    int64_t pending_stride; /* a block's downsampling, for its first window layer */
    bool any_relative;      /* the first relative attention counts the two vectors that all share */
    bool any_parameters;    /* the first parametrized layer computes no input gradient */
    int count_of_kind[LAYER_ADD + 1];
    char path[160]; /* of the entry being read: "layers[3].layers[0]" */
    char *why;
    size_t nwhy;
};

__attribute__((format(printf, 3, 4))) int infer_refuse(struct inference *in, int rc, const char *format, ...);
int infer_too_large(struct inference *in, const struct layer *l);

int64_t count_product(int64_t a, int64_t b, int64_t c, int64_t d);
int64_t count_flops(int64_t a, int64_t b, int64_t c, int64_t d); /* -1 past 2^53 */
int64_t shape_volume(struct shape s);

/* Appends a layer that reads the running one and, until it is inferred, has its shape. */
int infer_append(struct inference *in, const struct layer_spec *spec, enum layer_kind kind, struct layer **out);
int infer_layer(struct inference *in, const struct layer_spec *spec, int depth);
int infer_list(struct inference *in, const struct layer_spec *specs, size_t n, int depth);

/* Appends an entry of a list to the path, whose first 'outer' characters stay. */
void infer_enter(struct inference *in, size_t outer, size_t entry);

/* FLOPs of a layer that multiplies at this many positions, and of its 'outputs' biases. */
int infer_flops(struct inference *in, struct layer *l, int64_t positions, bool bias, int64_t outputs);
void infer_elementwise(struct layer *l, int64_t flops_per_value); /* touches each value a fixed number of times */

int infer_conv(struct inference *in, const struct layer_spec *spec, struct layer *l);
int infer_fc(struct inference *in, int64_t units, bool bias, struct layer *l);
int infer_pool(struct inference *in, const struct layer_spec *spec, struct layer *l);
int infer_dropout(struct inference *in, const struct layer_spec *spec, struct layer *l);
int infer_embedding(struct inference *in, const struct layer_spec *spec, struct layer *l);
int infer_interaction(struct inference *in, const struct layer_spec *spec, struct layer *l);

int infer_tokens(struct inference *in, const struct layer_spec *spec, struct layer *l);
int infer_check_sequence(struct inference *in, const struct layer *l);
int infer_find(const struct inference *in, const char *name); /* the nearest layer before the last one; -1: none */
int infer_linear(struct inference *in, const struct layer_spec *spec, struct layer *l);
int infer_layernorm(struct inference *in, struct layer *l);
int infer_rmsnorm(struct inference *in, struct layer *l);
int infer_attention(struct inference *in, const struct layer_spec *spec, struct layer *l);

int infer_place(struct inference *in, const struct layer_spec *spec, struct layer *l);
int infer_first(struct inference *in, struct layer *l);
int infer_sequence(struct inference *in, const struct layer_spec *spec, struct layer *l);
int infer_sum(struct inference *in, struct layer *l);
int infer_prepend(struct inference *in, struct layer *l);

int infer_gpt(struct inference *in, const struct gpt_spec *given);

int infer_block(struct inference *in, const struct layer_spec *spec, int depth);
int infer_branches(struct inference *in, const struct layer_spec *spec, int depth); /* of a concat or a product */
int infer_side(struct inference *in, const struct layer_spec *spec, int depth);

#endif
