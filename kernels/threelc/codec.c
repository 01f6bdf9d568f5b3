/* codec.c - the two codecs and their pulls. */
#include <float.h>

#include "kernels/shared/rows.h"
#include "kernels/threelc/host.h"

static void compress(const struct impl *im, struct threelc_job *job, uint64_t *nbytes, size_t n,
                     const struct codec_params *p)
{
    job->s = (float)p->value[0];
    job->shape = threelc_shape_of(n);
    *nbytes = IMPL_WAY(im, threelc_compress, threelc_compress_split)(im->with, job);
}

static void decompress(const struct impl *im, struct threelc_source *src, size_t n, int *error)
{
    src->shape = threelc_shape_of(n);
    *error = IMPL_WAY(im, threelc_decompress, threelc_decompress_split)(im->with, src);
}

static void threelc_runs_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values,
                                  size_t n, const struct codec_params *p, void *state, void *work)
{
    struct threelc_job job = {
        .form = THREELC_RUNS, .payload = payload, .values = values, .state = state, .work = work
    };

    compress(im, &job, nbytes, n, p);
}

static void threelc_runs_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                                    const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                    int *error)
{
    struct threelc_source src = {
        .form = THREELC_RUNS, .payload = payload, .nbytes = nbytes, .values = values, .into = into
    };

    (void)p, (void)work;
    decompress(im, &src, n, error);
}

static void threelc_quartic_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values,
                                     size_t n, const struct codec_params *p, void *state, void *work)
{
    struct threelc_job job = {
        .form = THREELC_QUARTIC, .payload = payload, .values = values, .state = state, .work = work
    };

    compress(im, &job, nbytes, n, p);
}

static void threelc_quartic_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                                       const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                       int *error)
{
    struct threelc_source src = {
        .form = THREELC_QUARTIC, .payload = payload, .nbytes = nbytes, .values = values, .into = into
    };

    (void)p, (void)work;
    decompress(im, &src, n, error);
}

static void pull_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                          const struct codec_params *p, void *state, void *work)
{
    struct threelc_job job = {
        .form = THREELC_RUNS, .pull = true, .payload = payload, .values = values, .state = state, .work = work
    };

    compress(im, &job, nbytes, n, p);
}

static void quartic_pull_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values,
                                  size_t n, const struct codec_params *p, void *state, void *work)
{
    struct threelc_job job = {
        .form = THREELC_QUARTIC, .pull = true, .payload = payload, .values = values, .state = state, .work = work
    };

    compress(im, &job, nbytes, n, p);
}

static const struct codec_impl runs_impls[] = CODEC_ROWS(threelc_runs, threelc, usable_avx512_vbmi2, usable_avx2_bmi);
static const struct codec_impl quartic_impls[] =
    CODEC_ROWS(threelc_quartic, threelc, usable_avx512_vbmi2, usable_avx2_bmi);

const struct codec_impl threelc_pull_impls[] = {
#ifdef NW_CUDA
    IMPL_CUDA_ROW(threelc_pull_compress_cuda, threelc_runs_decompress_cuda, NULL),
#endif
    IMPL_ROWS(threelc, usable_avx512_vbmi2, usable_avx2_bmi, pull_compress, threelc_runs_decompress, NULL),
    { .impl = { 0 } },
};

const struct codec_impl threelc_quartic_pull_impls[] = {
    IMPL_ROWS(threelc, usable_avx512_vbmi2, usable_avx2_bmi, quartic_pull_compress, threelc_quartic_decompress, NULL),
    { .impl = { 0 } },
};

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

static size_t places(size_t n, const struct codec_params *p)
{
    (void)p;
    return threelc_shape_of(n).chunks * (size_t)THREELC_PLACE;
}

/* s < 2: the largest fp32 below 2. */
#define SPARSITY                                                   \
    {                                                              \
        { "s", "", "sparsity multiplier", 1, 0x1.fffffep0, 1, 0 }, \
    }

const struct codec codec_3lc = {
    .name = "3lc",
    .id = CODEC_ID_3LC,
    .what = "3-value quantization with error feedback, quartic and zero-run encoding",
    .source = "arXiv 1802.07389, section 3",
    .class = CODEC_GATHERED,
    .param = SPARSITY,
    .payload_bound = runs_bound,
    .state_size = codec_words,
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
    .state_size = codec_words,
    .work_size = codec_no_bytes,
    .impls = quartic_impls,
    .pulls = threelc_quartic_pull_impls,
};
