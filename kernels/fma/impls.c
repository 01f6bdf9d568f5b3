/* impls.c - the implementations of this build. */
#include "kernels/fma/host.h"
#include "kernels/shared/usable.h"

#ifdef NW_CUDA
#include "kernels/fma/device.h"
#endif

#define FMA_SERIAL(isa)                                                                                           \
    static void run_##isa(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, size_t n) \
    {                                                                                                             \
        fma_span_##isa(mode, d, a, b, c, n, n >= FMA_STREAM_MIN);                                                 \
    }
#define FMA_SPLIT(isa)                                                                                        \
    static void run_##isa##_omp(enum fma_mode mode, float *d, const float *a, const float *b, const float *c, \
                                size_t n)                                                                     \
    {                                                                                                         \
        fma_split(fma_span_##isa, mode, d, a, b, c, n);                                                       \
    }

FMA_SERIAL(scalar)
#ifdef NW_X86
FMA_SERIAL(avx2)
FMA_SERIAL(avx512)
#endif
#ifdef NW_OPENMP
FMA_SPLIT(scalar)
#ifdef NW_X86
FMA_SPLIT(avx2)
FMA_SPLIT(avx512)
#endif
#endif

const struct fma_impl fma_impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, fma_cuda_usable }, fma_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "avx512+omp", IMPL_HOST, 1, usable_avx512 }, run_avx512_omp },
    { { "avx2+omp", IMPL_HOST, 1, usable_avx2_fma }, run_avx2_omp },
#endif
    { { "scalar+omp", IMPL_HOST, 1, usable_always }, run_scalar_omp },
#endif
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512 }, run_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2_fma }, run_avx2 },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, run_scalar },
    { .impl = { 0 } },
};
