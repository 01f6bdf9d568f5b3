/* cpu_memory.h - rows of struct ops_backend for weights and memory, the same for all backends on the CPU. */
#ifndef NARROWS_TRAIN_OPS_CPU_MEMORY_H
#define NARROWS_TRAIN_OPS_CPU_MEMORY_H

#include "train/ops/ops.h"

int cpu_sgd_update(struct ops *o, int64_t n, float rate, float momentum, float decay, const float *gradient,
                   float *velocity, float *weights, void *stream);
void *cpu_alloc(struct ops *o, size_t nbytes);
void cpu_release(struct ops *o, void *p);
int cpu_upload(struct ops *o, void *to, const void *from_host, size_t nbytes, void *stream);
int cpu_download(struct ops *o, void *to_host, const void *from, size_t nbytes, void *stream);
int cpu_zero(struct ops *o, void *p, size_t nbytes, void *stream);
int cpu_finish(struct ops *o, void *stream);

#define CPU_MEMORY_ROWS                                                                             \
    .sgd_update = cpu_sgd_update, .alloc = cpu_alloc, .release = cpu_release, .upload = cpu_upload, \
    .download = cpu_download, .zero = cpu_zero, .finish = cpu_finish

#endif
