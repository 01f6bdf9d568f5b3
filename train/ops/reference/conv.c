/* conv.c - convolution as it is defined. Sums are double and run over input channels, kernel rows and kernel columns
 * (or output channels; or batch and positions) in rising order; threads take whole planes, or whole weights. */
#include "train/ops/reference/chain.h"

#include "train/number.h"
#include "train/ops/cpu/cpu.h"

/* Values of a row that are summed side by side. */
enum { ROW = 256 };

/* A group on its own: for what is computed within it. */
static struct conv_shape group_of(const struct conv_shape *s)
{
    struct conv_shape one = *s;

    one.in_channels /= conv_groups(s);
    one.out_channels /= conv_groups(s);
    one.groups = 1;
    return one;
}

/* One row of outputs, from column 'first' on: every tap of every input channel is added to all of them. */
static void forward_row(const struct conv_shape *s, const float *x, const float *w, double *sum, int64_t oh,
                        int64_t first, int64_t count)
{
    for (int64_t i = 0; i < s->in_channels; i++)
        for (int64_t kh = 0; kh < s->kernel; kh++) {
            int64_t ih = oh * s->stride + kh - s->pad_top;

            if (ih < 0 || ih >= s->in_height)
                continue;
            for (int64_t kw = 0; kw < s->kernel; kw++) {
                int64_t pad = s->pad_left - first * s->stride;
                struct cpu_range at = cpu_taps(0, s->in_width, kw, pad, s->stride, count);
                const float *row = x + (i * s->in_height + ih) * s->in_width;
                double weight = (double)w[(i * s->kernel + kh) * s->kernel + kw];

                for (int64_t j = at.from; j < at.to; j++)
                    sum[j] += weight * (double)row[j * s->stride + kw - pad];
            }
        }
}

static void forward_plane(const struct conv_shape *s, const float *x, const float *w, float bias, float *y)
{
    for (int64_t oh = 0; oh < s->out_height; oh++)
        for (int64_t first = 0; first < s->out_width; first += ROW) {
            int64_t count = least(ROW, s->out_width - first);
            double sum[ROW];

            for (int64_t j = 0; j < count; j++)
                sum[j] = (double)bias;
            forward_row(s, x, w, sum, oh, first, count);
            for (int64_t j = 0; j < count; j++)
                y[oh * s->out_width + first + j] = (float)sum[j];
        }
}

int reference_conv_forward(struct ops *o, const struct conv_shape *s, const float *x, const float *w, const float *bias,
                           float *y, void *workspace, size_t nworkspace, void *stream)
{
    int64_t nin = s->in_channels * s->in_height * s->in_width, nout = s->out_height * s->out_width;
    int64_t taps = conv_taps(s), group = s->in_height * s->in_width;
    struct conv_shape one;
    int rc = cpu_check_conv(o, s);

    (void)workspace;
    (void)nworkspace;
    (void)stream;
    if (rc)
        return rc;
    cpu_count_conv(o, OPS_FORWARD, s);
    if (o->mode != FMA_FP32) {
        chain_conv_forward(o->mode, s, x, w, bias, y);
        return 0;
    }
    one = group_of(s);
    group *= one.in_channels;
    CPU_PARALLEL_FOR(s->batch * s->out_channels * nout * taps)
    for (int64_t p = 0; p < s->batch * s->out_channels; p++) {
        int64_t n = p / s->out_channels, c = p % s->out_channels;

        forward_plane(&one, x + n * nin + c / one.out_channels * group, w + c * taps, bias ? bias[c] : 0, y + p * nout);
    }
    return 0;
}

/* One row of input errors from column 'first' on: of every output channel, the windows that reach it. */
static void backward_row(const struct conv_shape *s, const float *dy, const float *w, double *sum, int64_t ih,
                         int64_t first, int64_t count)
{
    for (int64_t c = 0; c < s->out_channels; c++)
        for (int64_t kh = 0; kh < s->kernel; kh++) {
            int64_t oh = ih + s->pad_top - kh;

            if (oh < 0 || oh % s->stride || oh / s->stride >= s->out_height)
                continue;
            for (int64_t kw = 0; kw < s->kernel; kw++) {
                struct cpu_range at = cpu_taps(first, first + count, kw, s->pad_left, s->stride, s->out_width);
                const float *row = dy + (c * s->out_height + oh / s->stride) * s->out_width;
                double weight = (double)w[c * s->in_channels * s->kernel * s->kernel + kh * s->kernel + kw];
                int64_t shift = kw - s->pad_left - first;

                for (int64_t j = at.from; j < at.to; j++)
                    sum[j * s->stride + shift] += weight * (double)row[j];
            }
        }
}

/* w: of this input channel, at the first output channel. */
static void backward_plane(const struct conv_shape *s, const float *dy, const float *w, float *dx)
{
    for (int64_t ih = 0; ih < s->in_height; ih++)
        for (int64_t first = 0; first < s->in_width; first += ROW) {
            int64_t count = least(ROW, s->in_width - first);
            double sum[ROW] = { 0 };

            backward_row(s, dy, w, sum, ih, first, count);
            for (int64_t j = 0; j < count; j++)
                dx[ih * s->in_width + first + j] = (float)sum[j];
        }
}

int reference_conv_backward_data(struct ops *o, const struct conv_shape *s, const float *dy, const float *w, float *dx,
                                 void *workspace, size_t nworkspace, void *stream)
{
    int64_t nin = s->in_height * s->in_width, nout = s->out_channels * s->out_height * s->out_width;
    int64_t taps = s->kernel * s->kernel, group = s->out_height * s->out_width;
    struct conv_shape one;
    int rc = cpu_check_conv(o, s);

    (void)workspace;
    (void)nworkspace;
    (void)stream;
    if (rc)
        return rc;
    cpu_count_conv(o, OPS_BACKWARD_DATA, s);
    if (o->mode != FMA_FP32) {
        chain_conv_backward_data(o->mode, cpu_whole_chains(o), s, dy, w, dx);
        return 0;
    }
    one = group_of(s);
    group *= one.out_channels;
    CPU_PARALLEL_FOR(s->batch * s->in_channels * nout * taps)
    for (int64_t p = 0; p < s->batch * s->in_channels; p++) {
        int64_t n = p / s->in_channels, g = p % s->in_channels / one.in_channels, i = p % one.in_channels;

        backward_plane(&one, dy + n * nout + g * group, w + (g * one.out_channels * one.in_channels + i) * taps,
                       dx + p * nin);
    }
    return 0;
}

/* The gradient of one weight: over the batch and all positions of the output, error times what the tap saw. */
static double weight_gradient(const struct conv_shape *s, const float *x, const float *dy, int64_t kh, int64_t kw)
{
    struct cpu_range rows = cpu_taps(0, s->in_height, kh, s->pad_top, s->stride, s->out_height);
    struct cpu_range columns = cpu_taps(0, s->in_width, kw, s->pad_left, s->stride, s->out_width);
    int64_t shift = kw - s->pad_left;
    double sum = 0;

    for (int64_t n = 0; n < s->batch; n++)
        for (int64_t oh = rows.from; oh < rows.to; oh++) {
            const float *errors = dy + (n * s->out_channels * s->out_height + oh) * s->out_width;
            const float *row = x + (n * s->in_channels * s->in_height + oh * s->stride + kh - s->pad_top) * s->in_width;

            if (s->stride == 1) {
                sum += cpu_dot(errors + columns.from, row + columns.from + shift, columns.to - columns.from);
                continue;
            }
            for (int64_t j = columns.from; j < columns.to; j++)
                sum += (double)errors[j] * (double)row[j * s->stride + shift];
        }
    return sum;
}

static void add_gradients(const struct conv_shape *s, const float *x, const float *dy, float *dw)
{
    int64_t nin = s->in_height * s->in_width, nout = s->out_height * s->out_width, k = s->kernel;
    struct conv_shape one = group_of(s);

    CPU_PARALLEL_FOR(s->batch * s->out_channels * nout * one.in_channels * k * k)
    for (int64_t p = 0; p < s->out_channels * one.in_channels; p++) {
        int64_t out = p / one.in_channels, in = out / one.out_channels * one.in_channels + p % one.in_channels;

        for (int64_t tap = 0; tap < k * k; tap++)
            dw[p * k * k + tap] += (float)weight_gradient(s, x + in * nin, dy + out * nout, tap / k, tap % k);
    }
}

int reference_conv_backward_weights(struct ops *o, const struct conv_shape *s, const float *x, const float *dy,
                                    float *dw, float *dbias, void *workspace, size_t nworkspace, void *stream)
{
    int rc = cpu_check_conv(o, s);

    (void)workspace;
    (void)nworkspace;
    (void)stream;
    if (rc)
        return rc;
    cpu_count_conv(o, OPS_BACKWARD_WEIGHTS, s);
    if (o->mode == FMA_FP32)
        add_gradients(s, x, dy, dw);
    else
        chain_conv_backward_weights(o->mode, cpu_whole_chains(o), s, x, dy, dw);
    if (dbias)
        cpu_add_bias_gradient(s->batch, s->out_channels, s->out_height * s->out_width, dy, dbias);
    return 0;
}
