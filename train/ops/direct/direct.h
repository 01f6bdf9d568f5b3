/* direct.h - convolutions with stride 1 in fp32 by the loops of kernels/conv, for the backends on the CPU. Images are
 * copied into planes: small images next to each other in one plane, large ones a strip of rows at a time. All output
 * channels are computed from a plane while it is in the second-level cache.
 * Order      an output is one chain of fused multiply-adds from its bias over input channels, kernel rows and kernel
 *            columns in rising order, zeros of the padding included: the same as the products of kernels/gemm. The
 *            error of an input is one chain over output channels, and kernel rows and columns in falling order. The
 *            gradient of a weight is the sum of the gradients of some parts of the batch, in the order of conv.h; the
 *            parts follow from the shape, and the sum is added to what is there.
 * Threads    take strips of the output, or parts of the batch and output channels; no sum depends on them.
 * Used by    the backend "gemm" wherever direct_takes(), and "dnnl" where conv.c expects to be faster than oneDNN 2.6,
 *            which computes in vectors of 16 channels: few channels, or numbers that are not multiples of 16.
 * Speed      of a training step of "dnnl" with these loops, relative to one without: one thread, user time, batch 32,
 *            medians of 41 or 61 interleaved pairs on an AMD EPYC with AVX-512. resnet-14-small 1.40 (10 of 13
 *            convolutions, of 8 and 16 channels), vgg-9-small 1.33 (7 of 8), inception-small 1.03 (11 of 32),
 *            alexnet-small 1.01 (2 of 5), vgg-small 0.99 (2 of 4), resnet-8-small 0.98 (3 of 7). With oneDNN and these
 *            loops limited to AVX2 the same networks gave 0.92 to 1.04: no gain. alexnet and resnet-18 on 224 x 224
 *            pixels do not use them. */
#ifndef NARROWS_TRAIN_OPS_DIRECT_H
#define NARROWS_TRAIN_OPS_DIRECT_H

#include "kernels/conv/conv.h"
#include "train/ops/cpu/cpu.h"

/* The best row of this processor; NULL if there is only the reference. */
const struct conv_impl *direct_row(void);

enum direct_way { DIRECT_FORWARD, DIRECT_DATA, DIRECT_WEIGHTS, DIRECT_WAYS };

/* How images lie in planes. */
struct direct {
    /* The inputs, the outputs, and the window that slides over the inputs. */
    int64_t batch, channels, in_height, in_width, outputs, out_height, out_width, kernel, top, left;
    int64_t side, groups;         /* images side by side, and groups of so many */
    int64_t rows, strips, places; /* rows of outputs in a strip, strips of an image, places of a strip */
    int64_t width, pitch, plane;  /* of an image with its zeros, of a row of a plane, of a channel's plane */
};

/* Can these loops compute it without much waste? For DIRECT_DATA the errors are placed in the planes. */
bool direct_takes(const struct conv_shape *s, enum direct_way way, struct direct *d);
/* Share of the loops' steps that compute outputs, not padding between rows or channels beyond the last. */
double direct_share(const struct direct *d);

/* Bytes of scratch at a multiple of 64. */
size_t direct_slide_size(const struct direct *d);
size_t direct_gradient_size(const struct direct *d);

/* Forward; or, 'flipped', to the data. bias: NULL for none. */
void direct_slide(const struct conv_impl *row, const struct direct *d, bool flipped, const float *x, const float *w,
                  const float *bias, float *y, void *scratch);
void direct_gradient(const struct conv_impl *row, const struct direct *d, const float *x, const float *dy, float *dw,
                     void *scratch);

/* For those two: each tap's offset, [taps]; and the planes of a strip of a group, all channels, 'step' floats apart. */
void direct_taps(const struct direct *d, int64_t step, uint32_t *at);
void direct_lay(const struct conv_impl *row, const struct direct *d, const float *x, int64_t unit, int64_t step,
                float *planes);
static inline int64_t direct_taps_of(const struct direct *d)
{
    return d->channels * d->kernel * d->kernel;
}

#endif
