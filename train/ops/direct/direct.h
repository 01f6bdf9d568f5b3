/* direct.h - convolutions at stride 1 in fp32 by the loops of kernels/conv, for the backends on the CPU. Images are laid as planes, some
 * side by side where they are small, or a strip of rows at a time where they are large; all output channels are computed from a plane
 * while it is in a second-level cache.
 * Order      an output is one chain of fused multiply-adds from its bias on, over input channels, kernel rows and kernel columns in
 *            rising order, zeros of the padding among them: what the products of kernels/gemm give, too. An input's error is one chain
 *            over output channels, and kernel rows and columns in falling order. A weight's gradient is the sum of those of some parts
 *            of the batch, in the order of conv.h; the parts follow from the shape, and the sum is added to what is there.
 * Threads    take strips of the output, or parts of the batch and output channels: no sum depends on them. */
#ifndef NARROWS_TRAIN_OPS_DIRECT_H
#define NARROWS_TRAIN_OPS_DIRECT_H

#include "kernels/conv/conv.h"
#include "train/ops/cpu/cpu.h"

/* The best row of this processor; NULL if there is but the reference. */
const struct conv_impl *direct_row(void);

enum direct_way { DIRECT_FORWARD, DIRECT_DATA, DIRECT_WEIGHTS, DIRECT_WAYS };

/* How images lie in planes. */
struct direct {
    /* What slides over what. */
    int64_t batch, channels, in_height, in_width, outputs, out_height, out_width, kernel, top, left;
    int64_t side, groups;         /* images side by side, and groups of so many */
    int64_t rows, strips, places; /* rows of outputs in a strip, strips of an image, places of a strip */
    int64_t width, pitch, plane;  /* of an image with its zeros, of a row of a plane, of a channel's plane */
};

/* Can these loops do it, and without much waste? To the data the errors are what is laid. */
bool direct_takes(const struct conv_shape *s, enum direct_way way, struct direct *d);
/* Of the loops' steps those that compute outputs; the rest go into zeros between rows, and into channels that are not there. */
double direct_share(const struct direct *d);

/* Bytes of scratch at a multiple of 64. */
size_t direct_slide_size(const struct direct *d);
size_t direct_gradient_size(const struct direct *d);

/* Forward; or, 'flipped', to the data. bias: NULL for none. */
void direct_slide(const struct conv_impl *row, const struct direct *d, bool flipped, const float *x, const float *w,
                  const float *bias, float *y, void *scratch);
void direct_gradient(const struct conv_impl *row, const struct direct *d, const float *x, const float *dy, float *dw,
                     void *scratch);

/* For those two: where each tap's value lies, [taps]; and the planes of a strip of a group, all channels, 'step' floats apart. */
void direct_taps(const struct direct *d, int64_t step, uint32_t *at);
void direct_lay(const struct conv_impl *row, const struct direct *d, const float *x, int64_t unit, int64_t step,
                float *planes);
static inline int64_t direct_taps_of(const struct direct *d)
{
    return d->channels * d->kernel * d->kernel;
}

#endif
