/* impls.c - the two codecs and their pulls. */
#include <float.h>

#include "kernels/shared/usable.h"
#include "kernels/threelc/host.h"

#ifdef NW_CUDA
#include "kernels/threelc/device.h"
#endif

static uint64_t compress(const struct threelc_ops *ops, enum threelc_form form, _Bool split, struct threelc_job *job,
                         size_t n, const struct codec_params *p)
{
    job->form = form;
    job->s = (float)p->value[0];
    job->shape = threelc_shape_of(n);
#ifdef NW_OPENMP
    if (split)
        return threelc_compress_split(ops, job);
#endif
    (void)split;
    return threelc_compress(ops, job);
}

static enum codec_fault decompress(const struct threelc_ops *ops, _Bool split, struct threelc_source *src)
{
#ifdef NW_OPENMP
    if (split)
        return threelc_decompress_split(ops, src);
#endif
    (void)split;
    return threelc_decompress(ops, src);
}

#define FORM(isa, name, form_, pull_, split)                                                                   \
    static void compress_##name(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,             \
                                const struct codec_params *p, void *state, void *work)                         \
    {                                                                                                          \
        struct threelc_job job = { .payload = payload, .values = values, .state = state, .work = work };       \
                                                                                                               \
        job.pull = pull_;                                                                                      \
        *nbytes = compress(&threelc_##isa, form_, split, &job, n, p);                                          \
    }                                                                                                          \
    static void decompress_##name(float *values, size_t n, enum codec_into into, const uint8_t *payload,       \
                                  size_t nbytes, const struct codec_params *p, void *work, int *fault)         \
    {                                                                                                          \
        struct threelc_source src = { .form = form_, .payload = payload, .nbytes = nbytes, .values = values }; \
                                                                                                               \
        (void)p, (void)work;                                                                                   \
        src.into = into;                                                                                       \
        src.shape = threelc_shape_of(n);                                                                       \
        *fault = decompress(&threelc_##isa, split, &src);                                                      \
    }
#define FORMS(isa, suffix, split)                               \
    FORM(isa, isa##_runs##suffix, THREELC_RUNS, 0, split)       \
    FORM(isa, isa##_quartic##suffix, THREELC_QUARTIC, 0, split) \
    FORM(isa, isa##_pull##suffix, THREELC_RUNS, 1, split)       \
    FORM(isa, isa##_quartic_pull##suffix, THREELC_QUARTIC, 1, split)

FORMS(scalar, , 0)
#ifdef NW_X86
FORMS(avx2, , 0)
FORMS(avx512, , 0)
#endif
#ifdef NW_OPENMP
FORMS(scalar, _omp, 1)
#ifdef NW_X86
FORMS(avx2, _omp, 1)
FORMS(avx512, _omp, 1)
#endif
#endif

#define ROW(name, parallel, usable, function) \
    { { name, IMPL_HOST, parallel, usable }, compress_##function, decompress_##function },
#ifdef NW_OPENMP
#define SCALAR_OMP(form) ROW("scalar+omp", 1, usable_always, scalar_##form##_omp)
#ifdef NW_X86
#define X86_OMP(form)                                              \
    ROW("avx512+omp", 1, usable_avx512_vbmi2, avx512_##form##_omp) \
    ROW("avx2+omp", 1, usable_avx2_bmi, avx2_##form##_omp)
#endif
#else
#define SCALAR_OMP(form)
#endif
#ifdef NW_X86
#define X86(form)                                        \
    ROW("avx512", 0, usable_avx512_vbmi2, avx512_##form) \
    ROW("avx2", 0, usable_avx2_bmi, avx2_##form)
#else
#define X86(form)
#endif
#ifndef X86_OMP
#define X86_OMP(form)
#endif
#define ROWS(form) X86_OMP(form) SCALAR_OMP(form) X86(form) ROW("scalar", 0, usable_always, scalar_##form)

#ifdef NW_CUDA
#define CUDA_ROW(to, back) \
    { { "cuda", IMPL_DEVICE, 0, threelc_cuda_usable }, threelc_##to##_compress_cuda, threelc_##back##_decompress_cuda },
#else
#define CUDA_ROW(to, back)
#endif

/* clang-format off */
static const struct codec_impl runs_impls[] = { CUDA_ROW(runs, runs) ROWS(runs) { .impl = { 0 } } };
static const struct codec_impl quartic_impls[] = { CUDA_ROW(quartic, quartic) ROWS(quartic) { .impl = { 0 } } };
const struct codec_impl threelc_pull_impls[] = { CUDA_ROW(pull, runs) ROWS(pull) { .impl = { 0 } } };
const struct codec_impl threelc_quartic_pull_impls[] = { ROWS(quartic_pull) { .impl = { 0 } } };
/* clang-format on */

static size_t runs_bound(size_t n, const struct codec_params *p)
{
    struct threelc_shape s = threelc_shape_of(n);

    (void)p;
    return n ? threelc_head(&s, THREELC_RUNS) + s.bytes + ZRE_SLACK : 0;
}

static size_t quartic_bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return n ? 4 + threelc_bytes_lane(n) : 0;
}

static size_t errors(size_t n, const struct codec_params *p)
{
    (void)p;
    return 4 * n;
}

static size_t places(size_t n, const struct codec_params *p)
{
    (void)p;
    return threelc_shape_of(n).chunks * (size_t)THREELC_PLACE;
}

static size_t nothing(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return 0;
}

/* s < 2: the greatest fp32 below 2. */
#define SPARSITY                           \
    {                                      \
        {                                  \
            .name = "s",                   \
            .unit = "",                    \
            .what = "sparsity multiplier", \
            .lowest = 1.0,                 \
            .highest = 0x1.fffffep0,       \
            .preset = 1.0,                 \
        },                                 \
    }

const struct codec codec_3lc = {
    .name = "3lc",
    .id = CODEC_ID_3LC,
    .what = "3-value quantization with error feedback, quartic and zero-run encoding",
    .source = "arXiv 1802.07389, section 3",
    .class = CODEC_GATHERED,
    .param = SPARSITY,
    .payload_bound = runs_bound,
    .state_size = errors,
    .work_size = places,
    .impls = runs_impls,
    .pulls = threelc_pull_impls,
};

const struct codec codec_3lc_quartic = {
    .name = "3lc-quartic",
    .id = CODEC_ID_3LC_QUARTIC,
    .what = "3lc without zero-run encoding: always 1.6 bits a value",
    .source = "arXiv 1802.07389, sections 3.1 and 3.2",
    .class = CODEC_GATHERED,
    .param = SPARSITY,
    .payload_bound = quartic_bound,
    .state_size = errors,
    .work_size = nothing,
    .impls = quartic_impls,
    .pulls = threelc_quartic_pull_impls,
};
