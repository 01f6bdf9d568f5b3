/* cuda.cu - pack and unpack on the device (Algorithm 5). A leaf: kernels and their launchers, on the default stream.
 * A thread takes four weights, 16 bytes, and the 'keep' whole words they become: neighbouring threads touch
 * neighbouring words on both sides. That needs the packed side on a word boundary and the weights on theirs; at most
 * three weights are taken off the front to get there. What cannot be aligned, and the ends, go weight by weight. */
#include <cuda_runtime.h>

#include "kernels/adt/adt_lane.h"
#include "kernels/adt/device.h"

/* Some million threads fill any device; with more weights each thread takes several turns. */
enum { THREADS = 256, MAX_BLOCKS = 4096 };

/* Packed words of four weights: word j is made of the kept bytes 4 j .. 4 j + 3. */
template <int KEEP> __device__ void pack_quad(uint32_t *packed, const uint32_t *weight)
{
    if (KEEP == 4) {
        for (int j = 0; j < 4; j++)
            packed[j] = weight[j];
    } else if (KEEP == 3) {
        packed[0] = weight[0] >> 8 | (weight[1] & 0x0000ff00u) << 16;
        packed[1] = weight[1] >> 16 | (weight[2] & 0x00ffff00u) << 8;
        packed[2] = weight[2] >> 24 | (weight[3] & 0xffffff00u);
    } else if (KEEP == 2) {
        packed[0] = weight[0] >> 16 | (weight[1] & 0xffff0000u);
        packed[1] = weight[2] >> 16 | (weight[3] & 0xffff0000u);
    } else {
        packed[0] = weight[0] >> 24 | (weight[1] >> 24) << 8 | (weight[2] >> 24) << 16 | (weight[3] & 0xff000000u);
    }
}

template <int KEEP> __device__ void unpack_quad(uint32_t *weight, const uint32_t *packed)
{
    if (KEEP == 4) {
        for (int j = 0; j < 4; j++)
            weight[j] = packed[j];
    } else if (KEEP == 3) {
        weight[0] = packed[0] << 8;
        weight[1] = (packed[0] >> 16 & 0x0000ff00u) | packed[1] << 16;
        weight[2] = (packed[1] >> 8 & 0x00ffff00u) | packed[2] << 24;
        weight[3] = packed[2] & 0xffffff00u;
    } else if (KEEP == 2) {
        for (int j = 0; j < 2; j++) {
            weight[2 * j] = packed[j] << 16;
            weight[2 * j + 1] = packed[j] & 0xffff0000u;
        }
    } else {
        for (int j = 0; j < 4; j++)
            weight[j] = packed[0] << (24 - 8 * j) & 0xff000000u;
    }
}

/* 'WORDS' words as one access where the address allows ('wide', the same for every thread), else one by one. */
template <int WORDS> __device__ void load_words(uint32_t *value, const uint32_t *from, bool wide)
{
    if (WORDS == 4 && wide) {
        uint4 v = *reinterpret_cast<const uint4 *>(from);

        value[0] = v.x, value[1 % WORDS] = v.y, value[2 % WORDS] = v.z, value[3 % WORDS] = v.w;
    } else if (WORDS == 2 && wide) {
        uint2 v = *reinterpret_cast<const uint2 *>(from);

        value[0] = v.x, value[1 % WORDS] = v.y;
    } else {
        for (int j = 0; j < WORDS; j++)
            value[j] = from[j];
    }
}

template <int WORDS> __device__ void store_words(uint32_t *to, const uint32_t *value, bool wide)
{
    if (WORDS == 4 && wide) {
        *reinterpret_cast<uint4 *>(to) = make_uint4(value[0], value[1 % WORDS], value[2 % WORDS], value[3 % WORDS]);
    } else if (WORDS == 2 && wide) {
        *reinterpret_cast<uint2 *>(to) = make_uint2(value[0], value[1 % WORDS]);
    } else {
        for (int j = 0; j < WORDS; j++)
            to[j] = value[j];
    }
}

template <int KEEP>
__global__ static void pack_quads(uint32_t *dst, const uint32_t *src, size_t quads, bool dst_wide, bool src_wide)
{
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += step) {
        uint32_t weight[4], packed[KEEP];

        load_words<4>(weight, src + 4 * q, src_wide);
        pack_quad<KEEP>(packed, weight);
        store_words<KEEP>(dst + KEEP * q, packed, dst_wide);
    }
}

template <int KEEP>
__global__ static void unpack_quads(uint32_t *dst, const uint32_t *src, size_t quads, bool dst_wide, bool src_wide)
{
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t q = (size_t)blockIdx.x * blockDim.x + threadIdx.x; q < quads; q += step) {
        uint32_t weight[4], packed[KEEP];

        load_words<KEEP>(packed, src + KEEP * q, src_wide);
        unpack_quad<KEEP>(weight, packed);
        store_words<4>(dst + 4 * q, weight, dst_wide);
    }
}

__global__ static void pack_bytes(uint8_t *dst, const uint8_t *src, size_t n, int keep)
{
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        adt_pack_lane(dst + keep * i, adt_unpack_lane(src + 4 * i, 4), keep);
}

__global__ static void unpack_bytes(uint8_t *dst, const uint8_t *src, size_t n, int keep)
{
    size_t step = (size_t)gridDim.x * blockDim.x;

    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step)
        adt_pack_lane(dst + 4 * i, adt_unpack_lane(src + keep * i, keep), 4);
}

static unsigned blocks_for(size_t items)
{
    size_t blocks = (items + THREADS - 1) / THREADS;

    return blocks < MAX_BLOCKS ? (unsigned)blocks : (unsigned)MAX_BLOCKS;
}

static bool aligned(const void *address, size_t to)
{
    return (uintptr_t)address % to == 0;
}

/* How many weights to take off the front so that quads start on word boundaries, preferably with the weights on a
 * multiple of 16 bytes; n if that cannot be. */
static size_t head_of(const uint8_t *packed, const uint8_t *weights, size_t n, int keep)
{
    size_t best = n;

    if (aligned(weights, 4))
        for (size_t head = 0; head < 4 && head < n; head++)
            if (aligned(packed + keep * head, 4) && (best == n || aligned(weights + 4 * head, 16)))
                best = head;
    return best;
}

template <int KEEP> static void launch_pack(uint8_t *dst, const uint8_t *src, size_t quads)
{
    pack_quads<KEEP><<<blocks_for(quads), THREADS>>>((uint32_t *)dst, (const uint32_t *)src, quads,
                                                     aligned(dst, 4 * KEEP), aligned(src, 16));
}

template <int KEEP> static void launch_unpack(uint8_t *dst, const uint8_t *src, size_t quads)
{
    unpack_quads<KEEP><<<blocks_for(quads), THREADS>>>((uint32_t *)dst, (const uint32_t *)src, quads, aligned(dst, 16),
                                                       aligned(src, 4 * KEEP));
}

static void launch_pack_bytes(uint8_t *dst, const uint8_t *src, size_t n, int keep)
{
    if (n)
        pack_bytes<<<blocks_for(n), THREADS>>>(dst, src, n, keep);
}

static void launch_unpack_bytes(uint8_t *dst, const uint8_t *src, size_t n, int keep)
{
    if (n)
        unpack_bytes<<<blocks_for(n), THREADS>>>(dst, src, n, keep);
}

void adt_pack_cuda(uint8_t *dst, const void *src, size_t n, int keep)
{
    const uint8_t *from = (const uint8_t *)src;
    size_t head = head_of(dst, from, n, keep), quads = (n - head) / 4, tail = head + 4 * quads;
    void (*launch)(uint8_t *, const uint8_t *, size_t) = keep == 4   ? launch_pack<4>
                                                         : keep == 3 ? launch_pack<3>
                                                         : keep == 2 ? launch_pack<2>
                                                                     : launch_pack<1>;

    launch_pack_bytes(dst, from, head, keep);
    if (quads)
        launch(dst + keep * head, from + 4 * head, quads);
    launch_pack_bytes(dst + keep * tail, from + 4 * tail, n - tail, keep);
}

void adt_unpack_cuda(void *dst, const uint8_t *src, size_t n, int keep)
{
    uint8_t *to = (uint8_t *)dst;
    size_t head = head_of(src, to, n, keep), quads = (n - head) / 4, tail = head + 4 * quads;
    void (*launch)(uint8_t *, const uint8_t *, size_t) = keep == 4   ? launch_unpack<4>
                                                         : keep == 3 ? launch_unpack<3>
                                                         : keep == 2 ? launch_unpack<2>
                                                                     : launch_unpack<1>;

    launch_unpack_bytes(to, src, head, keep);
    if (quads)
        launch(to + 4 * head, src + keep * head, quads);
    launch_unpack_bytes(to + 4 * tail, src + keep * tail, n - tail, keep);
}

/* A device may be there and too old or too new for this build: ask whether it has code for a kernel. */
bool adt_cuda_usable(void)
{
    int count = 0;
    cudaFuncAttributes attributes;
    bool usable = cudaGetDeviceCount(&count) == cudaSuccess && count > 0 &&
                  cudaFuncGetAttributes(&attributes, pack_bytes) == cudaSuccess;

    if (!usable)
        cudaGetLastError(); /* a question is no error */
    return usable;
}
