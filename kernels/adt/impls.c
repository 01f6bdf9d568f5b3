/* impls.c - the implementations of this build. */
#include "kernels/adt/host.h"
#include "kernels/shared/usable.h"

#ifdef NW_CUDA
#include "kernels/adt/device.h"
#endif

/* Where summing has no part in packing. */
#define ADT_PIECES(isa, sum)                                                                                   \
    static void adt_pack_norm_span_##isa(uint8_t *dst, double *sums, const float *weights, size_t n, int keep, \
                                         _Bool stream)                                                         \
    {                                                                                                          \
        adt_pack_norm_pieces(adt_pack_span_##isa, l2norm_add_##sum, dst, sums, weights, n, keep, stream);      \
    }

ADT_PIECES(scalar, scalar)
#ifdef NW_X86
ADT_PIECES(avx2_paper, avx2)
#endif
#ifdef NW_PPC64LE
ADT_PIECES(vsx, scalar)
#endif
#ifdef NW_AARCH64
ADT_PIECES(neon, scalar)
#endif

/* The public functions of a span: on one thread ... */
#define ADT_SERIAL(isa)                                                                                             \
    static void pack_##isa(uint8_t *dst, const void *src, size_t n, int keep)                                       \
    {                                                                                                               \
        adt_pack_span_##isa(dst, src, n, keep, n >= ADT_STREAM_MIN);                                                \
    }                                                                                                               \
    static void unpack_##isa(void *dst, const uint8_t *src, size_t n, int keep)                                     \
    {                                                                                                               \
        adt_unpack_span_##isa(dst, src, n, keep, n >= ADT_STREAM_MIN);                                              \
    }                                                                                                               \
    static void pack_norm_##isa(uint8_t *dst, double *norm, const float *weights, size_t n, int keep, double *work) \
    {                                                                                                               \
        adt_pack_norm_span_##isa(dst, work, weights, n, keep, n >= ADT_STREAM_MIN);                                 \
        l2norm_finish(norm, work, (n + L2NORM_BLOCK - 1) / L2NORM_BLOCK);                                           \
    }
/* ... and on all of them. */
#define ADT_SPLIT(isa)                                                                                      \
    static void pack_##isa##_omp(uint8_t *dst, const void *src, size_t n, int keep)                         \
    {                                                                                                       \
        adt_pack_split(adt_pack_span_##isa, dst, src, n, keep);                                             \
    }                                                                                                       \
    static void unpack_##isa##_omp(void *dst, const uint8_t *src, size_t n, int keep)                       \
    {                                                                                                       \
        adt_unpack_split(adt_unpack_span_##isa, dst, src, n, keep);                                         \
    }                                                                                                       \
    static void pack_norm_##isa##_omp(uint8_t *dst, double *norm, const float *weights, size_t n, int keep, \
                                      double *work)                                                         \
    {                                                                                                       \
        adt_pack_norm_split(adt_pack_norm_span_##isa, dst, norm, weights, n, keep, work);                   \
    }

ADT_SERIAL(scalar)
#ifdef NW_X86
ADT_SERIAL(avx2_paper)
ADT_SERIAL(avx2)
ADT_SERIAL(avx512)
#endif
#ifdef NW_PPC64LE
ADT_SERIAL(vsx)
#endif
#ifdef NW_AARCH64
ADT_SERIAL(neon)
#endif
#ifdef NW_OPENMP
ADT_SPLIT(scalar)
#ifdef NW_X86
ADT_SPLIT(avx2_paper)
ADT_SPLIT(avx2)
ADT_SPLIT(avx512)
#endif
#ifdef NW_PPC64LE
ADT_SPLIT(vsx)
#endif
#ifdef NW_AARCH64
ADT_SPLIT(neon)
#endif
#endif

const struct adt_impl adt_impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, adt_cuda_usable }, adt_pack_cuda, adt_unpack_cuda, NULL },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "avx512+omp", IMPL_HOST, 1, usable_avx512_vbmi }, pack_avx512_omp, unpack_avx512_omp, pack_norm_avx512_omp },
    { { "avx2+omp", IMPL_HOST, 1, usable_avx2 }, pack_avx2_omp, unpack_avx2_omp, pack_norm_avx2_omp },
    { { "avx2_paper+omp", IMPL_HOST, 1, usable_avx2 },
      pack_avx2_paper_omp,
      unpack_avx2_paper_omp,
      pack_norm_avx2_paper_omp },
#endif
#ifdef NW_PPC64LE
    { { "vsx+omp", IMPL_HOST, 1, usable_always }, pack_vsx_omp, unpack_vsx_omp, pack_norm_vsx_omp },
#endif
#ifdef NW_AARCH64
    { { "neon+omp", IMPL_HOST, 1, usable_always }, pack_neon_omp, unpack_neon_omp, pack_norm_neon_omp },
#endif
    { { "scalar+omp", IMPL_HOST, 1, usable_always }, pack_scalar_omp, unpack_scalar_omp, pack_norm_scalar_omp },
#endif
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512_vbmi }, pack_avx512, unpack_avx512, pack_norm_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2 }, pack_avx2, unpack_avx2, pack_norm_avx2 },
    { { "avx2_paper", IMPL_HOST, 0, usable_avx2 }, pack_avx2_paper, unpack_avx2_paper, pack_norm_avx2_paper },
#endif
#ifdef NW_PPC64LE
    { { "vsx", IMPL_HOST, 0, usable_always }, pack_vsx, unpack_vsx, pack_norm_vsx },
#endif
#ifdef NW_AARCH64
    { { "neon", IMPL_HOST, 0, usable_always }, pack_neon, unpack_neon, pack_norm_neon },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, pack_scalar, unpack_scalar, pack_norm_scalar },
    { .impl = { 0 } },
};

const struct adt_span adt_spans[] = {
#ifdef NW_X86
    { "avx512", usable_avx512_vbmi, adt_pack_span_avx512, adt_unpack_span_avx512, adt_pack_norm_span_avx512 },
    { "avx2", usable_avx2, adt_pack_span_avx2, adt_unpack_span_avx2, adt_pack_norm_span_avx2 },
    { "avx2_paper", usable_avx2, adt_pack_span_avx2_paper, adt_unpack_span_avx2_paper, adt_pack_norm_span_avx2_paper },
#endif
#ifdef NW_PPC64LE
    { "vsx", usable_always, adt_pack_span_vsx, adt_unpack_span_vsx, adt_pack_norm_span_vsx },
#endif
#ifdef NW_AARCH64
    { "neon", usable_always, adt_pack_span_neon, adt_unpack_span_neon, adt_pack_norm_span_neon },
#endif
    { "scalar", usable_always, adt_pack_span_scalar, adt_unpack_span_scalar, adt_pack_norm_span_scalar },
    { 0 },
};
