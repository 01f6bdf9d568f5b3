/* cuda.cu - pack and unpack on the device (Algorithm 5), one array or all layers in one launch. A leaf: kernels and
 * their launchers. */
#include "kernels/adt/device.h"

#include "kernels/shared/launch.cuh"

#include "kernels/adt/chunk.cuh"

enum { THREADS = 256 };

__global__ static void pack_one(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    pack_chunk(dst, src, n, bytes_per_weight, blockIdx.x);
}

__global__ static void unpack_one(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    unpack_chunk(dst, src, n, bytes_per_weight, blockIdx.x);
}

/* The layer of a block: the last one that starts at it or before it. A layer without weights has no block, the layer
 * behind it starts at the same one. */
static __device__ size_t layer_of(const uint32_t *first, size_t nlayers, uint32_t block)
{
    size_t low = 0, high = nlayers;

    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;

        if (first[middle] <= block)
            low = middle;
        else
            high = middle;
    }
    return low;
}

__global__ static void pack_all(const adt_layer *layers, const uint32_t *first, size_t nlayers)
{
    size_t i = layer_of(first, nlayers, blockIdx.x);
    adt_layer l = layers[i];

    pack_chunk(static_cast<uint8_t *>(l.dst), static_cast<const uint8_t *>(l.src), l.n, l.bytes_per_weight,
               blockIdx.x - first[i]);
}

__global__ static void unpack_all(const adt_layer *layers, const uint32_t *first, size_t nlayers)
{
    size_t i = layer_of(first, nlayers, blockIdx.x);
    adt_layer l = layers[i];

    unpack_chunk(static_cast<uint8_t *>(l.dst), static_cast<const uint8_t *>(l.src), l.n, l.bytes_per_weight,
                 blockIdx.x - first[i]);
}

static unsigned chunks(size_t n)
{
    return static_cast<unsigned>((n + ADT_CHUNK - 1) / ADT_CHUNK);
}

void adt_pack_cuda_on(uint8_t *dst, const void *src, size_t n, int bytes_per_weight, void *stream)
{
    if (n)
        NW_LAUNCH(pack_one, chunks(n), THREADS, 0, static_cast<cudaStream_t>(stream), dst,
                  static_cast<const uint8_t *>(src), n, bytes_per_weight);
}

void adt_unpack_cuda_on(void *dst, const uint8_t *src, size_t n, int bytes_per_weight, void *stream)
{
    if (n)
        NW_LAUNCH(unpack_one, chunks(n), THREADS, 0, static_cast<cudaStream_t>(stream), static_cast<uint8_t *>(dst),
                  src, n, bytes_per_weight);
}

void adt_pack_cuda(const struct impl *im, uint8_t *dst, const void *src, size_t n, int bytes_per_weight)
{
    adt_pack_cuda_on(dst, src, n, bytes_per_weight, stream_of(im));
}

void adt_unpack_cuda(const struct impl *im, void *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    adt_unpack_cuda_on(dst, src, n, bytes_per_weight, stream_of(im));
}

void adt_pack_layers_cuda(const adt_layer *layers, const uint32_t *first, size_t nlayers, uint32_t nblocks,
                          void *stream)
{
    if (nblocks)
        NW_LAUNCH(pack_all, nblocks, THREADS, 0, static_cast<cudaStream_t>(stream), layers, first, nlayers);
}

void adt_unpack_layers_cuda(const adt_layer *layers, const uint32_t *first, size_t nlayers, uint32_t nblocks,
                            void *stream)
{
    if (nblocks)
        NW_LAUNCH(unpack_all, nblocks, THREADS, 0, static_cast<cudaStream_t>(stream), layers, first, nlayers);
}
