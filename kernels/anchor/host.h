/* host.h - how the host rows fit together; for kernels/anchor. A loop is one thread's share. */
#ifndef NARROWS_KERNELS_ANCHOR_HOST_H
#define NARROWS_KERNELS_ANCHOR_HOST_H

#include "kernels/anchor/anchor.h"

typedef void anchor_update_loop(float *y, const float *x, size_t n);
typedef void anchor_scale_loop(float *y, size_t n);
typedef float anchor_read_loop(const float *x, size_t n);

anchor_update_loop anchor_update_scalar, anchor_update_avx2, anchor_update_avx512;
anchor_scale_loop anchor_scale_scalar, anchor_scale_avx2, anchor_scale_avx512;
anchor_read_loop anchor_read_scalar, anchor_read_avx2, anchor_read_avx512;

#endif
