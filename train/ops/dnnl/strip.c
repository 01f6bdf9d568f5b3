/* strip.c - pieces of a convolution: a strip of rows is a convolution of its own, with its own paddings. What negative
 * paddings skip and what no window reaches is not part of any strip, so a strip's paddings are never negative. */
#include "train/number.h"
#include "train/ops/dnnl/ops.h"

/* Some tenths of a millisecond on one core, so that cutting costs little; pieces enough for the cores of a host. */
enum { PIECE_FLOPS = 1 << 25, PIECES_MOST = 32 };

struct onednn_axis onednn_rows(const struct conv_shape *s)
{
    return (struct onednn_axis){ s->in_height, s->out_height, s->kernel, s->stride, s->pad_top, s->pad_bottom };
}

struct onednn_axis onednn_columns(const struct conv_shape *s)
{
    return (struct onednn_axis){ s->in_width, s->out_width, s->kernel, s->stride, s->pad_left, s->pad_right };
}

/* The windows end at 'end', the image at 'limit'. What lies between, and is too little for one more window, stays part
 * of the strip: oneDNN's fastest loops want the image as wide as the stride times the outputs. */
static struct onednn_strip finish(struct onednn_strip strip, const struct onednn_axis *a, int64_t end, int64_t limit)
{
    int64_t stop = least(end + a->stride - 1, limit);

    strip.image = stop - strip.image_at;
    strip.after = most(0, end - stop);
    return strip;
}

struct onednn_strip onednn_window_strip(const struct onednn_axis *a, int64_t from, int64_t to)
{
    int64_t first = from * a->stride - a->before, end = (to - 1) * a->stride - a->before + a->kernel;
    int64_t at = most(first, 0);

    return finish((struct onednn_strip){ at, 0, from, to - from, at - first, 0 }, a, end, a->image);
}

struct onednn_strip onednn_image_strip(const struct onednn_axis *a, int64_t from, int64_t to)
{
    int64_t w0 = a->window, w1 = 0, first, end, at;

    for (int64_t k = 0; k < a->kernel; k++) {
        struct cpu_range r = cpu_taps(from, to, k, a->before, a->stride, a->window);

        if (r.from < r.to) {
            w0 = least(w0, r.from);
            w1 = most(w1, r.to);
        }
    }
    if (w0 >= w1)
        return (struct onednn_strip){ from, 0, 0, 0, 0, 0 };
    first = w0 * a->stride - a->before;
    end = (w1 - 1) * a->stride - a->before + a->kernel;
    at = most(first, from);
    return finish((struct onednn_strip){ at, 0, w0, w1 - w0, at - first, 0 }, a, end, to);
}

bool onednn_strip_usable(const struct onednn_axis *a, const struct onednn_strip *strip)
{
    return strip->image > 0 && strip->window > 0 && strip->before < a->kernel && strip->after < a->kernel;
}

int64_t onednn_pieces(const struct conv_shape *s)
{
    int64_t flops =
        2 * s->batch * s->out_channels * s->out_height * s->out_width * s->in_channels * s->kernel * s->kernel;

    return most(1, least(flops / PIECE_FLOPS, PIECES_MOST));
}
