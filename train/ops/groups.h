/* groups.h - the rows of struct ops_backend by group, so that a backend declares its functions and fills its table by
 * naming groups: OPS_FC_ROWS(OPS_DECLARE, cuda) declares cuda_fc_forward() and the others with the types that ops.h
 * gives their rows, OPS_FC_ROWS(OPS_FILL, cuda) initializes these rows with them. */
#ifndef NARROWS_TRAIN_OPS_GROUPS_H
#define NARROWS_TRAIN_OPS_GROUPS_H

#include "train/ops/ops.h"

#define OPS_DECLARE(prefix, row) __typeof__(*((struct ops_backend *)0)->row) prefix##_##row;
#define OPS_FILL(prefix, row) .row = prefix##_##row,

/* clang-format off */
#define OPS_CONV_ROWS(DO, prefix) \
    DO(prefix, conv_forward) DO(prefix, conv_backward_data) DO(prefix, conv_backward_weights)
#define OPS_FC_ROWS(DO, prefix) DO(prefix, fc_forward) DO(prefix, fc_backward_data) DO(prefix, fc_backward_weights)
#define OPS_NORM_ROWS(DO, prefix) DO(prefix, norm_forward) DO(prefix, norm_again) DO(prefix, norm_backward)
#define OPS_VALUE_ROWS(DO, prefix) \
    DO(prefix, relu_forward) DO(prefix, relu_backward) DO(prefix, sigmoid_forward) DO(prefix, sigmoid_backward) \
    DO(prefix, dropout) DO(prefix, accumulate)
#define OPS_IMAGE_ROWS(DO, prefix) \
    DO(prefix, maxpool_forward) DO(prefix, maxpool_backward) DO(prefix, avgpool_forward) DO(prefix, avgpool_backward) \
    DO(prefix, add) DO(prefix, add_backward) DO(prefix, cut) DO(prefix, paste)
#define OPS_SOFTMAX_ROWS(DO, prefix) DO(prefix, softmax_forward) DO(prefix, softmax_backward)
#define OPS_RECOMMEND_ROWS(DO, prefix) \
    DO(prefix, bag_forward) DO(prefix, bag_backward_data) DO(prefix, bag_update) \
    DO(prefix, interact_forward) DO(prefix, interact_backward) DO(prefix, bce_backward)
#define OPS_TRANSFORMER_ROWS(DO, prefix) \
    DO(prefix, layernorm_forward) DO(prefix, layernorm_backward) \
    DO(prefix, tokens_forward) DO(prefix, tokens_backward) \
    DO(prefix, attention_workspace) DO(prefix, attention_forward) DO(prefix, attention_backward) \
    DO(prefix, concat) DO(prefix, concat_backward)
#define OPS_MEMORY_ROWS(DO, prefix) \
    DO(prefix, sgd_update) DO(prefix, alloc) DO(prefix, release) DO(prefix, upload) DO(prefix, download) \
    DO(prefix, zero) DO(prefix, finish)
/* clang-format on */

#endif
