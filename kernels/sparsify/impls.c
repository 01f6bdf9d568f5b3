/* impls.c - the codec and its implementations in this build. */
#include "kernels/select/host.h"
#include "kernels/shared/usable.h"
#include "kernels/sparse/host.h"
#include "kernels/sparsify/host.h"
#include "kernels/sparsify/sparsify.h"

#ifdef NW_CUDA
#include "kernels/sparsify/device.h"
#endif

static size_t payload_bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return sparse_bound(n);
}

static size_t state_size(size_t n, const struct codec_params *p)
{
    (void)p;
    return 4 * n;
}

/* The sample and its bins are done with before the scratch is needed. */
static size_t work_size(size_t n, const struct codec_params *p)
{
    size_t threshold = 8 * SELECT_BINS + 4 * (size_t)sparsify_samples(n), payload = sparse_work(n);

    (void)p;
    return threshold > payload ? threshold : payload;
}

typedef void sample_fn(uint32_t *sample, size_t samples, const float *error, const float *change, size_t n);
typedef uint64_t finish_fn(const struct sparse_task *t);

void sparsify_sample_serial(uint32_t *sample, size_t samples, const float *error, const float *change, size_t n)
{
    for (size_t j = 0; j < samples; j++)
        sample[j] = sparsify_sample(error, change, j, n, samples);
}

static void compress(const struct sparse_isa *isa, sample_fn *take, finish_fn *finish, uint8_t *payload,
                     uint64_t *nbytes, const float *values, size_t n, const struct codec_params *p, float *error,
                     void *work)
{
    struct select_task threshold = { .bins = work, .n = n };
    uint32_t *sample = (uint32_t *)(threshold.bins + SELECT_BINS);
    size_t samples = (size_t)sparsify_samples(n);
    uint64_t rank = sparsify_rank(samples, p->value[0]), equal;
    struct sparse_keep keep = { UINT64_MAX, 1 };
    struct sparse_task t;

    if (n) {
        take(sample, samples, error, values, n);
        keep.threshold = select_radix(&threshold, &select_serial, sample, samples, 0, 0x7fffffff, &rank, &equal);
        keep.threshold = keep.threshold ? keep.threshold : 1;
    }
    t = sparse_begin(isa, payload, error, values, n, &keep, SPARSE_BITMAP, work);
    *nbytes = finish(&t);
}

#define SPARSIFY_ROW(isa, name, how)                                                                                \
    static void compress_##name(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,                  \
                                const struct codec_params *p, void *state, void *work)                              \
    {                                                                                                               \
        compress(&sparse_##isa, sparsify_sample_##how, sparse_compress_##how, payload, nbytes, values, n, p, state, \
                 work);                                                                                             \
    }                                                                                                               \
    static void expand_##name(float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes, \
                              const struct codec_params *p, void *work, int *fault)                                 \
    {                                                                                                               \
        struct sparse_parts parts;                                                                                  \
                                                                                                                    \
        (void)p;                                                                                                    \
        *fault = sparse_open(&sparse_##isa, &parts, n, payload, nbytes, SPARSE_BITMAP, work);                       \
        if (!*fault)                                                                                                \
            sparse_spread_##how(&sparse_##isa, &parts, values, n, into);                                            \
    }

SPARSIFY_ROW(scalar, scalar, serial)
#ifdef NW_X86
SPARSIFY_ROW(avx2, avx2, serial)
SPARSIFY_ROW(avx512, avx512, serial)
#endif
#ifdef NW_OPENMP
SPARSIFY_ROW(scalar, scalar_omp, split)
#ifdef NW_X86
SPARSIFY_ROW(avx2, avx2_omp, split)
SPARSIFY_ROW(avx512, avx512_omp, split)
#endif
#endif

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, sparsify_cuda_usable }, sparsify_compress_cuda, sparsify_expand_cuda },
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

const struct codec codec_sparsify = {
    .name = "sparsify",
    .id = CODEC_ID_SPARSIFY,
    .what = "greatest magnitudes with error feedback, the threshold from a sample, always a bitmap",
    .source = "3LC, arXiv 1802.07389, section 5.1, 25 % and 5 % sparsification",
    .class = CODEC_GATHERED,
    .param = { { "share", "share", "of the values that are sent, as the sample has it", 0, 1, 0.05, 0 } },
    .payload_bound = payload_bound,
    .state_size = state_size,
    .work_size = work_size,
    .impls = impls,
};
