/* impls.c - the implementations of this build. */
#include "kernels/select/host.h"
#include "kernels/shared/usable.h"

#ifdef NW_CUDA
#include "kernels/select/device.h"
#endif

#define SELECT_ROW(isa, loops, name)                                                                           \
    static void kth_##name(struct select_result *r, const float *x, size_t n, size_t k, void *work)            \
    {                                                                                                          \
        select_run(&select_##isa, &select_##loops, r, NULL, NULL, x, n, k, work);                              \
    }                                                                                                          \
    static void top_##name(struct select_result *r, uint64_t *bitmap, float *values, const float *x, size_t n, \
                           size_t k, void *work)                                                               \
    {                                                                                                          \
        select_run(&select_##isa, &select_##loops, r, bitmap, values, x, n, k, work);                          \
    }

SELECT_ROW(scalar, serial, scalar)
#ifdef NW_X86
SELECT_ROW(avx2, serial, avx2)
SELECT_ROW(avx512, serial, avx512)
#endif
#ifdef NW_OPENMP
SELECT_ROW(scalar, split, scalar_omp)
#ifdef NW_X86
SELECT_ROW(avx2, split, avx2_omp)
SELECT_ROW(avx512, split, avx512_omp)
#endif
#endif

const struct select_impl select_impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, select_cuda_usable }, select_kth_cuda, select_top_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "avx512+omp", IMPL_HOST, 1, usable_avx512_vbmi2 }, kth_avx512_omp, top_avx512_omp },
    { { "avx2+omp", IMPL_HOST, 1, usable_avx2_bmi }, kth_avx2_omp, top_avx2_omp },
#endif
    { { "scalar+omp", IMPL_HOST, 1, usable_always }, kth_scalar_omp, top_scalar_omp },
#endif
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512_vbmi2 }, kth_avx512, top_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2_bmi }, kth_avx2, top_avx2 },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, kth_scalar, top_scalar },
    { .impl = { 0 } },
};
