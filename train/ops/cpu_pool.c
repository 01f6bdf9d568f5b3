/* cpu_pool.c - pooling, a plane at a time. The channels in are the channels out. */
#include <string.h>

#include "train/ops/cpu.h"

/* What lies within the image of the window of output (oh, ow). */
struct window {
    int64_t top, bottom, left, right;
};

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static struct window window_of(const struct conv_shape *s, int64_t oh, int64_t ow)
{
    int64_t top = oh * s->stride - s->pad_top, left = ow * s->stride - s->pad_left;

    return (struct window){ most(top, 0), least(top + s->kernel, s->in_height), most(left, 0),
                            least(left + s->kernel, s->in_width) };
}

static int check(struct ops *o, const struct conv_shape *s)
{
    if (s->in_channels != s->out_channels)
        return cpu_fail(o, "pooling: %lld channels in, %lld out", (long long)s->in_channels,
                        (long long)s->out_channels);
    return cpu_check_conv(o, s);
}

/* The greatest of nothing is not defined: the first and the last window must reach into the image. */
static int check_max(struct ops *o, const struct conv_shape *s)
{
    struct window first = window_of(s, 0, 0), last = window_of(s, s->out_height - 1, s->out_width - 1);

    if (first.top >= first.bottom || first.left >= first.right || last.top >= last.bottom || last.left >= last.right)
        return cpu_fail(o, "max pooling: a window lies in the padding alone");
    return 0;
}

/* The first of the greatest values of the window, in rising order. */
static int64_t greatest(const struct conv_shape *s, const float *x, struct window at)
{
    int64_t best = at.top * s->in_width + at.left;

    for (int64_t h = at.top; h < at.bottom; h++)
        for (int64_t w = at.left; w < at.right; w++)
            if (x[h * s->in_width + w] > x[best])
                best = h * s->in_width + w;
    return best;
}

static void maxpool_plane(const struct conv_shape *s, const float *x, float *y)
{
    for (int64_t oh = 0; oh < s->out_height; oh++)
        for (int64_t ow = 0; ow < s->out_width; ow++)
            *y++ = x[greatest(s, x, window_of(s, oh, ow))];
}

static void maxpool_plane_backward(const struct conv_shape *s, const float *x, const float *dy, float *dx)
{
    memset(dx, 0, (size_t)(s->in_height * s->in_width) * sizeof(*dx));
    for (int64_t oh = 0; oh < s->out_height; oh++)
        for (int64_t ow = 0; ow < s->out_width; ow++)
            dx[greatest(s, x, window_of(s, oh, ow))] += *dy++;
}

int cpu_maxpool_forward(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream)
{
    int64_t nin = s->in_height * s->in_width, nout = s->out_height * s->out_width;
    int rc = check(o, s);

    (void)stream;
    if (!rc)
        rc = check_max(o, s);
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->in_channels * nin)
    for (int64_t p = 0; p < s->batch * s->in_channels; p++)
        maxpool_plane(s, x + p * nin, y + p * nout);
    return 0;
}

int cpu_maxpool_backward(struct ops *o, const struct conv_shape *s, const float *x, const float *dy, float *dx,
                         void *stream)
{
    int64_t nin = s->in_height * s->in_width, nout = s->out_height * s->out_width;
    int rc = check(o, s);

    (void)stream;
    if (!rc)
        rc = check_max(o, s);
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->in_channels * nin)
    for (int64_t p = 0; p < s->batch * s->in_channels; p++)
        maxpool_plane_backward(s, x + p * nin, dy + p * nout, dx + p * nin);
    return 0;
}

static void avgpool_plane(const struct conv_shape *s, const float *x, float *y)
{
    for (int64_t oh = 0; oh < s->out_height; oh++)
        for (int64_t ow = 0; ow < s->out_width; ow++) {
            struct window at = window_of(s, oh, ow);
            double sum = 0;

            for (int64_t h = at.top; h < at.bottom; h++)
                for (int64_t w = at.left; w < at.right; w++)
                    sum += (double)x[h * s->in_width + w];
            *y++ = (float)(sum / (double)(s->kernel * s->kernel));
        }
}

static void avgpool_plane_backward(const struct conv_shape *s, const float *dy, float *dx)
{
    memset(dx, 0, (size_t)(s->in_height * s->in_width) * sizeof(*dx));
    for (int64_t oh = 0; oh < s->out_height; oh++)
        for (int64_t ow = 0; ow < s->out_width; ow++) {
            struct window at = window_of(s, oh, ow);
            float share = *dy++ / (float)(s->kernel * s->kernel);

            for (int64_t h = at.top; h < at.bottom; h++)
                for (int64_t w = at.left; w < at.right; w++)
                    dx[h * s->in_width + w] += share;
        }
}

int cpu_avgpool_forward(struct ops *o, const struct conv_shape *s, const float *x, float *y, void *stream)
{
    int64_t nin = s->in_height * s->in_width, nout = s->out_height * s->out_width;
    int rc = check(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->in_channels * nin)
    for (int64_t p = 0; p < s->batch * s->in_channels; p++)
        avgpool_plane(s, x + p * nin, y + p * nout);
    return 0;
}

int cpu_avgpool_backward(struct ops *o, const struct conv_shape *s, const float *dy, float *dx, void *stream)
{
    int64_t nin = s->in_height * s->in_width, nout = s->out_height * s->out_width;
    int rc = check(o, s);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(s->batch * s->in_channels * nin)
    for (int64_t p = 0; p < s->batch * s->in_channels; p++)
        avgpool_plane_backward(s, dy + p * nout, dx + p * nin);
    return 0;
}
