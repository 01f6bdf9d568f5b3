/* softmax_row.c - see softmax_row.h. The last vector of a row is filled up with values that are not summed. */
#include "train/ops/softmax_row.h"

#include <string.h>

#include "train/ops/cpu/cpu.h"
#include "train/ops/exp_lane.h"

enum { LANES = 16 };

CPU_CLONES static void largest(int64_t n, const float *x, float *most)
{
    float lane[LANES];

    memcpy(lane, most, sizeof(lane));
    for (int64_t i = 0; i + LANES <= n; i += LANES) {
        CPU_SIMD
        for (int64_t j = 0; j < LANES; j++)
            lane[j] = x[i + j] > lane[j] ? x[i + j] : lane[j];
    }
    memcpy(most, lane, sizeof(lane));
}

/* Whole vectors; the sums are added to. */
CPU_CLONES static void exponentials(int64_t n, const float *x, float most, float factor, float *y, double *sums)
{
    double lane[LANES];

    memcpy(lane, sums, sizeof(lane));
    for (int64_t i = 0; i + LANES <= n; i += LANES) {
        CPU_SIMD
        for (int64_t j = 0; j < LANES; j++) {
            y[i + j] = exp_lane((x[i + j] - most) * factor);
            lane[j] += (double)y[i + j];
        }
    }
    memcpy(sums, lane, sizeof(lane));
}

CPU_CLONES static void scale(int64_t n, float by, float *y)
{
    CPU_SIMD
    for (int64_t i = 0; i < n; i++)
        y[i] *= by;
}

static float most_of(int64_t n, const float *x)
{
    float lane[LANES], most;

    for (int64_t j = 0; j < LANES; j++)
        lane[j] = x[0];
    largest(n, x, lane);
    most = lane[0];
    for (int64_t j = 1; j < LANES; j++)
        most = lane[j] > most ? lane[j] : most;
    for (int64_t i = n / LANES * LANES; i < n; i++)
        most = x[i] > most ? x[i] : most;
    return most;
}

void softmax_row(int64_t n, const float *x, float factor, float *y)
{
    int64_t whole = n / LANES * LANES, rest = n - whole;
    float most = most_of(n, x), last[LANES];
    double lane[LANES] = { 0 }, ignored[LANES];

    exponentials(whole, x, most, factor, y, lane);
    if (rest) {
        for (int64_t j = 0; j < LANES; j++)
            last[j] = x[j < rest ? whole + j : whole];
        memcpy(ignored, lane, sizeof(lane));
        exponentials(LANES, last, most, factor, last, ignored);
        memcpy(lane, ignored, (size_t)rest * sizeof(*lane));
        memcpy(y + whole, last, (size_t)rest * sizeof(*y));
    }
    for (int64_t apart = LANES / 2; apart; apart /= 2)
        for (int64_t j = 0; j < apart; j++)
            lane[j] += lane[j + apart];
    scale(n, (float)(1 / lane[0]), y);
}
