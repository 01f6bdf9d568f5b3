/* codec.c - the codec and its implementations in this build. */
#include "kernels/select/host.h"
#include "kernels/shared/rows.h"
#include "kernels/sparse/host.h"
#include "kernels/sparsify/host.h"
#include "kernels/sparsify/sparsify.h"

static size_t payload_bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return sparse_bound(n);
}

/* The sample and its bins are done with before the scratch is needed. */
static size_t work_size(size_t n, const struct codec_params *p)
{
    size_t threshold = 8 * SELECT_BINS + 4 * (size_t)sparsify_samples(n), payload = sparse_work(n);

    (void)p;
    return threshold > payload ? threshold : payload;
}

void sparsify_sample_serial(uint32_t *sample, size_t samples, const float *error, const float *change, size_t n)
{
    for (size_t j = 0; j < samples; j++)
        sample[j] = sparsify_sample(error, change, j, n, samples);
}

static void sparsify_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                              const struct codec_params *p, void *state, void *work)
{
    struct select_task threshold = { .bins = work, .n = n };
    float *error = state;
    uint32_t *sample = (uint32_t *)(threshold.bins + SELECT_BINS);
    size_t samples = (size_t)sparsify_samples(n);
    uint64_t rank = sparsify_rank(samples, p->value[0]), equal;
    struct sparse_keep keep = { UINT64_MAX, 1 };
    struct sparse_task t;

    if (n) {
        IMPL_WAY(im, sparsify_sample_serial, sparsify_sample_split)(sample, samples, error, values, n);
        threshold.spare = sample; /* used up */
        threshold.most_spare = samples;
        keep.threshold = select_radix(&threshold, &select_serial, sample, samples, 0, 0x7fffffff, &rank, &equal);
        keep.threshold = keep.threshold ? keep.threshold : 1;
    }
    t = sparse_begin(im->with, payload, error, values, n, &keep, SPARSE_BITMAP, work);
    *nbytes = IMPL_WAY(im, sparse_compress_serial, sparse_compress_split)(&t);
}

static void sparsify_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                                const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                int *error)
{
    (void)p;
    *error = sparse_expand(im, im->with, values, n, into, payload, nbytes, SPARSE_BITMAP, work);
}

static const struct codec_impl impls[] = CODEC_ROWS(sparsify, sparse, usable_avx512_vbmi2, usable_avx2_bmi);

const struct codec codec_sparsify = {
    .name = "sparsify",
    .id = CODEC_ID_SPARSIFY,
    .what = "largest magnitudes with error feedback, the threshold from a sample, always a bitmap",
    .source = "3LC, arXiv 1802.07389, section 5.1, 25 % and 5 % sparsification",
    .class = CODEC_GATHERED,
    .param = { { "share", "share", "of the values that are sent, as the sample has it", 0, 1, 0.05, 0 } },
    .payload_bound = payload_bound,
    .state_size = codec_words,
    .work_size = work_size,
    .impls = impls,
};
