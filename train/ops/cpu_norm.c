/* cpu_norm.c - batch normalization. A channel's sums are double: over the batch in rising order, within an image in cpu_sum()'s. */
#include <math.h>

#include "train/ops/cpu.h"

static const double epsilon = 1e-5;

/* sum (x - mean)^2: the second pass, so that a large mean costs no precision. */
static double squares(const float *x, int64_t n, double mean)
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

static void statistics(const struct image_shape *s, const float *x, int64_t c, float *mean, float *inv_std)
{
    int64_t area = s->height * s->width, count = s->batch * area;
    double sum = 0, variance = 0;

    for (int64_t n = 0; n < s->batch; n++)
        sum += cpu_sum(x + (n * s->channels + c) * area, area);
    for (int64_t n = 0; n < s->batch; n++)
        variance += squares(x + (n * s->channels + c) * area, area, sum / (double)count);
    mean[c] = (float)(sum / (double)count);
    inv_std[c] = (float)(1 / sqrt(variance / (double)count + epsilon));
}

static void normalize(const struct image_shape *s, const float *x, int64_t c, float scale, float shift, float mean,
                      float inv_std, float *y)
{
    int64_t area = s->height * s->width;
    float factor = scale * inv_std;

    for (int64_t n = 0; n < s->batch; n++) {
        const float *from = x + (n * s->channels + c) * area;
        float *to = y + (n * s->channels + c) * area;

        for (int64_t i = 0; i < area; i++)
            to[i] = (from[i] - mean) * factor + shift;
    }
}

int cpu_norm_forward(struct ops *o, const struct image_shape *s, const float *x, const float *scale, const float *shift,
                     float *y, float *mean, float *inv_std, void *stream)
{
    int rc = cpu_check_image(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->channels * s->height * s->width)
    for (int64_t c = 0; c < s->channels; c++) {
        statistics(s, x, c, mean, inv_std);
        normalize(s, x, c, scale[c], shift[c], mean[c], inv_std[c], y);
    }
    return 0;
}

int cpu_norm_again(struct ops *o, const struct image_shape *s, const float *x, const float *scale, const float *shift,
                   const float *mean, const float *inv_std, float *y, void *stream)
{
    int rc = cpu_check_image(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->channels * s->height * s->width)
    for (int64_t c = 0; c < s->channels; c++)
        normalize(s, x, c, scale[c], shift[c], mean[c], inv_std[c], y);
    return 0;
}

/* With h = (x - mean) inv_std: dshift = sum dy, dscale = sum dy h, and dx = scale inv_std (dy - dshift / count - h dscale / count). */
static void backward_channel(const struct image_shape *s, const float *x, const float *dy, int64_t c, float scale,
                             float mean, float inv_std, float *dx, float *dscale, float *dshift)
{
    int64_t area = s->height * s->width;
    double count = (double)(s->batch * area), sum = 0, dot = 0, along;
    float factor = scale * inv_std, constant, slope;

    for (int64_t n = 0; n < s->batch; n++) {
        sum += cpu_sum(dy + (n * s->channels + c) * area, area);
        dot += cpu_dot(x + (n * s->channels + c) * area, dy + (n * s->channels + c) * area, area);
    }
    along = (dot - (double)mean * sum) * (double)inv_std;
    constant = (float)(sum / count);
    slope = (float)(along * (double)inv_std / count);
    for (int64_t n = 0; n < s->batch && dx; n++) {
        const float *error = dy + (n * s->channels + c) * area, *from = x + (n * s->channels + c) * area;
        float *to = dx + (n * s->channels + c) * area;

        for (int64_t i = 0; i < area; i++)
            to[i] = factor * (error[i] - constant - (from[i] - mean) * slope);
    }
    dscale[c] += (float)along;
    dshift[c] += (float)sum;
}

int cpu_norm_backward(struct ops *o, const struct image_shape *s, const float *x, const float *dy, const float *scale,
                      const float *mean, const float *inv_std, float *dx, float *dscale, float *dshift, void *stream)
{
    int rc = cpu_check_image(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->channels * s->height * s->width)
    for (int64_t c = 0; c < s->channels; c++)
        backward_channel(s, x, dy, c, scale[c], mean[c], inv_std[c], dx, dscale, dshift);
    return 0;
}
