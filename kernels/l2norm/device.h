/* device.h - the CUDA row of l2norm_impls, and what the host needs besides: a stream, or all layers in one launch. C
 * linkage, so that nvcc's C++ and the C of impls.c agree.
 * Contract   the norms are those of l2norm.h, bit for bit; everything is in device memory; a call returns before its
 *            work is done and leaves a failed launch in cudaGetLastError().
 * Streams    'stream' is a cudaStream_t, NULL for the default stream. */
#ifndef NARROWS_KERNELS_L2NORM_DEVICE_H
#define NARROWS_KERNELS_L2NORM_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/l2norm/l2norm.h"

#ifdef __cplusplus
extern "C" {
#endif

void l2norm_cuda(const struct impl *im, double *norm, const float *weights, size_t n, double *work);
void l2norm_cuda_on(double *norm, const float *weights, size_t n, double *work, void *stream);

/* All layers in one launch: the block of threads that ends a layer adds up its sums. */
struct l2norm_layer {
    const float *weights;
    double *norm, *work; /* work: l2norm_work(n) doubles */
    size_t n;            /* 0 is a layer too: its norm is 0 */
};

/* Blocks of values that one block of threads takes. */
enum { L2NORM_TEAM = 8 };

/* On the host: first[i] is the first block of threads of layer i, which has at least one, and first[nlayers] their
 * number, below 2^31. */
static inline void l2norm_layers_plan(uint32_t *first, const struct l2norm_layer *layers, size_t nlayers)
{
    const size_t each = (size_t)L2NORM_TEAM * L2NORM_BLOCK;

    first[0] = 0;
    for (size_t i = 0; i < nlayers; i++)
        first[i + 1] = first[i] + (uint32_t)(layers[i].n ? (layers[i].n + each - 1) / each : 1);
}

/* layers[nlayers], first[nlayers + 1] as planned and finished[nlayers] stay until the work is done; 'nblocks' is
 * first[nlayers]. finished[] is zero before the first call and again behind each. */
void l2norm_layers_cuda(const struct l2norm_layer *layers, const uint32_t *first, size_t nlayers, uint32_t nblocks,
                        unsigned *finished, void *stream);

#ifdef __cplusplus
}
#endif

#endif
