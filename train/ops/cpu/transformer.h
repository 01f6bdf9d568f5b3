/* cpu_transformer.h - rows of struct ops_backend that Transformers take, the same for all backends on the CPU. */
#ifndef NARROWS_TRAIN_OPS_CPU_TRANSFORMER_H
#define NARROWS_TRAIN_OPS_CPU_TRANSFORMER_H

#include "train/ops/ops.h"

int cpu_layernorm_forward(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *scale,
                          const float *shift, float *y, float *mean, float *inv_std, void *stream);
int cpu_layernorm_backward(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *dy,
                           const float *scale, const float *mean, const float *inv_std, float *dx, float *dscale,
                           float *dshift, void *stream);
int cpu_tokens_forward(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                       const float *table, float *y, void *stream);
int cpu_tokens_backward(struct ops *o, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids,
                        const float *dy, float *dtable, void *stream);
size_t cpu_attention_workspace(struct ops *o, const struct attention_shape *s);
int cpu_attention_forward(struct ops *o, const struct attention_shape *s, const float *x, const float *memory,
                          const float *w, const float *b, float *y, void *workspace, size_t nworkspace, void *stream);
int cpu_attention_backward(struct ops *o, const struct attention_shape *s, const float *x, const float *memory,
                           const float *dy, const float *w, const float *b, float *dx, float *dmemory, float *dw,
                           float *db, void *workspace, size_t nworkspace, void *stream);
int cpu_concat(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *x, const float *x2,
               float *y, void *stream);
int cpu_concat_backward(struct ops *o, const struct image_shape *a, const struct image_shape *b, const float *dy,
                        float *dx, float *dx2, void *stream);

/* 0, or cpu_fail(). */
int cpu_check_layernorm(struct ops *o, int64_t rows, int64_t dim);
int cpu_check_tokens(struct ops *o, int64_t batch, int64_t positions, int64_t dim);
int cpu_check_concat(struct ops *o, const struct image_shape *a, const struct image_shape *b);

#define CPU_TRANSFORMER_ROWS                                                                    \
    .layernorm_forward = cpu_layernorm_forward, .layernorm_backward = cpu_layernorm_backward,   \
    .tokens_forward = cpu_tokens_forward, .tokens_backward = cpu_tokens_backward,               \
    .attention_workspace = cpu_attention_workspace, .attention_forward = cpu_attention_forward, \
    .attention_backward = cpu_attention_backward, .concat = cpu_concat, .concat_backward = cpu_concat_backward

#endif
