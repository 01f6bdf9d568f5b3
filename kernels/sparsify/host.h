/* host.h - taking the sample, on one thread or on all; for kernels/sparsify. */
#ifndef NARROWS_KERNELS_SPARSIFY_HOST_H
#define NARROWS_KERNELS_SPARSIFY_HOST_H

#include "kernels/sparsify/sparsify_lane.h"

void sparsify_sample_serial(uint32_t *sample, size_t samples, const float *error, const float *change, size_t n);
void sparsify_sample_split(uint32_t *sample, size_t samples, const float *error, const float *change, size_t n);

#endif
