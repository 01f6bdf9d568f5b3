/* impls.c - the implementations of this build. */
#include "kernels/select/device.h"
#include "kernels/select/host.h"
#include "kernels/shared/rows.h"

static void kth(const struct impl *im, struct select_result *r, const float *x, size_t n, size_t k, void *work)
{
    select_run(im->with, IMPL_WAY(im, &select_serial, &select_split), r, NULL, NULL, x, n, k, work);
}

static void top(const struct impl *im, struct select_result *r, uint64_t *bitmap, float *values, const float *x,
                size_t n, size_t k, void *work)
{
    select_run(im->with, IMPL_WAY(im, &select_serial, &select_split), r, bitmap, values, x, n, k, work);
}

const struct select_impl select_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(select_kth_cuda, select_top_cuda),
#endif
    IMPL_ROWS(select, usable_avx512_vbmi2, usable_avx2_bmi, kth, top),
    { .impl = { 0 } },
};
