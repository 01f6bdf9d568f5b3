/* conv.h - the inner loops of a convolution at stride 1 in fp32, on "planes": padded images, one row after the
 * other, a plane per channel. There an output and what a tap reads for it are a fixed distance apart, so whole vectors
 * of places go through a tap at a time, whatever the image's width. The places between rows are computed too; their
 * results are not used.
 * Planes     the caller fills them: conv_lay_fn copies a rectangle into one, or out of it. Places are counted along a
 *            plane.
 * Taps       at[t] floats behind a place stands what tap t reads for it: a channel's plane, a row, a column. Reads
 *            reach as far as 'places' plus the largest of at.
 * Order      conv_sums: an output is one chain of fused multiply-adds over ascending t, from 'start' on.
 *            conv_gradients: 16 lanes are such chains each, over the places p with p % 16 the lane's number, segment
 *            after segment, from +0; lanes 8 apart are added, then 4, 2 and 1, and the total is added to what is there.
 *            Every row of conv_impls gives these bits.
 * Alignment  of a float. What overlaps is only read.
 * Errors     none. */
#ifndef NARROWS_KERNELS_CONV_CONV_H
#define NARROWS_KERNELS_CONV_CONV_H

#include <stddef.h>
#include <stdint.h>

#include "kernels/shared/impl.h"

/* Output channels at a time; places are counted in multiples of CONV_WIDE (sums) or CONV_LANES (gradients), taps of
 * gradients in multiples of CONV_TAPS. */
enum { CONV_ROWS = 8, CONV_WIDE = 48, CONV_LANES = 16, CONV_TAPS = 3 };

/* Memory that the caller turns to next. A row that knows how fetches it meanwhile, a line at a time, as far as it
 * comes. */
struct conv_ahead {
    const float *from;
    size_t floats;
};

/* y[r][p] = start[r] + the sum over t of w[t][r] x[p + at[t]] */
struct conv_sums {
    size_t taps, places;
    const float *x;
    const uint32_t *at;
    const float *w;     /* [taps][CONV_ROWS] */
    const float *start; /* [CONV_ROWS], or NULL: +0 */
    float *y;           /* CONV_ROWS rows, each ldy behind the one before */
    size_t ldy;
    struct conv_ahead ahead[2];
};
typedef void conv_sums_fn(const struct conv_sums *s);

/* dw[t][r] += the sum over segments and their places of dy[r][p] x[p + at[t]] */
struct conv_gradients {
    size_t taps, places, segments;
    const float *x;
    size_t x_step; /* from one segment to the next */
    const uint32_t *at;
    const float *dy; /* CONV_ROWS rows, each lddy behind the one before */
    size_t lddy, dy_step;
    float *dw; /* [taps][CONV_ROWS] */
    struct conv_ahead ahead[2];
};
typedef void conv_gradients_fn(const struct conv_gradients *g);

/* 'height' rows of 'width' values, each followed by 'zeros' zeros; rows begin to_pitch and from_pitch floats apart. */
struct conv_rectangle {
    size_t height, width, zeros;
    float *to;
    size_t to_pitch;
    const float *from;
    size_t from_pitch;
};
typedef void conv_lay_fn(const struct conv_rectangle *r);

struct conv_impl {
    struct impl impl;
    conv_sums_fn *sums;
    conv_gradients_fn *gradients;
    conv_lay_fn *lay;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct conv_impl conv_impls[];

#endif
