/* impls.c - the implementations of this build. */
#include "kernels/l2norm/host.h"
#include "kernels/shared/usable.h"

#ifdef NW_CUDA
#include "kernels/l2norm/device.h"
#endif

#define L2NORM_SERIAL(isa, walks)                                                        \
    static void serial_##isa(double *norm, const float *weights, size_t n, double *work) \
    {                                                                                    \
        (void)work;                                                                      \
        l2norm_serial(l2norm_add_##isa, walks, norm, weights, n);                        \
    }
#define L2NORM_SPLIT(isa, walks)                                                        \
    static void split_##isa(double *norm, const float *weights, size_t n, double *work) \
    {                                                                                   \
        l2norm_split(l2norm_add_##isa, walks, norm, weights, n, work);                  \
    }

L2NORM_SERIAL(scalar, NULL)
#ifdef NW_X86
L2NORM_SERIAL(avx2, l2norm_walks_avx2)
L2NORM_SERIAL(avx512, l2norm_walks_avx512)
#endif
#ifdef NW_OPENMP
L2NORM_SPLIT(scalar, NULL)
#ifdef NW_X86
L2NORM_SPLIT(avx2, l2norm_walks_avx2)
L2NORM_SPLIT(avx512, l2norm_walks_avx512)
#endif
#endif

const struct l2norm_impl l2norm_impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, l2norm_cuda_usable }, l2norm_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "avx512+omp", IMPL_HOST, 1, usable_avx512 }, split_avx512 },
    { { "avx2+omp", IMPL_HOST, 1, usable_avx2 }, split_avx2 },
#endif
    { { "scalar+omp", IMPL_HOST, 1, usable_always }, split_scalar },
#endif
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512 }, serial_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2 }, serial_avx2 },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, serial_scalar },
    { .impl = { 0 } },
};
