/* gpt_counts.h - parameters and FLOPs of a decoder from its dimensions, part by part.
 * Units      parameters: values, of one layer where a name says so; FLOPs of one sample, a multiply and an add are two,
 *            of matrices and of attention's squares alone.
 * Active     parameters that one token is multiplied with: of a layer's experts those that it is sent to, of the table
 *            of words its row. */
#ifndef NARROWS_MODEL_GPT_COUNTS_H
#define NARROWS_MODEL_GPT_COUNTS_H

#include <stdbool.h>
#include <stdint.h>

#include "model/model.h"

struct gpt_counts {
    int64_t matrices, scales; /* of the whole; scales with biases */
    int64_t active;           /* of both */
    int64_t flops_forward;
};

/* E_RANGE past 2^63. 'g' as struct model has it. */
int gpt_count(const struct gpt_spec *g, struct gpt_counts *out);

/* Matrices of a layer: attention's projections; the dense network; the router, a shared expert; one expert. */
int64_t gpt_attention_values(const struct gpt_spec *g);
int64_t gpt_dense_values(const struct gpt_spec *g);
int64_t gpt_router_values(const struct gpt_spec *g);
int64_t gpt_shared_values(const struct gpt_spec *g);
int64_t gpt_expert_values(const struct gpt_spec *g);

int64_t gpt_expert_layers(const struct gpt_spec *g); /* layers that have experts */

int64_t gpt_query_dim(const struct gpt_spec *g); /* values of a head's query, and of its key */
int64_t gpt_value_dim(const struct gpt_spec *g);

#endif
