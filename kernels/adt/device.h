/* device.h - the CUDA row of adt_impls, and further calls for the host: on a stream, or with all layers in one launch.
 * C linkage, so that nvcc's C++ and the C of impls.c agree.
 * Contract   shapes, alignment, overlap and errors are those of adt.h; buffers live on the device. Each call is one
 *            launch and returns before its work is done.
 * Streams    'stream' is a cudaStream_t, NULL for the default stream. */
#ifndef NARROWS_KERNELS_ADT_DEVICE_H
#define NARROWS_KERNELS_ADT_DEVICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/impl.h"

#ifdef __cplusplus
extern "C" {
#endif

void adt_pack_cuda(const struct impl *im, uint8_t *dst, const void *src, size_t n, int bytes_per_weight);
void adt_unpack_cuda(const struct impl *im, void *dst, const uint8_t *src, size_t n, int bytes_per_weight);

void adt_pack_cuda_on(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, void *stream);
void adt_unpack_cuda_on(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, void *stream);

/* All layers in one launch, each with its own addresses and number of kept bytes (AWP chooses one for each layer). */
struct adt_layer {
    void *dst;
    const void *src;
    size_t n; /* weights; 0 is a layer too */
    int bytes_per_weight;
};

/* Weights that one block of threads takes. */
enum { ADT_CHUNK = 8192 };

/* On the host: first[i] is the first block of layer i and first[nlayers] the number of blocks. There may be fewer
 * than 2^31 of them, 64 TiB of weights. */
static inline void adt_layers_plan(uint32_t *first, const struct adt_layer *layers, size_t nlayers)
{
    first[0] = 0;
    for (size_t i = 0; i < nlayers; i++)
        first[i + 1] = first[i] + (uint32_t)((layers[i].n + ADT_CHUNK - 1) / ADT_CHUNK);
}

/* layers[nlayers] and first[nlayers + 1] as planned, both on the device, stay until the work is done; 'nblocks' is
 * first[nlayers]. */
void adt_pack_layers_cuda(const struct adt_layer *layers, const uint32_t *first, size_t nlayers, uint32_t nblocks,
                          void *stream);
void adt_unpack_layers_cuda(const struct adt_layer *layers, const uint32_t *first, size_t nlayers, uint32_t nblocks,
                            void *stream);

#ifdef __cplusplus
}
#endif

#endif
