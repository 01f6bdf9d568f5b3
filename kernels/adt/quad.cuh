/* quad.cuh - four weights, 16 bytes, and the 'KEEP' whole words that they become. */
#ifndef NARROWS_KERNELS_ADT_QUAD_CUH
#define NARROWS_KERNELS_ADT_QUAD_CUH

#include <stdint.h>

/* Word j is made of the kept bytes 4 j .. 4 j + 3. */
template <int KEEP> __device__ void pack_quad(uint32_t *packed, const uint32_t *weight)
{
    if (KEEP == 4) {
        for (int j = 0; j < 4; j++)
            packed[j % KEEP] = weight[j];
    } else if (KEEP == 3) {
        packed[0] = weight[0] >> 8 | (weight[1] & 0x0000ff00u) << 16;
        packed[1 % KEEP] = weight[1] >> 16 | (weight[2] & 0x00ffff00u) << 8;
        packed[2 % KEEP] = weight[2] >> 24 | (weight[3] & 0xffffff00u);
    } else if (KEEP == 2) {
        packed[0] = weight[0] >> 16 | (weight[1] & 0xffff0000u);
        packed[1 % KEEP] = weight[2] >> 16 | (weight[3] & 0xffff0000u);
    } else {
        packed[0] = weight[0] >> 24 | (weight[1] >> 24) << 8 | (weight[2] >> 24) << 16 | (weight[3] & 0xff000000u);
    }
}

template <int KEEP> __device__ void unpack_quad(uint32_t *weight, const uint32_t *packed)
{
    if (KEEP == 4) {
        for (int j = 0; j < 4; j++)
            weight[j] = packed[j % KEEP];
    } else if (KEEP == 3) {
        weight[0] = packed[0] << 8;
        weight[1] = (packed[0] >> 16 & 0x0000ff00u) | packed[1 % KEEP] << 16;
        weight[2] = (packed[1 % KEEP] >> 8 & 0x00ffff00u) | packed[2 % KEEP] << 24;
        weight[3] = packed[2 % KEEP] & 0xffffff00u;
    } else if (KEEP == 2) {
        for (int j = 0; j < 2; j++) {
            weight[2 * j] = packed[j % KEEP] << 16;
            weight[2 * j + 1] = packed[j % KEEP] & 0xffff0000u;
        }
    } else {
        for (int j = 0; j < 4; j++)
            weight[j] = packed[0] << (24 - 8 * j) & 0xff000000u;
    }
}

/* 'WORDS' words as one access where they are 'WIDE', aligned to their own size, else one by one. */
template <int WORDS, bool WIDE> __device__ void load_words(uint32_t *value, const uint32_t *from)
{
    if (WORDS == 4 && WIDE) {
        uint4 v = *reinterpret_cast<const uint4 *>(from);

        value[0] = v.x, value[1 % WORDS] = v.y, value[2 % WORDS] = v.z, value[3 % WORDS] = v.w;
    } else if (WORDS == 2 && WIDE) {
        uint2 v = *reinterpret_cast<const uint2 *>(from);

        value[0] = v.x, value[1 % WORDS] = v.y;
    } else {
        for (int j = 0; j < WORDS; j++)
            value[j] = from[j];
    }
}

template <int WORDS, bool WIDE> __device__ void store_words(uint32_t *to, const uint32_t *value)
{
    if (WORDS == 4 && WIDE) {
        *reinterpret_cast<uint4 *>(to) = make_uint4(value[0], value[1 % WORDS], value[2 % WORDS], value[3 % WORDS]);
    } else if (WORDS == 2 && WIDE) {
        *reinterpret_cast<uint2 *>(to) = make_uint2(value[0], value[1 % WORDS]);
    } else {
        for (int j = 0; j < WORDS; j++)
            to[j] = value[j];
    }
}

#endif
