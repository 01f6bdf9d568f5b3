/* impls.c - the implementations of this build. */
#include "kernels/shared/rows.h"
#include "kernels/topk_rows/host.h"

void topk_select(const struct impl *im, uint64_t *mask, float *values, const float *x, size_t rows, size_t columns,
                 size_t kept, void *work)
{
    IMPL_WAY(im, topk_select_serial, topk_select_split)(im->with, mask, values, x, rows, columns, kept, work);
}

static void gather(const struct impl *im, float *values, const uint64_t *mask, const float *x, size_t rows,
                   size_t columns, size_t kept)
{
    IMPL_WAY(im, topk_gather_serial, topk_gather_split)(im->with, values, mask, x, rows, columns, kept);
}

void topk_scatter(const struct impl *im, float *x, enum codec_into into, const uint64_t *mask, const float *values,
                  size_t rows, size_t columns, size_t kept)
{
    IMPL_WAY(im, topk_scatter_serial, topk_scatter_split)(im->with, x, into, mask, values, rows, columns, kept);
}

const struct topk_impl topk_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(topk_select_cuda, topk_gather_cuda, topk_scatter_cuda),
#endif
    IMPL_ROWS(topk, usable_avx512_vbmi2, usable_avx2_bmi, topk_select, gather, topk_scatter),
    { .impl = { 0 } },
};
