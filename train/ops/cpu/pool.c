/* pool.c - pooling, a plane at a time. The channels in are the channels out. */
#include <string.h>

#include "train/number.h"
#include "train/ops/cpu/cpu.h"

/* What lies within the image of the window of output (oh, ow). */
struct window {
    int64_t top, bottom, left, right;
};

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

/* The largest of nothing is not defined: the first and the last window must reach into the image. */
static int check_max(struct ops *o, const struct conv_shape *s)
{
    struct window first = window_of(s, 0, 0), last = window_of(s, s->out_height - 1, s->out_width - 1);

    if (first.top >= first.bottom || first.left >= first.right || last.top >= last.bottom || last.left >= last.right)
        return cpu_fail(o, "max pooling: a window lies in the padding alone");
    if (s->in_height > INT32_MAX / s->in_width)
        return cpu_fail(o, "max pooling: images of more than 2^31 values");
    return 0;
}

/* The first of the largest values of the window, in rising order. */
static int64_t largest(const struct conv_shape *s, const float *x, struct window at)
{
    int64_t best = at.top * s->in_width + at.left;

    for (int64_t h = at.top; h < at.bottom; h++)
        for (int64_t w = at.left; w < at.right; w++)
            if (x[h * s->in_width + w] > x[best])
                best = h * s->in_width + w;
    return best;
}

static float largest_value(const struct conv_shape *s, const float *x, struct window at)
{
    float value = x[at.top * s->in_width + at.left];

    for (int64_t h = at.top; h < at.bottom; h++)
        for (int64_t w = at.left; w < at.right; w++)
            value = x[h * s->in_width + w] > value ? x[h * s->in_width + w] : value;
    return value;
}

/* Neighbouring windows of a row that are looked at together. */
enum { WINDOWS = 128, ENOUGH = 8 };
struct maxima {
    int64_t count;
    float value[WINDOWS];
    int32_t place[WINDOWS];
};

/* The windows see height x width values each, the first one 'seen'; as largest() of each. 'stride' and 'places' are
 * constants where this is inlined: only so do compilers take several windows at a time. */
__attribute__((always_inline)) static inline void find(const float *x, int64_t pitch, struct window seen,
                                                       int64_t stride, bool places, struct maxima *m)
{
    int64_t first = seen.top * pitch + seen.left, count = m->count;

    for (int64_t i = 0; i < count; i++)
        m->value[i] = x[first + i * stride];
    for (int64_t i = 0; i < count && places; i++)
        m->place[i] = (int32_t)(first + i * stride);
    for (int64_t h = seen.top; h < seen.bottom; h++)
        for (int64_t w = seen.left; w < seen.right; w++) {
            int64_t tap = h * pitch + w;

            CPU_SIMD
            for (int64_t i = 0; i < count; i++) {
                float value = x[tap + i * stride];
                bool greater = value > m->value[i];

                m->value[i] = greater ? value : m->value[i];
                if (places)
                    m->place[i] = greater ? (int32_t)(tap + i * stride) : m->place[i];
            }
        }
}

CPU_CLONES static void find_maxima(const float *x, int64_t pitch, struct window seen, int64_t stride, bool places,
                                   struct maxima *m)
{
    if (stride == 1 && places)
        find(x, pitch, seen, 1, true, m);
    else if (stride == 1)
        find(x, pitch, seen, 1, false, m);
    else if (stride == 2 && places)
        find(x, pitch, seen, 2, true, m);
    else if (stride == 2)
        find(x, pitch, seen, 2, false, m);
    else
        find(x, pitch, seen, stride, places, m);
}

/* Windows of a row that do not hang over the sides, if they are enough to be looked at together; else none. */
static struct cpu_range inner(const struct conv_shape *s)
{
    int64_t from = cpu_taps(0, s->in_width, 0, s->pad_left, s->stride, s->out_width).from;
    int64_t to = cpu_taps(0, s->in_width, s->kernel - 1, s->pad_left, s->stride, s->out_width).to;

    return to - from >= ENOUGH ? (struct cpu_range){ from, to } : (struct cpu_range){ s->out_width, s->out_width };
}

static void maxpool_plane(const struct conv_shape *s, const float *x, float *y)
{
    struct cpu_range in = inner(s);
    struct maxima m;

    for (int64_t oh = 0; oh < s->out_height; oh++, y += s->out_width) {
        for (int64_t ow = 0; ow < in.from; ow++)
            y[ow] = largest_value(s, x, window_of(s, oh, ow));
        for (int64_t ow = in.from; ow < in.to; ow += m.count) {
            m.count = least(in.to - ow, WINDOWS);
            find_maxima(x, s->in_width, window_of(s, oh, ow), s->stride, false, &m);
            memcpy(y + ow, m.value, (size_t)m.count * sizeof(*y));
        }
        for (int64_t ow = in.to; ow < s->out_width; ow++)
            y[ow] = largest_value(s, x, window_of(s, oh, ow));
    }
}

static void maxpool_plane_backward(const struct conv_shape *s, const float *x, const float *dy, float *dx)
{
    struct cpu_range in = inner(s);
    struct maxima m;

    memset(dx, 0, (size_t)(s->in_height * s->in_width) * sizeof(*dx));
    for (int64_t oh = 0; oh < s->out_height; oh++, dy += s->out_width) {
        for (int64_t ow = 0; ow < in.from; ow++)
            dx[largest(s, x, window_of(s, oh, ow))] += dy[ow];
        for (int64_t ow = in.from; ow < in.to; ow += m.count) {
            m.count = least(in.to - ow, WINDOWS);
            find_maxima(x, s->in_width, window_of(s, oh, ow), s->stride, true, &m);
            for (int64_t i = 0; i < m.count; i++)
                dx[m.place[i]] += dy[ow + i];
        }
        for (int64_t ow = in.to; ow < s->out_width; ow++)
            dx[largest(s, x, window_of(s, oh, ow))] += dy[ow];
    }
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
