/* elementwise.c - operations on one value at a time, and sums of two tensors. */
#include <string.h>

#include "train/ops/cpu/cpu.h"
#include "train/ops/draw_lane.h"
#include "train/ops/exp_lane.h"

CPU_CLONES static void relu(int64_t n, const float *x, float *y)
{
    CPU_EACH_PIECE(n, from, to)
    {
        cpu_will_read(x + from + CPU_AHEAD);
        cpu_will_write(y + from + CPU_AHEAD);
        CPU_SIMD
        for (int64_t i = from; i < to; i++)
            y[i] = x[i] > 0 ? x[i] : 0;
    }
}

int cpu_relu_forward(struct ops *o, int64_t n, const float *x, float *y, void *stream)
{
    (void)o;
    (void)stream;
    CPU_EACH_SPAN(n, at)
    relu(cpu_span(n, at), x + at, y + at);
    return 0;
}

/* The error is read in any case: only so can it be several at a time. */
CPU_CLONES static void relu_errors(int64_t n, const float *y, const float *dy, float *dx)
{
    CPU_EACH_PIECE(n, from, to)
    {
        cpu_will_read(y + from + CPU_AHEAD);
        cpu_will_read(dy + from + CPU_AHEAD);
        cpu_will_write(dx + from + CPU_AHEAD);
        CPU_SIMD
        for (int64_t i = from; i < to; i++) {
            float error = dy[i];

            dx[i] = y[i] > 0 ? error : 0;
        }
    }
}

int cpu_relu_backward(struct ops *o, int64_t n, const float *y, const float *dy, float *dx, void *stream)
{
    (void)o;
    (void)stream;
    CPU_EACH_SPAN(n, at)
    relu_errors(cpu_span(n, at), y + at, dy + at, dx + at);
    return 0;
}

CPU_CLONES static void sigmoid(int64_t n, const float *x, float *y)
{
    CPU_SIMD
    for (int64_t i = 0; i < n; i++) {
        float e = exp_lane(x[i] > 0 ? -x[i] : x[i]);

        y[i] = (x[i] > 0 ? 1 : e) / (1 + e);
    }
}

int cpu_sigmoid_forward(struct ops *o, int64_t n, const float *x, float *y, void *stream)
{
    (void)o;
    (void)stream;
    CPU_EACH_SPAN(n, at)
    sigmoid(cpu_span(n, at), x + at, y + at);
    return 0;
}

CPU_CLONES static void sigmoid_errors(int64_t n, const float *y, const float *dy, float *dx)
{
    CPU_SIMD
    for (int64_t i = 0; i < n; i++)
        dx[i] = dy[i] * (y[i] * (1 - y[i]));
}

int cpu_sigmoid_backward(struct ops *o, int64_t n, const float *y, const float *dy, float *dx, void *stream)
{
    (void)o;
    (void)stream;
    CPU_EACH_SPAN(n, at)
    sigmoid_errors(cpu_span(n, at), y + at, dy + at, dx + at);
    return 0;
}

CPU_CLONES static void drop(int64_t n, uint64_t first, uint64_t seed, uint32_t share, float scale, const float *x,
                            float *y)
{
    CPU_SIMD
    for (int64_t i = 0; i < n; i++)
        y[i] = dropout_lane(x[i], first + (uint64_t)i, seed, share, scale);
}

int cpu_dropout(struct ops *o, int64_t n, float rate, uint64_t seed, const float *x, float *y, void *stream)
{
    uint32_t share;
    float scale;

    (void)stream;
    if (!(rate >= 0 && rate < 1))
        return cpu_fail(o, "dropout: a rate in [0, 1) was expected, %g came", (double)rate);
    share = draw_dropped_share(rate);
    scale = 1 / (1 - rate);
    CPU_EACH_SPAN(n, at)
    drop(cpu_span(n, at), (uint64_t)at, seed, share, scale, x + at, y + at);
    return 0;
}

CPU_CLONES static void sum(int64_t n, const float *x, const float *x2, float *y)
{
    CPU_EACH_PIECE(n, from, to)
    {
        cpu_will_read(x + from + CPU_AHEAD);
        cpu_will_read(x2 + from + CPU_AHEAD);
        cpu_will_write(y + from + CPU_AHEAD);
        CPU_SIMD
        for (int64_t i = from; i < to; i++)
            y[i] = x[i] + x2[i];
    }
}

int cpu_accumulate(struct ops *o, int64_t n, const float *x, const float *x2, float *y, void *stream)
{
    (void)o;
    (void)stream;
    CPU_EACH_SPAN(n, at)
    sum(cpu_span(n, at), x + at, x2 + at, y + at);
    return 0;
}

/* The second image must have a value for each position of the first. */
static int check_add(struct ops *o, const struct image_shape *s, const struct image_shape *second, int64_t stride)
{
    int rc = cpu_check_image(o, s);

    if (!rc)
        rc = cpu_check_image(o, second);
    if (rc)
        return rc;
    if (stride < 1 || s->batch != second->batch || (s->height - 1) * stride >= second->height ||
        (s->width - 1) * stride >= second->width)
        return cpu_fail(o, "add: %lld x %lld x %lld and, at stride %lld, %lld x %lld x %lld", (long long)s->batch,
                        (long long)s->height, (long long)s->width, (long long)stride, (long long)second->batch,
                        (long long)second->height, (long long)second->width);
    return 0;
}

static void add_row(int64_t width, const float *x, const float *x2, int64_t stride, float *y)
{
    if (stride == 1)
        sum(width, x, x2, y);
    else
        for (int64_t w = 0; w < width; w++)
            y[w] = x[w] + x2[w * stride];
}

int cpu_add(struct ops *o, const struct image_shape *s, const float *x, const struct image_shape *second,
            int64_t stride, const float *x2, float *y, void *stream)
{
    int64_t area = s->height * s->width, area2 = second->height * second->width;
    int rc = check_add(o, s, second, stride);

    (void)stream;
    if (rc)
        return rc;
    if (stride == 1 && s->channels == second->channels && area == area2)
        return cpu_accumulate(o, s->batch * s->channels * area, x, x2, y, NULL);
    CPU_PARALLEL_FOR(s->batch * s->channels * area)
    for (int64_t p = 0; p < s->batch * s->channels; p++) {
        int64_t n = p / s->channels, c = p % s->channels;
        const float *plane = x2 + (n * second->channels + c) * area2;

        if (c >= second->channels) {
            memmove(y + p * area, x + p * area, (size_t)area * sizeof(*y));
            continue;
        }
        for (int64_t h = 0; h < s->height; h++)
            add_row(s->width, x + p * area + h * s->width, plane + h * second->width * stride, stride,
                    y + p * area + h * s->width);
    }
    return 0;
}

int cpu_add_backward(struct ops *o, const struct image_shape *s, const struct image_shape *second, int64_t stride,
                     const float *dy, float *dx2, void *stream)
{
    int64_t area = s->height * s->width, area2 = second->height * second->width;
    int rc = check_add(o, s, second, stride);

    (void)stream;
    if (rc)
        return rc;
    CPU_PARALLEL_FOR(second->batch * second->channels * area2)
    for (int64_t p = 0; p < second->batch * second->channels; p++) {
        int64_t n = p / second->channels, c = p % second->channels;
        const float *plane = dy + (n * s->channels + c) * area;

        for (int64_t i = 0; i < area2; i++)
            dx2[p * area2 + i] = 0;
        for (int64_t h = 0; h < s->height && c < s->channels; h++)
            for (int64_t w = 0; w < s->width; w++)
                dx2[p * area2 + (h * second->width + w) * stride] = plane[h * s->width + w];
    }
    return 0;
}
