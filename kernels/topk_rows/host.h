/* host.h - how the host implementations fit together; for kernels/topk_rows and its tests. A row goes through buffers
 * of its thread, because registers are stored whole. */
#ifndef NARROWS_KERNELS_TOPK_ROWS_HOST_H
#define NARROWS_KERNELS_TOPK_ROWS_HOST_H

#include "kernels/sparse/host.h"
#include "kernels/topk_rows/topk_rows.h"

/* Where the next row's threshold is expected; a guess that costs time if it is wrong, and nothing else. */
struct topk_guess {
    uint32_t least, margin;
};

/* One row: 1 <= kept <= columns. 'list' and 'values' have 32 words more than a row. */
typedef void topk_row_fn(uint64_t *mask, uint32_t *values, const float *x, size_t columns, size_t kept, uint32_t *list,
                         struct topk_guess *guess);
/* Compact the words under one row's mask; returns how many. 'to' has 32 words more than a row. */
typedef size_t topk_pick_fn(uint32_t *to, const uint64_t *mask, const float *x, size_t columns);

struct topk_isa {
    const struct sparse_isa *sparse;
    topk_row_fn *row;
    topk_pick_fn *pick;
};
extern const struct topk_isa topk_scalar, topk_avx2, topk_avx512;

/* Rows from .. to. */
void topk_select_span(const struct topk_isa *isa, uint64_t *mask, float *values, const float *x, size_t from, size_t to,
                      size_t columns, size_t kept, void *scratch);
void topk_gather_span(const struct topk_isa *isa, float *values, const uint64_t *mask, const float *x, size_t from,
                      size_t to, size_t columns, size_t kept);
void topk_scatter_span(const struct topk_isa *isa, float *x, enum codec_into into, const uint64_t *mask,
                       const float *values, size_t from, size_t to, size_t columns, size_t kept);

void topk_select_serial(const struct topk_isa *isa, uint64_t *mask, float *values, const float *x, size_t rows,
                        size_t columns, size_t kept, void *work);
void topk_select_split(const struct topk_isa *isa, uint64_t *mask, float *values, const float *x, size_t rows,
                       size_t columns, size_t kept, void *work);
void topk_gather_serial(const struct topk_isa *isa, float *values, const uint64_t *mask, const float *x, size_t rows,
                        size_t columns, size_t kept);
void topk_gather_split(const struct topk_isa *isa, float *values, const uint64_t *mask, const float *x, size_t rows,
                       size_t columns, size_t kept);
void topk_scatter_serial(const struct topk_isa *isa, float *x, enum codec_into into, const uint64_t *mask,
                         const float *values, size_t rows, size_t columns, size_t kept);
void topk_scatter_split(const struct topk_isa *isa, float *x, enum codec_into into, const uint64_t *mask,
                        const float *values, size_t rows, size_t columns, size_t kept);

size_t topk_thread_bytes(size_t columns);

/* Of a row of topk_impls, for the codec too. */
topk_select_fn topk_select;
topk_scatter_fn topk_scatter;

#endif
