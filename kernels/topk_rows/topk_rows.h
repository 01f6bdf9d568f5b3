/* topk_rows.h - of each row the values of largest magnitude, and the same places of another matrix (DCT-MP, arXiv
 * 2010.08899, Algorithm 2: activations forward, their gradients backward under the mask of the activations; nothing is
 * accumulated). Also the codec "dct-mp", the forward direction.
 * Shapes     'rows' rows of 'columns' (at least 1) fp32 values, row after row. Of each row min(kept, columns) are
 *            chosen, zeros too if there is nothing else, so that sizes are known beforehand. The paper chooses the
 *            values at or above the floor(columns * dropped)-th ascending one: with kept = columns - floor(columns *
 *            dropped) + 1 that is the same, but for ties, all of which the paper would keep.
 * Order      as in kernels/select/select.h; among equals the lower column comes first.
 * Mask       for each row topk_mask_words(columns) words, bit j % 64 of word j / 64 for column j, others zero.
 * Values     those chosen, row after row, in the order of their columns.
 * select     x -> mask, values. 'work': topk_work(rows, columns) bytes.
 * gather     x under a mask -> values: what goes back for a gradient; the receiver has the mask.
 * scatter    values under a mask -> x: CODEC_STORE +0 elsewhere; CODEC_ADD as in kernels/sparse/sparse.h.
 * Codec      parameters columns and kept; n values are n / columns rows and, if n is no multiple, one shorter row. The
 *            payload is the mask of all rows, then the values. Decompressing checks that each row has its number.
 * Alignment  mask on 8 bytes, work on 64, floats on 4. Threads as in kernels/sparse/sparse.h. Errors: none. */
#ifndef NARROWS_KERNELS_TOPK_ROWS_H
#define NARROWS_KERNELS_TOPK_ROWS_H

#include "kernels/codec/codec.h"

/* 'im' is the row's (kernels/shared/impl.h). */
typedef void topk_select_fn(const struct impl *im, uint64_t *mask, float *values, const float *x, size_t rows,
                            size_t columns, size_t kept, void *work);
typedef void topk_gather_fn(const struct impl *im, float *values, const uint64_t *mask, const float *x, size_t rows,
                            size_t columns, size_t kept);
typedef void topk_scatter_fn(const struct impl *im, float *x, enum codec_into into, const uint64_t *mask,
                             const float *values, size_t rows, size_t columns, size_t kept);

struct topk_impl {
    struct impl impl;
    topk_select_fn *select;
    topk_gather_fn *gather;
    topk_scatter_fn *scatter;
};

/* Best first, the reference last, then a row with a null name. */
extern const struct topk_impl topk_impls[];

/* The device's: no work is needed. The parameters of the codec are host memory and read before a call returns. */
IMPL_C topk_select_fn topk_select_cuda;
IMPL_C topk_gather_fn topk_gather_cuda;
IMPL_C topk_scatter_fn topk_scatter_cuda;
CODEC_DEVICE(topk);

extern const struct codec codec_dct_mp;

size_t topk_mask_words(size_t columns);
size_t topk_work(size_t rows, size_t columns);

#endif
