/* onebit_lane.h - the definition. */
#ifndef NARROWS_KERNELS_ONEBIT_LANE_H
#define NARROWS_KERNELS_ONEBIT_LANE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "kernels/shared/lane.h"

enum { ONEBIT_BLOCK = 4096, ONEBIT_LANES = 32 };

/* The sums of a block's values of each sign. */
struct onebit_sums {
    double positive, negative;
    uint64_t negatives; /* how many values are below 0 */
};

struct onebit_means {
    float positive, negative;
};

/* e + v, or 0 if that is not finite. */
NW_LANE float onebit_accumulate(float e, float v)
{
    float x = e + v;
    uint32_t bits;

    memcpy(&bits, &x, sizeof(bits));
    return (bits & 0x7fffffffu) < 0x7f800000u ? x : 0.0f;
}

NW_LANE double onebit_fold(double *lane)
{
    for (int half = ONEBIT_LANES / 2; half; half /= 2)
        for (int j = 0; j < half; j++)
            lane[j] += lane[j + half];
    return lane[0];
}

/* All blocks together. */
NW_LANE struct onebit_means onebit_means_of(const struct onebit_sums *block, size_t n)
{
    double positive[ONEBIT_LANES] = { 0 }, negative[ONEBIT_LANES] = { 0 };
    struct onebit_means m = { 0.0f, 0.0f };
    uint64_t negatives = 0;

    for (size_t b = 0; b * ONEBIT_BLOCK < n; b++) {
        positive[b % ONEBIT_LANES] += block[b].positive;
        negative[b % ONEBIT_LANES] += block[b].negative;
        negatives += block[b].negatives;
    }
    if (n > negatives)
        m.positive = (float)(onebit_fold(positive) / (double)(n - negatives));
    if (negatives)
        m.negative = (float)(onebit_fold(negative) / (double)negatives);
    return m;
}

NW_LANE size_t onebit_bytes(size_t n)
{
    return n / 8 + (n % 8 != 0);
}

/* May a payload hold these means? By their bits: from 0 up; 0, or below it. */
NW_LANE int onebit_means_are_valid(struct onebit_means m)
{
    uint32_t positive, negative;

    memcpy(&positive, &m.positive, sizeof(positive));
    memcpy(&negative, &m.negative, sizeof(negative));
    return positive < 0x7f800000u && (!negative || (negative > 0x80000000u && negative < 0xff800000u));
}

#endif
