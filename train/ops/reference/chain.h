/* chain.h - the products of convolutions and fully-connected layers in the modes that kernels/gemm/fma_lane.h defines,
 * in the order of ops.h: what the backend "reference" means by FMA_MP and FMA_BF16. whole: the chains do not end before
 * the sum does, and sums of them are rounded like a chain. Sizes are checked by who calls; no bias's gradient. */
#ifndef NARROWS_TRAIN_OPS_REFERENCE_CHAIN_H
#define NARROWS_TRAIN_OPS_REFERENCE_CHAIN_H

#include "train/ops/ops.h"

void chain_conv_forward(enum fma_mode mode, const struct conv_shape *s, const float *x, const float *w,
                        const float *bias /* or NULL */, float *y);
void chain_conv_backward_data(enum fma_mode mode, bool whole, const struct conv_shape *s, const float *dy,
                              const float *w, float *dx);
void chain_conv_backward_weights(enum fma_mode mode, bool whole, const struct conv_shape *s, const float *x,
                                 const float *dy, float *dw);
void chain_fc_forward(enum fma_mode mode, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                      const float *bias /* or NULL */, float *y);
void chain_fc_backward_data(enum fma_mode mode, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                            float *dx);
void chain_fc_backward_weights(enum fma_mode mode, int64_t batch, int64_t in, int64_t out, const float *x,
                               const float *dy, float *dw);

#endif
