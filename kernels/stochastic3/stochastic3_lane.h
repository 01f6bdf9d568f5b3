/* stochastic3_lane.h - the definition: thresholds, random words and trits. All arithmetic is fp32, each operation
 * rounded to nearest even. */
#ifndef NARROWS_KERNELS_STOCHASTIC3_LANE_H
#define NARROWS_KERNELS_STOCHASTIC3_LANE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/shared/lane.h"
#include "kernels/threefry/threefry_lane.h"

/* 128 positions of a partition draw from 16 counters, so that vectors of 16 lanes need no shuffles. */
enum { STOCHASTIC3_GROUP = 128, STOCHASTIC3_LANES = 16 };

/* The weight of a partition's trit in a byte. */
NW_LANE int stochastic3_weight(int partition)
{
    return partition == 0 ? 81 : partition == 1 ? 27 : partition == 2 ? 9 : partition == 3 ? 3 : 1;
}

struct stochastic3_scale {
    float lift;   /* a power of two that keeps 'factor' from overflowing: 1 but for the smallest tensors */
    float factor; /* (2^32 - 1024) / (M lift): the rounding of both operations stays below 2^32 */
};

/* 'most': the bits of M, as of magnitude.h. */
NW_LANE struct stochastic3_scale stochastic3_scale_of(uint32_t most)
{
    struct stochastic3_scale s = { 1.0f, 0.0f };
    float m;

    memcpy(&m, &most, sizeof(m));
    if (most) {
        s.lift = m < 8.0779356694631609e-28f /* 2^-90 */ ? 1.2379400392853803e27f : 1.0f;
        s.factor = 4294966272.0f / (m * s.lift);
    }
    return s;
}

/* How many of 2^32 random words send the value. */
NW_LANE uint32_t stochastic3_threshold(float value, struct stochastic3_scale s)
{
    float t = fabsf(value) * s.lift * s.factor;

    if (t != t) /* of a NaN; and of an infinity among zeros, where M is 0 */
        return 0;
    return t < 4294967296.0f ? (uint32_t)t : 4294967040u; /* an infinity: the largest fp32 below 2^32 */
}

/* The key of a step. */
NW_LANE struct threefry_key stochastic3_key(uint64_t seed, uint64_t step)
{
    return threefry_key_of((uint32_t)seed, (uint32_t)(seed >> 32), (uint32_t)step, (uint32_t)(step >> 32));
}

/* The four words of counter 'block' of a partition. Position j of it, in its group of 128 as j = 32 w + 16 h + i, draws
 * word w of block 16 (group) + i, rotated by half a word if h is 1. */
NW_LANE void stochastic3_words(uint32_t word[4], const struct threefry_key *k, uint64_t block, int partition)
{
    word[0] = (uint32_t)block;
    word[1] = (uint32_t)(block >> 32);
    word[2] = (uint32_t)partition;
    word[3] = 0;
    threefry(word, k, THREEFRY_ROUNDS);
}

/* q + 1: 0, 1 or 2. */
NW_LANE int stochastic3_trit(float value, uint32_t drawn, struct stochastic3_scale s)
{
    uint32_t bits;

    if (drawn >= stochastic3_threshold(value, s))
        return 1;
    memcpy(&bits, &value, sizeof(bits));
    return bits >> 31 ? 0 : 2;
}

/* Back: the trit of a partition in a byte, and the value it stands for. */
NW_LANE int stochastic3_digit(int byte, int partition)
{
    return byte / stochastic3_weight(partition) % 3;
}

NW_LANE float stochastic3_value(int digit, float m)
{
    return (float)(digit - 1) * m;
}

NW_LANE size_t stochastic3_bytes(size_t n)
{
    return n / 5 + (n % 5 != 0);
}

#endif
