/* chunk.cuh - what a block of threads does: pack or unpack up to ADT_CHUNK weights.
 * A thread takes a quad, four weights and the 'bytes_per_weight' whole words they become, so that neighbouring threads
 * touch neighbouring words on both sides. That needs the packed side on a word boundary and the weights on theirs; at
 * most three weights are taken off the front to get there. What cannot be aligned, and the ends, go weight by weight.
 * Three words of a quad would be three stores with gaps between the threads, and every gap costs the second-level cache
 * a partly written sector: to pack three bytes, a thread takes one packed word and fetches the two weights that it is
 * made of, of which its neighbour's are in the first-level cache already. */
#ifndef NARROWS_KERNELS_ADT_CHUNK_CUH
#define NARROWS_KERNELS_ADT_CHUNK_CUH

#include "kernels/adt/adt_lane.h"
#include "kernels/adt/quad.cuh"

static __device__ bool aligned(const void *address, size_t to)
{
    return (uintptr_t)address % to == 0;
}

/* How many weights to take off the front so that quads start on word boundaries, preferably with the weights on a
 * multiple of 16 bytes; n if that cannot be. */
static __device__ size_t head_of(const uint8_t *packed, const uint8_t *weights, size_t n, int bytes_per_weight)
{
    size_t best = n;

    if (aligned(weights, 4))
        for (size_t head = 0; head < 4 && head < n; head++)
            if (aligned(packed + bytes_per_weight * head, 4) && (best == n || aligned(weights + 4 * head, 16)))
                best = head;
    return best;
}

static __device__ void pack_bytes(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        adt_pack_lane(dst + bytes_per_weight * i, adt_unpack_lane(src + 4 * i, 4), bytes_per_weight);
}

static __device__ void unpack_bytes(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight)
{
    for (size_t i = threadIdx.x; i < n; i += blockDim.x)
        adt_pack_lane(dst + 4 * i, adt_unpack_lane(src + bytes_per_weight * i, bytes_per_weight), 4);
}

/* Both sides of a quad are moved at once where both are aligned to their size. */
template <int KEEP, bool WIDE>
__device__ void pack_quads(uint32_t *__restrict__ dst, const uint32_t *__restrict__ src, unsigned quads)
{
#pragma unroll 4
    for (unsigned q = threadIdx.x; q < quads; q += blockDim.x) {
        uint32_t weight[4], packed[KEEP];

        load_words<4, WIDE>(weight, src + 4 * q);
        pack_quad<KEEP>(packed, weight);
        store_words<KEEP, WIDE>(dst + KEEP * q, packed);
    }
}

/* Word w holds the kept bytes 4 w .. 4 w + 3, the first of them byte w mod 3 of weight w + w div 3. */
static __device__ void pack_three(uint32_t *__restrict__ dst, const uint32_t *__restrict__ src, unsigned quads)
{
#pragma unroll 4
    for (unsigned w = threadIdx.x; w < 3 * quads; w += blockDim.x) {
        unsigned i = w + w / 3, from = 8 + 8 * (w % 3);

        dst[w] = src[i] >> from | (src[i + 1] & 0xffffff00u) << (24 - from);
    }
}

template <int KEEP, bool WIDE>
__device__ void unpack_quads(uint32_t *__restrict__ dst, const uint32_t *__restrict__ src, unsigned quads)
{
#pragma unroll 4
    for (unsigned q = threadIdx.x; q < quads; q += blockDim.x) {
        uint32_t weight[4], packed[KEEP];

        load_words<KEEP, WIDE>(packed, src + KEEP * q);
        unpack_quad<KEEP>(weight, packed);
        store_words<4, WIDE>(dst + 4 * q, weight);
    }
}

template <int KEEP> __device__ void pack_kept(uint8_t *dst, const uint8_t *src, size_t n)
{
    size_t head = head_of(dst, src, n, KEEP), tail = head + (n - head) / 4 * 4;
    unsigned quads = (unsigned)(tail - head) / 4;
    uint32_t *to = reinterpret_cast<uint32_t *>(dst + KEEP * head);
    const uint32_t *from = reinterpret_cast<const uint32_t *>(src + 4 * head);

    pack_bytes(dst, src, head, KEEP);
    if (KEEP == 3)
        pack_three(to, from, quads);
    else if (aligned(from, 16) && aligned(to, 4 * KEEP))
        pack_quads<KEEP, true>(to, from, quads);
    else
        pack_quads<KEEP, false>(to, from, quads);
    pack_bytes(dst + KEEP * tail, src + 4 * tail, n - tail, KEEP);
}

template <int KEEP> __device__ void unpack_kept(uint8_t *dst, const uint8_t *src, size_t n)
{
    size_t head = head_of(src, dst, n, KEEP), tail = head + (n - head) / 4 * 4;
    unsigned quads = (unsigned)(tail - head) / 4;
    uint32_t *to = reinterpret_cast<uint32_t *>(dst + 4 * head);
    const uint32_t *from = reinterpret_cast<const uint32_t *>(src + KEEP * head);

    unpack_bytes(dst, src, head, KEEP);
    if (aligned(to, 16) && (KEEP == 3 || aligned(from, 4 * KEEP)))
        unpack_quads<KEEP, true>(to, from, quads);
    else
        unpack_quads<KEEP, false>(to, from, quads);
    unpack_bytes(dst + 4 * tail, src + KEEP * tail, n - tail, KEEP);
}

/* Chunk number 'chunk' of n weights. Every chunk starts where the whole does, relative to 16 bytes. */
static __device__ void pack_chunk(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight, size_t chunk)
{
    size_t at = chunk * ADT_CHUNK, take = n - at < ADT_CHUNK ? n - at : (size_t)ADT_CHUNK;

    dst += bytes_per_weight * at;
    src += 4 * at;
    if (bytes_per_weight == 4)
        pack_kept<4>(dst, src, take);
    else if (bytes_per_weight == 3)
        pack_kept<3>(dst, src, take);
    else if (bytes_per_weight == 2)
        pack_kept<2>(dst, src, take);
    else
        pack_kept<1>(dst, src, take);
}

static __device__ void unpack_chunk(uint8_t *dst, const uint8_t *src, size_t n, int bytes_per_weight, size_t chunk)
{
    size_t at = chunk * ADT_CHUNK, take = n - at < ADT_CHUNK ? n - at : (size_t)ADT_CHUNK;

    dst += 4 * at;
    src += bytes_per_weight * at;
    if (bytes_per_weight == 4)
        unpack_kept<4>(dst, src, take);
    else if (bytes_per_weight == 3)
        unpack_kept<3>(dst, src, take);
    else if (bytes_per_weight == 2)
        unpack_kept<2>(dst, src, take);
    else
        unpack_kept<1>(dst, src, take);
}

#endif
