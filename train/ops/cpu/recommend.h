/* cpu_recommend.h - rows of struct ops_backend that recommendation models take, the same loops for all backends on the CPU. */
#ifndef NARROWS_TRAIN_OPS_CPU_RECOMMEND_H
#define NARROWS_TRAIN_OPS_CPU_RECOMMEND_H

#include "train/ops/ops.h"

int cpu_bag_forward(struct ops *o, const struct bag_shape *s, const float *x, const int32_t *ids, const float *table,
                    float *y, void *stream);
int cpu_bag_backward_data(struct ops *o, const struct bag_shape *s, const float *dy, float *dx, void *stream);
int cpu_bag_update(struct ops *o, const struct bag_shape *s, float rate, const int32_t *ids, const float *dy,
                   float *table, void *stream);
int cpu_interact_forward(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, float *y, void *stream);
int cpu_interact_backward(struct ops *o, int64_t batch, int64_t n, int64_t dim, const float *x, const float *dy,
                          float *dx, void *stream);
int cpu_bce_backward(struct ops *o, int64_t batch, const float *y, const int32_t *labels, float *dx, float *loss,
                     void *stream);

/* 0, or cpu_fail(). */
int cpu_check_bag(struct ops *o, const struct bag_shape *s);
int cpu_check_interact(struct ops *o, int64_t batch, int64_t n, int64_t dim);

/* table[id] += factor dy, id after id as they stand; threads share the rows of the table. */
void cpu_scatter_rows(const struct bag_shape *s, float factor, const int32_t *ids, const float *dy, float *table);

#define CPU_RECOMMEND_ROWS                                                                                    \
    .bag_forward = cpu_bag_forward, .bag_backward_data = cpu_bag_backward_data, .bag_update = cpu_bag_update, \
    .interact_forward = cpu_interact_forward, .interact_backward = cpu_interact_backward,                     \
    .bce_backward = cpu_bce_backward

#endif
