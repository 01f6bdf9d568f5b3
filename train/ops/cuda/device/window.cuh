/* window.cuh - a square window over one image, in the 32 bits that a thread counts with. */
#ifndef NARROWS_TRAIN_OPS_CUDA_WINDOW_CUH
#define NARROWS_TRAIN_OPS_CUDA_WINDOW_CUH

#include "train/ops/cuda/device/grid.cuh"
#include "train/ops/ops.h"

struct window {
    int in_channels, in_height, in_width, out_channels, out_height, out_width;
    int kernel, stride, top, left;
};

static inline window window_of(const struct conv_shape *s)
{
    window w = { (int)s->in_channels, (int)s->in_height, (int)s->in_width, (int)s->out_channels, (int)s->out_height,
                 (int)s->out_width,   (int)s->kernel,    (int)s->stride,   (int)s->pad_top,      (int)s->pad_left };

    return w;
}

/* Along one axis: the outputs 'from' to before 'to' whose window covers input position 'at'. */
struct cover {
    int from, to;
};

static __device__ inline cover cover_of(int at, int pad, int kernel, int stride, int outputs)
{
    int high = at + pad, low = high - kernel + 1;
    cover c = { low <= 0 ? 0 : (low + stride - 1) / stride, high < 0 ? 0 : high / stride + 1 };

    if (c.to > outputs)
        c.to = outputs;
    return c;
}

#endif
