/* impls.c - the implementations of this build. */
#include "kernels/cast/host.h"

#ifdef NW_CUDA
#include "kernels/cast/device.h"
#endif

/* The five functions of a row. */
#define CAST_FUNCTIONS(isa, name, share)                                      \
    static void bf16_narrow_##name(uint16_t *dst, const float *src, size_t n) \
    {                                                                         \
        cast_narrow(cast_##isa.bf16_narrow, share, dst, src, n);              \
    }                                                                         \
    static void bf16_widen_##name(float *dst, const uint16_t *src, size_t n)  \
    {                                                                         \
        cast_widen(cast_##isa.bf16_widen, share, dst, src, n);                \
    }                                                                         \
    static void bf16_round_##name(float *dst, const float *src, size_t n)     \
    {                                                                         \
        cast_round(&cast_##isa, share, dst, src, n);                          \
    }                                                                         \
    static void fp16_narrow_##name(uint16_t *dst, const float *src, size_t n) \
    {                                                                         \
        cast_narrow(cast_##isa.fp16_narrow, share, dst, src, n);              \
    }                                                                         \
    static void fp16_widen_##name(float *dst, const uint16_t *src, size_t n)  \
    {                                                                         \
        cast_widen(cast_##isa.fp16_widen, share, dst, src, n);                \
    }
#define CAST_ROW(text, parallel, usable, name)                                                           \
    {                                                                                                    \
        { text, IMPL_HOST, parallel, usable }, bf16_narrow_##name, bf16_widen_##name, bf16_round_##name, \
            fp16_narrow_##name, fp16_widen_##name                                                        \
    }

CAST_FUNCTIONS(scalar, scalar, share_serial)
#ifdef NW_X86
CAST_FUNCTIONS(avx2, avx2, share_serial)
CAST_FUNCTIONS(avx512, avx512, share_serial)
#endif
#ifdef NW_OPENMP
CAST_FUNCTIONS(scalar, scalar_omp, share_split)
#ifdef NW_X86
CAST_FUNCTIONS(avx2, avx2_omp, share_split)
CAST_FUNCTIONS(avx512, avx512_omp, share_split)
#endif
#endif

const struct cast_impl cast_impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, cast_cuda_usable },
      bf16_narrow_cuda,
      bf16_widen_cuda,
      bf16_round_cuda,
      fp16_narrow_cuda,
      fp16_widen_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    CAST_ROW("avx512+omp", 1, usable_avx512_bw, avx512_omp),
    CAST_ROW("avx2+omp", 1, usable_avx2, avx2_omp),
#endif
    CAST_ROW("scalar+omp", 1, usable_always, scalar_omp),
#endif
#ifdef NW_X86
    CAST_ROW("avx512", 0, usable_avx512_bw, avx512),
    CAST_ROW("avx2", 0, usable_avx2, avx2),
#endif
    CAST_ROW("scalar", 0, usable_always, scalar),
    { .impl = { 0 } },
};
