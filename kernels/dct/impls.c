/* impls.c - the codec and its implementations in this build. */
#include "kernels/dct/dct.h"
#include "kernels/dct/dct_lane.h"
#include "kernels/select/host.h"
#include "kernels/shared/usable.h"
#include "kernels/sparse/host.h"

#ifdef NW_CUDA
#include "kernels/dct/device.h"
#endif

enum { DROPPED, LIFESPAN };

static size_t payload_bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return sparse_bound(n);
}

static size_t state_size(size_t n, const struct codec_params *p)
{
    (void)p;
    return DCT_STATE + 4 * n;
}

static size_t work_size(size_t n, const struct codec_params *p)
{
    size_t threshold = select_work(n), payload = sparse_work(n);

    (void)p;
    return threshold > payload ? threshold : payload;
}

typedef void accumulate_fn(const struct sparse_isa *isa, float *error, const float *change, size_t n,
                           struct sparse_scratch *s);
typedef uint64_t finish_fn(const struct sparse_task *t);

struct row {
    const struct select_isa *isa;
    const struct select_loops *loops;
    accumulate_fn *accumulate;
    finish_fn *compress;
};

static void compress(const struct row *row, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                     const struct codec_params *p, void *state, void *work)
{
    const struct sparse_isa *isa = row->isa->sparse;
    struct dct_state *s = state;
    float *error = (float *)((uint8_t *)state + DCT_STATE);
    struct select_result r = { { UINT64_MAX, s->threshold }, 0 };
    struct sparse_task t;

    if (!s->left) {
        row->accumulate(isa, error, values, n, work);
        select_run(row->isa, row->loops, &r, NULL, NULL, error, n, (size_t)dct_kept(n, p->value[DROPPED]), work);
        r.keep = dct_no_zeros(r.keep);
        s->threshold = r.keep.threshold;
        s->left = (uint64_t)p->value[LIFESPAN];
        values = NULL;
    }
    s->left--;
    t = sparse_begin(isa, payload, error, values, n, &r.keep, SPARSE_SMALLER, work);
    *nbytes = row->compress(&t);
}

#define DCT_ROW(isa, name, how)                                                                                     \
    static void compress_##name(uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,                  \
                                const struct codec_params *p, void *state, void *work)                              \
    {                                                                                                               \
        static const struct row row = { &select_##isa, &select_##how, sparse_accumulate_##how,                      \
                                        sparse_compress_##how };                                                    \
                                                                                                                    \
        compress(&row, payload, nbytes, values, n, p, state, work);                                                 \
    }                                                                                                               \
    static void expand_##name(float *values, size_t n, enum codec_into into, const uint8_t *payload, size_t nbytes, \
                              const struct codec_params *p, void *work, int *fault)                                 \
    {                                                                                                               \
        struct sparse_parts parts;                                                                                  \
                                                                                                                    \
        (void)p;                                                                                                    \
        *fault = sparse_open(&sparse_##isa, &parts, n, payload, nbytes, SPARSE_SMALLER, work);                      \
        if (!*fault)                                                                                                \
            sparse_spread_##how(&sparse_##isa, &parts, values, n, into);                                            \
    }

DCT_ROW(scalar, scalar, serial)
#ifdef NW_X86
DCT_ROW(avx2, avx2, serial)
DCT_ROW(avx512, avx512, serial)
#endif
#ifdef NW_OPENMP
DCT_ROW(scalar, scalar_omp, split)
#ifdef NW_X86
DCT_ROW(avx2, avx2_omp, split)
DCT_ROW(avx512, avx512_omp, split)
#endif
#endif

static const struct codec_impl impls[] = {
#ifdef NW_CUDA
    { { "cuda", IMPL_DEVICE, 0, dct_cuda_usable }, dct_compress_cuda, dct_expand_cuda },
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

const struct codec codec_dct = {
    .name = "dct",
    .id = CODEC_ID_DCT,
    .what = "greatest magnitudes with error feedback, the threshold found exactly once in a while",
    .source = "DCT-DP, arXiv 2010.08899, Algorithm 1",
    .class = CODEC_GATHERED,
    .param = { { "dropped", "share", "of the values that stay behind when the threshold is found", 0, 1, 0.95, 0 },
               { "lifespan", "steps", "that a threshold serves", 1, 1e9, 1000, 1 } },
    .payload_bound = payload_bound,
    .state_size = state_size,
    .work_size = work_size,
    .impls = impls,
};
