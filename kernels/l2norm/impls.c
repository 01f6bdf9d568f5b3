/* impls.c - the implementations of this build. */
#include "kernels/l2norm/device.h"
#include "kernels/l2norm/host.h"
#include "kernels/shared/rows.h"

static const struct l2norm_loops l2norm_scalar = { l2norm_add_scalar, NULL };
#ifdef NW_X86
static const struct l2norm_loops l2norm_avx2 = { l2norm_add_avx2, l2norm_walks_avx2 };
static const struct l2norm_loops l2norm_avx512 = { l2norm_add_avx512, l2norm_walks_avx512 };
#endif

static void run(const struct impl *im, double *norm, const float *weights, size_t n, double *work)
{
    IMPL_WAY(im, l2norm_serial, l2norm_split)(im->with, norm, weights, n, work);
}

const struct l2norm_impl l2norm_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(l2norm_cuda),
#endif
    IMPL_ROWS(l2norm, usable_avx512, usable_avx2, run),
    { .impl = { 0 } },
};
