/* impls.c - the implementations of this build. */
#include "kernels/l2norm/host.h"

#ifdef NW_CUDA
#include "kernels/l2norm/device.h"
#endif

static _Bool always(void)
{
    return 1;
}

#ifdef NW_X86
static _Bool avx2_usable(void)
{
    return __builtin_cpu_supports("avx2");
}

static _Bool avx512_usable(void)
{
    return __builtin_cpu_supports("avx512f");
}
#endif

#define L2NORM_SERIAL(isa)                                                               \
    static void serial_##isa(double *norm, const float *weights, size_t n, double *work) \
    {                                                                                    \
        (void)work;                                                                      \
        l2norm_serial(l2norm_add_##isa, norm, weights, n);                               \
    }
#define L2NORM_SPLIT(isa)                                                               \
    static void split_##isa(double *norm, const float *weights, size_t n, double *work) \
    {                                                                                   \
        l2norm_split(l2norm_add_##isa, norm, weights, n, work);                         \
    }

L2NORM_SERIAL(scalar)
#ifdef NW_X86
L2NORM_SERIAL(avx2)
L2NORM_SERIAL(avx512)
#endif
#ifdef NW_OPENMP
L2NORM_SPLIT(scalar)
#ifdef NW_X86
L2NORM_SPLIT(avx2)
L2NORM_SPLIT(avx512)
#endif
#endif

const struct l2norm_impl l2norm_impls[] = {
#ifdef NW_CUDA
    { "cuda", L2NORM_DEVICE, 0, l2norm_cuda_usable, l2norm_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    { "avx512+omp", L2NORM_HOST, 1, avx512_usable, split_avx512 },
    { "avx2+omp", L2NORM_HOST, 1, avx2_usable, split_avx2 },
#endif
    { "scalar+omp", L2NORM_HOST, 1, always, split_scalar },
#endif
#ifdef NW_X86
    { "avx512", L2NORM_HOST, 0, avx512_usable, serial_avx512 },
    { "avx2", L2NORM_HOST, 0, avx2_usable, serial_avx2 },
#endif
    { "scalar", L2NORM_HOST, 0, always, serial_scalar },
    { 0 },
};
