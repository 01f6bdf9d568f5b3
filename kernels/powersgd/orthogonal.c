/* orthogonal.c - P becomes orthogonal. It has rank^2 operations a row, against those of all columns elsewhere: one
 * thread does it, in what vectors the compiler finds. */
#include "kernels/powersgd/host.h"

/* A product of two fp32 numbers is exact in a double. */
static double dot(const float *a, const float *b, size_t n)
{
    double lane[POWERSGD_LANES] = { 0 };
    size_t at = 0;

    for (; at + POWERSGD_LANES <= n; at += POWERSGD_LANES)
        for (size_t l = 0; l < POWERSGD_LANES; l++)
            lane[l] += (double)a[at + l] * (double)b[at + l];
    for (size_t l = 0; at + l < n; l++)
        lane[l] += (double)a[at + l] * (double)b[at + l];
    for (size_t half = POWERSGD_LANES / 2; half; half /= 2)
        for (size_t l = 0; l < half; l++)
            lane[l] += lane[l + half];
    return lane[0];
}

void powersgd_orthogonalise(float *p, size_t rank, size_t n)
{
    for (size_t k = 0; k < rank; k++) {
        float *x = p + k * n;
        double before = dot(x, x, n), factor;

        for (size_t other = 0; other < k; other++) {
            double share = dot(p + other * n, x, n);

            for (size_t i = 0; i < n; i++)
                x[i] = powersgd_less(x[i], share, p[other * n + i]);
        }
        factor = powersgd_factor(before, dot(x, x, n));
        for (size_t i = 0; i < n; i++)
            x[i] = powersgd_scaled(x[i], factor);
    }
}
