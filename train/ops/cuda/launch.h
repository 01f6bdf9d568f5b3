/* launch.h - the kernels of the layers' operations, each started on 'stream' (a cudaStream_t). train/ops/ops.h says
 * what an operation means; these are the kernels that it consists of. Nothing is allocated, and no failure is returned:
 * cuda.c asks the runtime after each launch.
 * Sizes      a single image, and a weight tensor, has at most 2^30 values; a batch may have more.
 * Order      every sum is taken in an order that follows from the shape alone; there are no atomic operations. */
#ifndef NARROWS_TRAIN_OPS_CUDA_LAUNCH_H
#define NARROWS_TRAIN_OPS_CUDA_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "train/ops/ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is there a device, and has this build code for it? */
bool launch_usable(void);

/* --- value by value (each.cu); y may be any of the operands ------------------------------------------------------- */

void launch_relu(float *y, const float *x, int64_t n, void *stream);
void launch_relu_backward(float *dx, const float *y, const float *dy, int64_t n, void *stream);
void launch_sigmoid(float *y, const float *x, int64_t n, void *stream);
void launch_sigmoid_backward(float *dx, const float *y, const float *dy, int64_t n, void *stream);
void launch_dropout(float *y, const float *x, int64_t n, float rate, uint64_t seed, void *stream);
void launch_sum(float *y, const float *x, const float *x2, int64_t n, void *stream);
void launch_sgd_update(float *weights, float *velocity, const float *gradient, int64_t n, float rate, float momentum,
                       float decay, void *stream);

/* --- images (image.cu) -------------------------------------------------------------------------------------------- */

void launch_add(float *y, const struct image_shape *s, const float *x, const struct image_shape *second, int64_t stride,
                const float *x2, void *stream);
void launch_add_backward(float *dx2, const struct image_shape *s, const struct image_shape *second, int64_t stride,
                         const float *dy, void *stream);
void launch_cut(float *y, const struct image_shape *image, const struct image_shape *patch, int64_t top, int64_t left,
                const float *x, void *stream);
void launch_paste(float *y, const struct image_shape *image, const struct image_shape *patch, int64_t top, int64_t left,
                  const float *x, void *stream);
/* Row r of 'rows' rows of n values: from x + r from to y + r to. */
void launch_copy_rows(float *y, int64_t to, const float *x, int64_t from, int64_t rows, int64_t n, void *stream);

/* --- pools (pool.cu) ---------------------------------------------------------------------------------------------- */

void launch_maxpool(float *y, const struct conv_shape *s, const float *x, void *stream);
void launch_maxpool_backward(float *dx, const struct conv_shape *s, const float *x, const float *dy, void *stream);
void launch_avgpool(float *y, const struct conv_shape *s, const float *x, void *stream);
void launch_avgpool_backward(float *dx, const struct conv_shape *s, const float *dy, void *stream);

/* --- sums over a channel of a batch (norm.cu) --------------------------------------------------------------------- */

/* Of the scratch memory that these want, in bytes, for up to LAUNCH_CHANNELS channels. */
enum { LAUNCH_CHANNELS = 16384, LAUNCH_SCRATCH_B = 2 * LAUNCH_CHANNELS * 16 };

void launch_norm_statistics(float *mean, float *inv_std, const struct image_shape *s, const float *x, void *scratch,
                            void *stream);
void launch_norm_apply(float *y, const struct image_shape *s, const float *x, const float *scale, const float *shift,
                       const float *mean, const float *inv_std, void *stream);
/* dx: NULL if it is not wanted. */
void launch_norm_backward(float *dx, float *dscale, float *dshift, const struct image_shape *s, const float *x,
                          const float *dy, const float *scale, const float *mean, const float *inv_std, void *scratch,
                          void *stream);
/* dbias[c] += the sum of channel c of dy. */
void launch_bias_backward(float *dbias, const struct image_shape *s, const float *dy, void *scratch, void *stream);

/* --- softmax and fully-connected layers (rows.cu) ----------------------------------------------------------------- */

/* Softmax: less than 2^31 rows. 'scratch' takes the number of rows that have a label. */
void launch_softmax(float *y, const float *x, int64_t batch, int64_t n, void *stream);
void launch_softmax_backward(float *dx, float *loss, const float *y, const int32_t *labels, int64_t batch, int64_t n,
                             void *scratch, void *stream);
void launch_bce_backward(float *dx, float *loss, const float *y, const int32_t *labels, int64_t batch, void *stream);
/* y[b][j] += bias[j], and dbias[j] += the sum of dy[.][j]. */
void launch_bias_rows(float *y, const float *bias, int64_t batch, int64_t n, void *stream);
void launch_bias_rows_backward(float *dbias, const float *dy, int64_t batch, int64_t n, void *stream);

/* --- convolution as a matrix product (columns.cu) ------------------------------------------------------------------
 * The output pixels of a whole batch, image after image, are one row of numbers q. A span of them has a column each in
 * a matrix: in 'columns' [in_channels * kernel * kernel][count] the values under the window, zero in the padding; in
 * 'pixels' [out_channels][count] the output's values. */
struct launch_span {
    int64_t first, count;
};

void launch_columns(float *columns, const struct conv_shape *s, struct launch_span q, const float *x, void *stream);
/* dx += what the columns' values come from; dx begins as zeros. */
void launch_columns_backward(float *dx, const struct conv_shape *s, struct launch_span q, const float *columns,
                             void *stream);
/* From the output's layout into the matrix, and back with the bias (or NULL) added. */
void launch_gather(float *pixels, const struct conv_shape *s, struct launch_span q, const float *dy, void *stream);
void launch_spread(float *y, const struct conv_shape *s, struct launch_span q, const float *pixels, const float *bias,
                   void *stream);
/* y += bias[channel], for callers that compute y in place. */
void launch_bias(float *y, const struct image_shape *s, const float *bias, void *stream);

/* --- embeddings and interactions (recommend.cu, tokens.cu) -------------------------------------------------------- */

/* All outputs but the values before the bags. */
void launch_bag_forward(float *y, const struct bag_shape *s, const int32_t *ids, const float *table, void *stream);
/* table[id] += factor dy: each row of the table in the order of the ids. */
void launch_scatter(float *table, const struct bag_shape *s, float factor, const int32_t *ids, const float *dy,
                    void *stream);
/* All outputs but the first vector; less than 2^31 samples. */
void launch_interact(float *y, int64_t batch, int64_t n, int64_t dim, const float *x, void *stream);
void launch_interact_backward(float *dx, int64_t batch, int64_t n, int64_t dim, const float *x, const float *dy,
                              void *stream);
void launch_tokens(float *y, int64_t batch, int64_t positions, int64_t dim, const int32_t *ids, const float *table,
                   void *stream);

/* --- layer normalization (layernorm.cu); less than 2^31 rows ------------------------------------------------------ */

void launch_layernorm(float *y, float *mean, float *inv_std, int64_t rows, int64_t dim, const float *x,
                      const float *scale, const float *shift, void *stream);
void launch_layernorm_backward(float *dx, float *dscale, float *dshift, int64_t rows, int64_t dim, const float *x,
                               const float *dy, const float *scale, const float *mean, const float *inv_std,
                               void *stream);

/* --- between attention's projections (attention.cu) -----------------------------------------------------------------
 * shares, errors: [batch, heads, queries, keys]; less than 2^31 queries of all heads and samples. */

void launch_attention(float *c, float *shares, const struct attention_shape *s, const float *q, const float *k,
                      const float *v, void *stream);
/* From the given shares; dc becomes dq. */
void launch_attention_backward(float *dc, float *dk, float *dv, const float *shares, float *errors,
                               const struct attention_shape *s, const float *q, const float *k, const float *v,
                               void *stream);

#ifdef __cplusplus
}
#endif

#endif
