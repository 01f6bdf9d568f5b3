/* l2norm_cases.h - weights and norms for the tests of the host and of the device. */
#ifndef NARROWS_TESTS_L2NORM_CASES_H
#define NARROWS_TESTS_L2NORM_CASES_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>

/* Norms by hand. The squares and their sum are exact in each, so the root is the only rounding. */
struct l2norm_case {
    const char *why;
    size_t n;
    uint32_t bits[8];
    double norm;
};
static const struct l2norm_case l2norm_cases[] = {
    { "nothing", 0, { 0 }, 0 },
    { "3 and -4", 2, { 0x40400000, 0xc0800000 }, 5 },
    { "-0", 1, { 0x80000000 }, 0 },
    { "eight ones",
      8,
      { 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000, 0x3f800000 },
      2.8284271247461903 },
    { "the smallest denormal, which fp32 could not square", 1, { 0x00000001 }, 0x1p-149 },
    { "the largest number, which fp32 could not square", 1, { 0x7f7fffff }, 0x1.fffffep127 },
    { "infinity", 2, { 0xff800000, 0x3f800000 }, INFINITY },
    { "a NaN", 2, { 0x3f800000, 0xffc12345 }, NAN },
    { "infinity and a signalling NaN", 2, { 0x7f800000, 0x7f800001 }, NAN },
};
enum { L2NORM_NCASES = sizeof(l2norm_cases) / sizeof(l2norm_cases[0]) };

/* Weights of very different size, so that another order of the sum gives another result. */
static inline float l2norm_weight(size_t i)
{
    uint32_t h = (uint32_t)(i + 1) * 0x9e3779b1u;
    float x = (float)(int32_t)(h ^ h >> 15) * 0x1p-31f;

    return i % 7 == 0 ? x * 0x1p20f : i % 11 == 0 ? x * 0x1p-140f : x;
}

/* The order that l2norm.h states, on its own: unoptimised, recursive where the header folds. */
static inline double fold_as_stated(const double *lane, size_t j, size_t half)
{
    if (half == 32)
        return lane[j];
    return fold_as_stated(lane, j, half * 2) + fold_as_stated(lane, j + half, half * 2);
}

static inline double l2norm_as_stated(const float *w, size_t n)
{
    double total[32] = { 0 };

    for (size_t b = 0; b * 4096 < n; b++) {
        double lane[32] = { 0 };

        for (size_t j = 0; j < 32; j++)
            for (size_t i = b * 4096 + j; i < n && i < (b + 1) * 4096; i += 32)
                lane[j] += (double)w[i] * (double)w[i];
        total[b % 32] += fold_as_stated(lane, 0, 1);
    }
    return sqrt(fold_as_stated(total, 0, 1));
}

#endif
