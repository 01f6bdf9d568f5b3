/* host.h - how the host rows fit together; for kernels/anchor. A loop is one thread's share. */
#ifndef NARROWS_KERNELS_ANCHOR_HOST_H
#define NARROWS_KERNELS_ANCHOR_HOST_H

#include "kernels/anchor/anchor.h"

void anchor_update_scalar(float *y, const float *x, size_t n);
void anchor_scale_scalar(float *y, size_t n);
float anchor_read_scalar(const float *x, size_t n);

void anchor_update_avx2(float *y, const float *x, size_t n);
void anchor_scale_avx2(float *y, size_t n);
float anchor_read_avx2(const float *x, size_t n);

void anchor_update_avx512(float *y, const float *x, size_t n);
void anchor_scale_avx512(float *y, size_t n);
float anchor_read_avx512(const float *x, size_t n);

/* The share of n values that falls to this thread of an OpenMP team, whole groups of 64 until the last. */
void anchor_share(size_t n, size_t *from, size_t *to);

#endif
