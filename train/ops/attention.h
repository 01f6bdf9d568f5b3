/* attention.h - multi-head attention on every backend: projections by the backend's fully-connected layers, and between
 * them the backend's own core, which handles the heads.
 * Layout     q, c and dc are [batch, queries, dim]; k, v, dk and dv [batch, keys, dim]; a head's values are
 *            adjacent. */
#ifndef NARROWS_TRAIN_OPS_ATTENTION_H
#define NARROWS_TRAIN_OPS_ATTENTION_H

#include "train/ops/ops.h"

struct attention_core {
    int64_t (*scratch)(const struct attention_shape *s); /* floats */
    /* c = softmax(q k^T / sqrt(dim / heads)) v, head by head. */
    int (*forward)(struct ops *o, const struct attention_shape *s, const float *q, const float *k, const float *v,
                   float *c, float *scratch, void *stream);
    /* c as forward() writes it, dk and dv are written, dc becomes dq. */
    int (*backward)(struct ops *o, const struct attention_shape *s, const float *q, const float *k, const float *v,
                    float *c, float *dc, float *dk, float *dv, float *scratch, void *stream);
};

/* Rows of struct ops_backend; 'b': the backend whose rows are called. */
size_t attention_workspace(struct ops *o, const struct attention_core *core, const struct attention_shape *s);
int attention_forward(struct ops *o, const struct ops_backend *b, const struct attention_core *core,
                      const struct attention_shape *s, const float *x, const float *memory, const float *w,
                      const float *bias, float *y, void *workspace, size_t nworkspace, void *stream);
int attention_backward(struct ops *o, const struct ops_backend *b, const struct attention_core *core,
                       const struct attention_shape *s, const float *x, const float *memory, const float *dy,
                       const float *w, const float *bias, float *dx, float *dmemory, float *dw, float *dbias,
                       void *workspace, size_t nworkspace, void *stream);

#endif
