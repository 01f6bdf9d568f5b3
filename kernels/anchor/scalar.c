/* scalar.c - the plain loops, which also take the ends of the others. */
#include <math.h>

#include "kernels/anchor/host.h"

void anchor_update_scalar(float *y, const float *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] += x[i];
}

void anchor_scale_scalar(float *y, size_t n)
{
    for (size_t i = 0; i < n; i++)
        y[i] *= -1.0f;
}

float anchor_read_scalar(const float *x, size_t n)
{
    float most = 0;

    for (size_t i = 0; i < n; i++)
        most = fabsf(x[i]) > most ? fabsf(x[i]) : most;
    return most;
}
