/* impls.c - the rows of this build. */
#include "kernels/anchor/host.h"
#include "kernels/copy/copy.h"
#include "kernels/shared/usable.h"

#ifdef NW_CUDA
#include "kernels/anchor/device.h"
#endif

/* From 1 MiB on the copy goes past the caches: source and result no longer fit a core's second level together. */
enum { STREAM_MIN = 1 << 18 };

#define ANCHOR_SERIAL(isa, copy)                                    \
    static void copy_##isa(float *y, const float *x, size_t n)      \
    {                                                               \
        (n < STREAM_MIN ? copy_memcpy : copy)(y, x, 4 * n);         \
    }                                                               \
    static void read_##isa(float *result, const float *x, size_t n) \
    {                                                               \
        *result = anchor_read_##isa(x, n);                          \
    }
#define ANCHOR_SPLIT(isa, copy)                                           \
    static void copy_##isa##_omp(float *y, const float *x, size_t n)      \
    {                                                                     \
        copy_split(n < STREAM_MIN ? copy_memcpy : copy, y, x, 4 * n);     \
    }                                                                     \
    static void update_##isa##_omp(float *y, const float *x, size_t n)    \
    {                                                                     \
        _Pragma("omp parallel")                                           \
        {                                                                 \
            size_t from, to;                                              \
            anchor_share(n, &from, &to);                                  \
            anchor_update_##isa(y + from, x + from, to - from);           \
        }                                                                 \
    }                                                                     \
    static void scale_##isa##_omp(float *y, size_t n)                     \
    {                                                                     \
        _Pragma("omp parallel")                                           \
        {                                                                 \
            size_t from, to;                                              \
            anchor_share(n, &from, &to);                                  \
            anchor_scale_##isa(y + from, to - from);                      \
        }                                                                 \
    }                                                                     \
    static void read_##isa##_omp(float *result, const float *x, size_t n) \
    {                                                                     \
        float most = 0;                                                   \
        _Pragma("omp parallel reduction(max : most)")                     \
        {                                                                 \
            size_t from, to;                                              \
            anchor_share(n, &from, &to);                                  \
            most = anchor_read_##isa(x + from, to - from);                \
        }                                                                 \
        *result = most;                                                   \
    }
#define ANCHOR_ROW(name, parallel, usable, isa)                                                  \
    {                                                                                            \
        { name, IMPL_HOST, parallel, usable }, copy_##isa, update_##isa, scale_##isa, read_##isa \
    }

#define update_scalar anchor_update_scalar
#define update_avx2 anchor_update_avx2
#define update_avx512 anchor_update_avx512
#define scale_scalar anchor_scale_scalar
#define scale_avx2 anchor_scale_avx2
#define scale_avx512 anchor_scale_avx512

ANCHOR_SERIAL(scalar, copy_memcpy)
#ifdef NW_X86
ANCHOR_SERIAL(avx2, copy_nt_avx2)
ANCHOR_SERIAL(avx512, copy_nt_avx512)
#endif
#ifdef NW_OPENMP
ANCHOR_SPLIT(scalar, copy_memcpy)
#ifdef NW_X86
ANCHOR_SPLIT(avx2, copy_nt_avx2)
ANCHOR_SPLIT(avx512, copy_nt_avx512)
#endif
#endif

const struct anchor_impl anchor_impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, anchor_cuda_usable },
      anchor_copy_cuda,
      anchor_update_cuda,
      anchor_scale_cuda,
      anchor_read_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    ANCHOR_ROW("avx512+omp", 1, usable_avx512, avx512_omp),
    ANCHOR_ROW("avx2+omp", 1, usable_avx2, avx2_omp),
#endif
    ANCHOR_ROW("scalar+omp", 1, usable_always, scalar_omp),
#endif
#ifdef NW_X86
    ANCHOR_ROW("avx512", 0, usable_avx512, avx512),
    ANCHOR_ROW("avx2", 0, usable_avx2, avx2),
#endif
    ANCHOR_ROW("scalar", 0, usable_always, scalar),
    { .impl = { 0 } },
};
