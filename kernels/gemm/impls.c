/* impls.c - the implementations of this build. */
#include "kernels/gemm/host.h"
#include "kernels/shared/usable.h"

#ifdef NW_CUDA
#include "kernels/gemm/device.h"
#endif

enum {
    FP32 = 1 << FMA_FP32,
    MP = 1 << FMA_MP,
    BF16 = 1 << FMA_BF16,
    BF16DOT = 1 << FMA_BF16DOT,
    ALL = FP32 | MP | BF16 | BF16DOT
};

#define GEMM_SERIAL(isa)                                            \
    static size_t work_##isa(const struct gemm_problem *p)          \
    {                                                               \
        return gemm_blocks_work(&gemm_tiles_##isa, p);              \
    }                                                               \
    static void run_##isa(const struct gemm_problem *p, void *work) \
    {                                                               \
        gemm_blocks_serial(&gemm_tiles_##isa, p, work);             \
    }
#define GEMM_SPLIT(isa)                                                   \
    static void run_##isa##_omp(const struct gemm_problem *p, void *work) \
    {                                                                     \
        gemm_blocks_omp(&gemm_tiles_##isa, p, work);                      \
    }

static size_t work_none(const struct gemm_problem *p)
{
    (void)p;
    return 0;
}

static void run_scalar(const struct gemm_problem *p, void *work)
{
    (void)work;
    gemm_rows_scalar(p, 0, p->m);
}

#ifdef NW_X86
GEMM_SERIAL(avx2)
GEMM_SERIAL(avx512)
GEMM_SERIAL(avx512_adds)
GEMM_SERIAL(avx512_bf16)
#ifdef NW_OPENMP
GEMM_SPLIT(avx2)
GEMM_SPLIT(avx512)
GEMM_SPLIT(avx512_adds)
GEMM_SPLIT(avx512_bf16)
#endif
#endif

const struct gemm_impl gemm_impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, gemm_cuda_usable }, ALL, gemm_cuda_work, gemm_cuda },
#endif
#ifdef NW_OPENMP
#ifdef NW_X86
    { { "avx512_bf16+omp", IMPL_HOST, 1, usable_avx512_bf16 }, BF16DOT, work_avx512_bf16, run_avx512_bf16_omp },
    { { "avx512_adds+omp", IMPL_HOST, 1, usable_avx512_adders }, BF16, work_avx512_adds, run_avx512_adds_omp },
    { { "avx512+omp", IMPL_HOST, 1, usable_avx512 }, FP32 | MP | BF16, work_avx512, run_avx512_omp },
    { { "avx2+omp", IMPL_HOST, 1, usable_avx2_fma }, FP32 | MP | BF16, work_avx2, run_avx2_omp },
#endif
    { { "scalar+omp", IMPL_HOST, 1, usable_always }, ALL, work_none, gemm_scalar_omp },
#endif
#ifdef NW_X86
    { { "avx512_bf16", IMPL_HOST, 0, usable_avx512_bf16 }, BF16DOT, work_avx512_bf16, run_avx512_bf16 },
    { { "avx512_adds", IMPL_HOST, 0, usable_avx512_adders }, BF16, work_avx512_adds, run_avx512_adds },
    { { "avx512", IMPL_HOST, 0, usable_avx512 }, FP32 | MP | BF16, work_avx512, run_avx512 },
    { { "avx2", IMPL_HOST, 0, usable_avx2_fma }, FP32 | MP | BF16, work_avx2, run_avx2 },
#endif
    { { "scalar", IMPL_HOST, 0, usable_always }, ALL, work_none, run_scalar },
    { { 0 }, 0, NULL, NULL },
};

size_t gemm_work_size(const struct gemm_problem *p)
{
    size_t most = 0;

    for (const struct gemm_impl *im = gemm_impls; im->impl.name; im++) {
        size_t size = im->work_size(p);

        most = size > most ? size : most;
    }
    return most;
}

const char *fma_mode_name(enum fma_mode mode)
{
    static const char *const names[FMA_NMODES] = { "fp32", "mp", "bf16", "bf16dot" };

    return names[mode];
}
