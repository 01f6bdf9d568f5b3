/* scalar.c - the reference. */
#include "kernels/powersgd/host.h"

float powersgd_fold(float lane[POWERSGD_LANES], const float *a, const float *b, size_t from, size_t n)
{
    for (size_t i = from; i < n; i++)
        lane[i % POWERSGD_LANES] += a[i] * b[i];
    for (size_t half = POWERSGD_LANES / 2; half; half /= 2)
        for (size_t l = 0; l < half; l++)
            lane[l] += lane[l + half];
    return powersgd_finite(lane[0]);
}

static float dot(const float *a, const float *b, size_t n)
{
    float lane[POWERSGD_LANES] = { 0 };

    return powersgd_fold(lane, a, b, 0, n);
}

static void add(float *y, const float *x, float share, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += share * x[i];
}

static void make_finite(float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] = powersgd_finite(y[i]);
}

const struct powersgd_spans powersgd_scalar = { &plain_scalar, dot, add, make_finite };
