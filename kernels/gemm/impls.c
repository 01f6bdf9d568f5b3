/* impls.c - the implementations of this build. */
#include "kernels/gemm/device.h"
#include "kernels/gemm/host.h"
#include "kernels/shared/rows.h"

enum {
    FP32 = 1 << FMA_FP32,
    MP = 1 << FMA_MP,
    BF16 = 1 << FMA_BF16,
    BF16DOT = 1 << FMA_BF16DOT,
    ALL = FP32 | MP | BF16 | BF16DOT
};

static size_t work(const struct impl *im, const struct gemm_problem *p)
{
    return gemm_blocks_work(im->with, p);
}

static void run(const struct impl *im, const struct gemm_problem *p, void *scratch)
{
    IMPL_WAY(im, gemm_blocks_serial, gemm_blocks_omp)(im->with, p, scratch);
}

static size_t work_none(const struct impl *im, const struct gemm_problem *p)
{
    (void)im, (void)p;
    return 0;
}

static void run_scalar(const struct impl *im, const struct gemm_problem *p, void *scratch)
{
    (void)scratch;
    IMPL_WAY(im, gemm_scalar_serial, gemm_scalar_omp)(p);
}

#define TILES(suffix, parallel, usable, isa, modes) \
    IMPL_ROW(#isa suffix, parallel, usable, &gemm_tiles_##isa, modes, work, run)
#ifdef NW_X86
#define X86_ROWS(suffix, parallel)                                        \
    TILES(suffix, parallel, usable_avx512_bf16, avx512_bf16, BF16DOT),    \
        TILES(suffix, parallel, usable_avx512_adders, avx512_adds, BF16), \
        TILES(suffix, parallel, usable_avx512, avx512, FP32 | MP | BF16), \
        TILES(suffix, parallel, usable_avx2_fma, avx2, FP32 | MP | BF16),
#else
#define X86_ROWS(suffix, parallel)
#endif
#define ROWS(suffix, parallel) \
    X86_ROWS(suffix, parallel) \
    IMPL_ROW("scalar" suffix, parallel, usable_always, NULL, ALL, work_none, run_scalar)

const struct gemm_impl gemm_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(ALL, gemm_cuda_work, gemm_cuda),
#endif
#ifdef NW_OPENMP
    ROWS("+omp", true),
#endif
    ROWS("", false),
    { .impl = { 0 } },
};

size_t gemm_work_size(const struct gemm_problem *p)
{
    size_t most = 0;

    for (const struct gemm_impl *im = gemm_impls; im->impl.name; im++) {
        size_t size = im->work_size(&im->impl, p);

        most = size > most ? size : most;
    }
    return most;
}

const char *fma_mode_name(enum fma_mode mode)
{
    static const char *const names[FMA_NMODES] = { "fp32", "mp", "bf16", "bf16dot" };

    return names[mode];
}
