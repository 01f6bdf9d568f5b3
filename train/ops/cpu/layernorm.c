/* layernorm.c - normalization of each row by itself. A row's sums are double, in cpu_sum()'s order; those of the
 * gradients are double, over the rows in rising order. With h = (x - mean) inv_std: y = h scale + shift. */
#include <math.h>

#include "train/ops/cpu/cpu.h"

static const double epsilon = 1e-5;

/* Values of a row whose gradients are summed side by side: few, so that there are parts for all threads. */
enum { PART = 64 };

int cpu_check_layernorm(struct ops *o, int64_t rows, int64_t dim)
{
    return rows < 1 || dim < 1 ? cpu_fail(o, "layer norm: %lld rows of %lld values", (long long)rows, (long long)dim)
                               : 0;
}

/* sum (x - mean)^2: the second pass, so that a large mean costs no precision. */
CPU_CLONES static double squares(const float *x, int64_t n, double mean)
{
    double lane[4] = { 0 };
    int64_t i = 0;

    for (; i + 4 <= n; i += 4)
        for (int64_t j = 0; j < 4; j++) {
            double d = (double)x[i + j] - mean;

            lane[j] += d * d;
        }
    for (int64_t j = 0; i < n; i++, j++)
        lane[j] += ((double)x[i] - mean) * ((double)x[i] - mean);
    return (lane[0] + lane[2]) + (lane[1] + lane[3]);
}

CPU_CLONES static void forward_row(int64_t dim, const float *restrict x, const float *restrict scale,
                                   const float *restrict shift, float mean, float inv_std, float *restrict y)
{
    for (int64_t i = 0; i < dim; i++)
        y[i] = (x[i] - mean) * inv_std * scale[i] + shift[i];
}

int cpu_layernorm_forward(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *scale,
                          const float *shift, float *y, float *mean, float *inv_std, void *stream)
{
    int rc = cpu_check_layernorm(o, rows, dim);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(rows * dim)
    for (int64_t r = 0; r < rows; r++) {
        double m = cpu_sum(x + r * dim, dim) / (double)dim;

        mean[r] = (float)m;
        inv_std[r] = (float)(1 / sqrt(squares(x + r * dim, dim, m) / (double)dim + epsilon));
        forward_row(dim, x + r * dim, scale, shift, mean[r], inv_std[r], y + r * dim);
    }
    return 0;
}

/* dx = inv_std (g - mean of g - h mean of (g h)), where g = dy scale. */
CPU_CLONES static void backward_row(int64_t dim, const float *restrict x, const float *restrict dy,
                                    const float *restrict scale, float mean, float inv_std, float *restrict dx)
{
    double sum, dot;
    float constant, slope;

    for (int64_t i = 0; i < dim; i++)
        dx[i] = dy[i] * scale[i];
    sum = cpu_sum(dx, dim);
    dot = cpu_dot(dx, x, dim) - (double)mean * sum;
    constant = (float)(sum / (double)dim);
    slope = (float)(dot * (double)inv_std * (double)inv_std / (double)dim);
    for (int64_t i = 0; i < dim; i++)
        dx[i] = inv_std * (dx[i] - constant - (x[i] - mean) * slope);
}

CPU_CLONES static void add_gradients(int64_t rows, int64_t dim, int64_t first, int64_t count, const float *x,
                                     const float *dy, const float *mean, const float *inv_std, float *dscale,
                                     float *dshift)
{
    double scales[PART] = { 0 }, shifts[PART] = { 0 };

    for (int64_t r = 0; r < rows; r++) {
        const float *at = x + r * dim + first, *error = dy + r * dim + first;
        double m = (double)mean[r], factor = (double)inv_std[r];

        for (int64_t i = 0; i < count; i++) {
            scales[i] += (double)error[i] * (((double)at[i] - m) * factor);
            shifts[i] += (double)error[i];
        }
    }
    for (int64_t i = 0; i < count; i++) {
        dscale[first + i] += (float)scales[i];
        dshift[first + i] += (float)shifts[i];
    }
}

int cpu_layernorm_backward(struct ops *o, int64_t rows, int64_t dim, const float *x, const float *dy,
                           const float *scale, const float *mean, const float *inv_std, float *dx, float *dscale,
                           float *dshift, void *stream)
{
    int rc = cpu_check_layernorm(o, rows, dim);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(rows * dim)
    for (int64_t r = 0; r < rows; r++)
        backward_row(dim, x + r * dim, dy + r * dim, scale, mean[r], inv_std[r], dx + r * dim);
    CPU_PARALLEL_FOR(rows * dim)
    for (int64_t first = 0; first < dim; first += PART)
        add_gradients(rows, dim, first, dim - first < PART ? dim - first : PART, x, dy, mean, inv_std, dscale, dshift);
    return 0;
}
