/* operations.c - the table of the operations of convolutional networks. */
#include "tests/train/ops/cuda/trial.h"

#define SIZE(name, value)                      \
    static int64_t name(const struct trial *t) \
    {                                          \
        return value;                          \
    }
SIZE(in, t->conv.batch * t->conv.in_channels * t->conv.in_height * t->conv.in_width)
SIZE(out, t->conv.batch * t->conv.out_channels * t->conv.out_height * t->conv.out_width)
SIZE(pooled, t->conv.batch * t->conv.in_channels * t->conv.out_height * t->conv.out_width)
SIZE(weights, t->conv.out_channels *conv_taps(&t->conv))
SIZE(out_channels, t->conv.out_channels)
SIZE(channels, t->conv.in_channels)
SIZE(second, t->second.batch * t->second.channels * t->second.height * t->second.width)
SIZE(patch, t->patch.batch * t->patch.channels * t->patch.height * t->patch.width)
SIZE(batch, t->conv.batch)
SIZE(row_in, t->conv.in_channels * t->conv.in_height)
SIZE(row_out, t->conv.out_channels * t->conv.out_width)
SIZE(rows_in, t->conv.batch *row_in(t))
SIZE(rows_out, t->conv.batch *row_out(t))
SIZE(rows_weights, row_in(t) * row_out(t))
SIZE(line, t->n)
SIZE(one, t ? 1 : 0)

static struct image_shape image(const struct trial *t)
{
    return (struct image_shape){ t->conv.batch, t->conv.in_channels, t->conv.in_height, t->conv.in_width };
}

static struct conv_shape pool(const struct trial *t)
{
    struct conv_shape s = t->conv;

    s.out_channels = s.in_channels;
    return s;
}

#define RUN(name, call)                                                                                  \
    static int name(const struct ops_backend *b, struct ops *o, const struct trial *t, float *const a[]) \
    {                                                                                                    \
        struct image_shape s = image(t);                                                                 \
        struct conv_shape p = pool(t);                                                                   \
        const struct conv_shape *c = &t->conv;                                                           \
                                                                                                         \
        (void)s;                                                                                         \
        (void)p;                                                                                         \
        (void)c;                                                                                         \
        return b->call;                                                                                  \
    }
RUN(conv, conv_forward(o, c, a[0], a[1], a[2], a[3], t->workspace, t->nworkspace, NULL))
RUN(conv_bare, conv_forward(o, c, a[0], a[1], NULL, a[2], t->workspace, t->nworkspace, NULL))
RUN(conv_data, conv_backward_data(o, c, a[0], a[1], a[2], t->workspace, t->nworkspace, NULL))
RUN(conv_weights, conv_backward_weights(o, c, a[0], a[1], a[2], a[3], t->workspace, t->nworkspace, NULL))
RUN(conv_weights_bare, conv_backward_weights(o, c, a[0], a[1], a[2], NULL, t->workspace, t->nworkspace, NULL))
RUN(fc, fc_forward(o, c->batch, row_in(t), row_out(t), a[0], a[1], a[2], a[3], NULL))
RUN(fc_data, fc_backward_data(o, c->batch, row_in(t), row_out(t), a[0], a[1], a[2], NULL))
RUN(fc_weights, fc_backward_weights(o, c->batch, row_in(t), row_out(t), a[0], a[1], a[2], a[3], NULL))
RUN(norm, norm_forward(o, &s, a[0], a[1], a[2], a[3], a[4], a[5], NULL))
RUN(norm_again, norm_again(o, &s, a[0], a[1], a[2], a[3], a[4], a[5], NULL))
RUN(norm_back, norm_backward(o, &s, a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], NULL))
RUN(norm_back_bare, norm_backward(o, &s, a[0], a[1], a[2], a[3], a[4], NULL, a[5], a[6], NULL))
RUN(relu, relu_forward(o, t->n, a[0], a[1], NULL))
RUN(relu_in_place, relu_forward(o, t->n, a[0], a[0], NULL))
RUN(relu_back, relu_backward(o, t->n, a[0], a[1], a[2], NULL))
RUN(relu_back_in_place, relu_backward(o, t->n, a[0], a[1], a[1], NULL))
RUN(sigmoid, sigmoid_forward(o, t->n, a[0], a[1], NULL))
RUN(sigmoid_back, sigmoid_backward(o, t->n, a[0], a[1], a[2], NULL))
RUN(drop, dropout(o, t->n, 0.4f, t->seed, a[0], a[1], NULL))
RUN(drop_in_place, dropout(o, t->n, 0.7f, t->seed, a[0], a[0], NULL))
RUN(maxpool, maxpool_forward(o, &p, a[0], a[1], NULL))
RUN(maxpool_back, maxpool_backward(o, &p, a[0], a[1], a[2], NULL))
RUN(avgpool, avgpool_forward(o, &p, a[0], a[1], NULL))
RUN(avgpool_back, avgpool_backward(o, &p, a[0], a[1], NULL))
RUN(add, add(o, &s, a[0], &t->second, t->stride, a[1], a[2], NULL))
RUN(add_in_place, add(o, &s, a[0], &t->second, t->stride, a[1], a[0], NULL))
RUN(add_back, add_backward(o, &s, &t->second, t->stride, a[0], a[1], NULL))
RUN(sum, accumulate(o, t->n, a[0], a[1], a[2], NULL))
RUN(sum_in_place, accumulate(o, t->n, a[0], a[1], a[0], NULL))
RUN(cut, cut(o, &s, &t->patch, t->top, t->left, a[0], a[1], NULL))
RUN(paste, paste(o, &s, &t->patch, t->top, t->left, a[0], a[1], NULL))
RUN(softmax, softmax_forward(o, c->batch, row_in(t), a[0], a[1], NULL))
RUN(softmax_back, softmax_backward(o, c->batch, row_in(t), a[0], (int32_t *)a[1], a[2], a[3], NULL))

const struct operation operations[] = {
    { "conv_forward", { in, weights, out_channels, out }, 8, 0, 2e-5, conv },
    { "conv_forward, no bias", { in, weights, out }, 4, 0, 2e-5, conv_bare },
    { "conv_backward_data", { out, weights, in }, 4, 0, 2e-5, conv_data },
    { "conv_backward_weights", { in, out, weights, out_channels }, 12, 0, 2e-5, conv_weights },
    { "conv_backward_weights, no bias", { in, out, weights }, 4, 0, 2e-5, conv_weights_bare },
    { "fc_forward", { rows_in, rows_weights, row_out, rows_out }, 8, 0, 2e-5, fc },
    { "fc_backward_data", { rows_out, rows_weights, rows_in }, 4, 0, 2e-5, fc_data },
    { "fc_backward_weights", { rows_in, rows_out, rows_weights, row_out }, 12, 0, 2e-5, fc_weights },
    { "norm_forward", { in, channels, channels, in, channels, channels }, 56, 0, 1e-5, norm },
    { "norm_again", { in, channels, channels, channels, channels, in }, 32, 0, 0, norm_again },
    { "norm_backward", { in, in, channels, channels, channels, in, channels, channels }, 224, 0, 1e-5, norm_back },
    { "norm_backward bare", { in, in, channels, channels, channels, channels, channels }, 96, 0, 1e-5, norm_back_bare },
    { "relu_forward", { line, line }, 2, 0, 0, relu },
    { "relu_forward, in place", { line }, 1, 0, 0, relu_in_place },
    { "relu_backward", { line, line, line }, 4, 0, 0, relu_back },
    { "relu_backward, in place", { line, line }, 2, 0, 0, relu_back_in_place },
    { "sigmoid_forward", { line, line }, 2, 0, 1e-6, sigmoid },
    { "sigmoid_backward", { line, line, line }, 4, 0, 0, sigmoid_back },
    { "dropout", { line, line }, 2, 0, 0, drop },
    { "dropout, in place", { line }, 1, 0, 0, drop_in_place },
    { "maxpool_forward", { in, pooled }, 2, 0, 0, maxpool },
    { "maxpool_backward", { in, pooled, in }, 4, 0, 0, maxpool_back },
    { "avgpool_forward", { in, pooled }, 2, 0, 0, avgpool },
    { "avgpool_backward", { pooled, in }, 2, 0, 0, avgpool_back },
    { "add", { in, second, in }, 4, 0, 0, add },
    { "add, in place", { in, second }, 1, 0, 0, add_in_place },
    { "add_backward", { in, second }, 2, 0, 0, add_back },
    { "accumulate", { line, line, line }, 4, 0, 0, sum },
    { "accumulate, in place", { line, line }, 1, 0, 0, sum_in_place },
    { "cut", { in, patch }, 2, 0, 0, cut },
    { "paste", { patch, in }, 2, 0, 0, paste },
    { "softmax_forward", { rows_in, rows_in }, 2, 0, 1e-6, softmax },
    { "softmax_backward", { rows_in, batch, rows_in, one }, 12, LABELS, 1e-6, softmax_back },
    { 0 },
};
