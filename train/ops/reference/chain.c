/* chain.c - products in the modes of kernels/gemm/fma_lane.h, as ops.h orders them: value by value. */
#include "train/ops/reference/chain.h"

#include "kernels/gemm/fma_lane.h"
#include "train/ops/cpu/cpu.h"

struct chain {
    enum fma_mode mode;
    float sum;
};

static struct chain begin(enum fma_mode mode, float from)
{
    return (struct chain){ mode, fma_start(mode, from) };
}

static void add(struct chain *c, float a, float b)
{
    c->sum = fma_step(c->mode, fma_input(c->mode, a), fma_input(c->mode, b), c->sum);
}

/* What the tap (kh, kw) of the window of output (oh, ow) sees. */
static float seen(const struct conv_shape *s, const float *plane, int64_t oh, int64_t ow, int64_t kh, int64_t kw)
{
    int64_t ih = oh * s->stride + kh - s->pad_top, iw = ow * s->stride + kw - s->pad_left;

    return ih < 0 || ih >= s->in_height || iw < 0 || iw >= s->in_width ? 0 : plane[ih * s->in_width + iw];
}

static float output(enum fma_mode mode, const struct conv_shape *s, const float *x, const float *w, float bias,
                    int64_t oh, int64_t ow)
{
    int64_t k = s->kernel;
    struct chain c = begin(mode, bias);

    for (int64_t i = 0; i < s->in_channels / conv_groups(s); i++)
        for (int64_t tap = 0; tap < k * k; tap++)
            add(&c, w[i * k * k + tap], seen(s, x + i * s->in_height * s->in_width, oh, ow, tap / k, tap % k));
    return fma_result(c.sum);
}

void chain_conv_forward(enum fma_mode mode, const struct conv_shape *s, const float *x, const float *w,
                        const float *bias, float *y)
{
    int64_t nin = s->in_channels * s->in_height * s->in_width, nout = s->out_height * s->out_width;
    int64_t taps = conv_taps(s), outs = s->out_channels / conv_groups(s);

    CPU_PARALLEL_FOR(s->batch * s->out_channels * nout * taps)
    for (int64_t p = 0; p < s->batch * s->out_channels; p++) {
        int64_t n = p / s->out_channels, c = p % s->out_channels;
        const float *from = x + n * nin + c / outs * (nin / conv_groups(s));

        for (int64_t i = 0; i < nout; i++)
            y[p * nout + i] =
                output(mode, s, from, w + c * taps, bias ? bias[c] : 0, i / s->out_width, i % s->out_width);
    }
}

/* The error of an input, over the windows that reach it, a chain over output channels each. dy, w: of the
 * first output channel of its group, w of this input channel. */
static float input_error(enum fma_mode mode, bool whole, const struct conv_shape *s, const float *dy, const float *w,
                         int64_t ih, int64_t iw)
{
    int64_t k = s->kernel, taps = conv_taps(s), nout = s->out_height * s->out_width;
    float sum = 0;

    for (int64_t tap = 0; tap < k * k; tap++) {
        int64_t oh = ih + s->pad_top - tap / k, ow = iw + s->pad_left - tap % k;
        struct chain c = begin(mode, 0);

        if (oh < 0 || ow < 0 || oh % s->stride || ow % s->stride || oh / s->stride >= s->out_height ||
            ow / s->stride >= s->out_width)
            continue;
        for (int64_t j = 0; j < s->out_channels / conv_groups(s); j++)
            add(&c, w[j * taps + tap], dy[j * nout + oh / s->stride * s->out_width + ow / s->stride]);
        sum += fma_result(c.sum);
        sum = whole ? fma_start(mode, sum) : sum;
    }
    return sum;
}

void chain_conv_backward_data(enum fma_mode mode, bool whole, const struct conv_shape *s, const float *dy,
                              const float *w, float *dx)
{
    int64_t nin = s->in_height * s->in_width, nout = s->out_channels * s->out_height * s->out_width;
    int64_t groups = conv_groups(s), ins = s->in_channels / groups, nweights = s->out_channels * conv_taps(s);

    CPU_PARALLEL_FOR(s->batch * ins * nout * s->kernel * s->kernel)
    for (int64_t p = 0; p < s->batch * s->in_channels; p++) {
        int64_t n = p / s->in_channels, g = p % s->in_channels / ins;
        const float *from = dy + n * nout + g * (nout / groups);
        const float *weights = w + g * (nweights / groups) + p % ins * s->kernel * s->kernel;

        for (int64_t i = 0; i < nin; i++)
            dx[p * nin + i] = input_error(mode, whole, s, from, weights, i / s->in_width, i % s->in_width);
    }
}

/* The positions of one image, in the gradient of a weight. */
static void add_image(struct chain *c, const struct conv_shape *s, const float *x, const float *dy, int64_t kh,
                      int64_t kw)
{
    for (int64_t i = 0; i < s->out_height * s->out_width; i++)
        add(c, dy[i], seen(s, x, i / s->out_width, i % s->out_width, kh, kw));
}

void chain_conv_backward_weights(enum fma_mode mode, bool whole, const struct conv_shape *s, const float *x,
                                 const float *dy, float *dw)
{
    int64_t nin = s->in_height * s->in_width, nout = s->out_height * s->out_width, k = s->kernel;

    CPU_PARALLEL_FOR(s->batch * s->out_channels * nout * conv_taps(s))
    for (int64_t p = 0; p < s->out_channels * conv_taps(s); p++) {
        int64_t out = p / conv_taps(s), ins = s->in_channels / conv_groups(s);
        int64_t in = out / (s->out_channels / conv_groups(s)) * ins + p / (k * k) % ins;
        struct chain c = begin(mode, 0);

        for (int64_t n = 0; n < s->batch; n++) {
            add_image(&c, s, x + (n * s->in_channels + in) * nin, dy + (n * s->out_channels + out) * nout, p / k % k,
                      p % k);
            if (whole && n < s->batch - 1)
                continue;
            dw[p] += fma_result(c.sum);
            c = begin(mode, 0);
        }
    }
}

/* Each of m x n values: a chain from 'from' or 0 of k products of a[i * ai + p * ap] and b[j * bj + p * bp]. */
struct product {
    int64_t m, n, k, ai, ap, bj, bp;
    const float *a, *b;
};

static float element(enum fma_mode mode, const struct product *p, int64_t i, int64_t j, float from)
{
    struct chain c = begin(mode, from);

    for (int64_t q = 0; q < p->k; q++)
        add(&c, p->a[i * p->ai + q * p->ap], p->b[j * p->bj + q * p->bp]);
    return fma_result(c.sum);
}

void chain_fc_forward(enum fma_mode mode, int64_t batch, int64_t in, int64_t out, const float *x, const float *w,
                      const float *bias, float *y)
{
    const struct product p = { batch, out, in, in, 1, in, 1, x, w };

    CPU_PARALLEL_FOR(batch * in * out)
    for (int64_t i = 0; i < batch * out; i++)
        y[i] = element(mode, &p, i / out, i % out, bias ? bias[i % out] : 0);
}

void chain_fc_backward_data(enum fma_mode mode, int64_t batch, int64_t in, int64_t out, const float *dy, const float *w,
                            float *dx)
{
    const struct product p = { batch, in, out, out, 1, 1, in, dy, w };

    CPU_PARALLEL_FOR(batch * in * out)
    for (int64_t i = 0; i < batch * in; i++)
        dx[i] = element(mode, &p, i / in, i % in, 0);
}

void chain_fc_backward_weights(enum fma_mode mode, int64_t batch, int64_t in, int64_t out, const float *x,
                               const float *dy, float *dw)
{
    const struct product p = { out, in, batch, 1, out, 1, in, dy, x };

    CPU_PARALLEL_FOR(batch * in * out)
    for (int64_t i = 0; i < out * in; i++)
        dw[i] += element(mode, &p, i / in, i % in, 0);
}
