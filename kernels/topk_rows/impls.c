/* impls.c - the implementations of this build, and the codec. */
#include "kernels/shared/usable.h"
#include "kernels/topk_rows/host.h"

#ifdef NW_CUDA
#include "kernels/topk_rows/device.h"
#endif

#define TOPK_ROW(isa, name, how)                                                                                       \
    static void select_##name(uint64_t *mask, float *values, const float *x, size_t rows, size_t columns, size_t kept, \
                              void *work)                                                                              \
    {                                                                                                                  \
        topk_select_##how(&topk_##isa, mask, values, x, rows, columns, kept, work);                                    \
    }                                                                                                                  \
    static void gather_##name(float *values, const uint64_t *mask, const float *x, size_t rows, size_t columns,        \
                              size_t kept)                                                                             \
    {                                                                                                                  \
        topk_gather_##how(&topk_##isa, values, mask, x, rows, columns, kept);                                          \
    }                                                                                                                  \
    static void scatter_##name(float *x, enum codec_into into, const uint64_t *mask, const float *values, size_t rows, \
                               size_t columns, size_t kept)                                                            \
    {                                                                                                                  \
        topk_scatter_##how(&topk_##isa, x, into, mask, values, rows, columns, kept);                                   \
    }                                                                                                                  \
    static void compress_##name(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,                     \
                                const struct codec_params *p, void *state, void *work)                                 \
    {                                                                                                                  \
        (void)state;                                                                                                   \
        topk_codec_compress(&topk_##isa, topk_select_##how, payload, nbytes, values, n, p, work);                      \
    }                                                                                                                  \
    static void expand_##name(float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes,    \
                              const struct codec_params *p, void *work, int *fault)                                    \
    {                                                                                                                  \
        (void)work;                                                                                                    \
        *fault = topk_codec_expand(&topk_##isa, topk_scatter_##how, values, n, into, payload, nbytes, p);              \
    }

TOPK_ROW(scalar, scalar, serial)
#ifdef NW_X86
TOPK_ROW(avx2, avx2, serial)
TOPK_ROW(avx512, avx512, serial)
#endif
#ifdef NW_OPENMP
TOPK_ROW(scalar, scalar_omp, split)
#ifdef NW_X86
TOPK_ROW(avx2, avx2_omp, split)
TOPK_ROW(avx512, avx512_omp, split)
#endif
#endif

const struct topk_impl topk_impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, topk_cuda_usable }, topk_select_cuda, topk_gather_cuda, topk_scatter_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "avx512+omp", IMPL_HOST, 1, usable_avx512_vbmi2 }, select_avx512_omp, gather_avx512_omp, scatter_avx512_omp },
    { { "avx2+omp", IMPL_HOST, 1, usable_avx2_bmi }, select_avx2_omp, gather_avx2_omp, scatter_avx2_omp },
#endif
    { { "scalar+omp", IMPL_HOST, 1, usable_always }, select_scalar_omp, gather_scalar_omp, scatter_scalar_omp },
#endif
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512_vbmi2 }, select_avx512, gather_avx512, scatter_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2_bmi }, select_avx2, gather_avx2, scatter_avx2 },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, select_scalar, gather_scalar, scatter_scalar },
    { .impl = { 0 } },
};

static const struct codec_impl codec_rows[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, topk_cuda_usable }, topk_compress_cuda, topk_expand_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "avx512+omp", IMPL_HOST, 1, usable_avx512_vbmi2 }, compress_avx512_omp, expand_avx512_omp },
    { { "avx2+omp", IMPL_HOST, 1, usable_avx2_bmi }, compress_avx2_omp, expand_avx2_omp },
#endif
    { { "scalar+omp", IMPL_HOST, 1, usable_always }, compress_scalar_omp, expand_scalar_omp },
#endif
#ifdef NW_X86
    { { "avx512", IMPL_HOST, 0, usable_avx512_vbmi2 }, compress_avx512, expand_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2_bmi }, compress_avx2, expand_avx2 },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, compress_scalar, expand_scalar },
    { .impl = { 0 } },
};

const struct codec codec_dct_mp = {
    .name = "dct-mp",
    .id = CODEC_ID_DCT_MP,
    .what = "of each row of activations the greatest magnitudes, without error feedback",
    .source = "DCT-MP, arXiv 2010.08899, Algorithm 2",
    .class = CODEC_GATHERED,
    .param = { { "columns", "values", "in a row", 1, 1099511627776.0, 1024, 1 },
               { "kept", "values", "of a row that are sent", 0, 1099511627776.0, 51, 1 } },
    .payload_bound = topk_payload_bound,
    .state_size = topk_state_size,
    .work_size = topk_work_size,
    .impls = codec_rows,
};
