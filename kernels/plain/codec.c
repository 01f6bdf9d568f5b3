/* codec.c - the codec and its implementations in this build. */
#include "kernels/plain/plain.h"
#include "kernels/shared/receive.h"
#include "kernels/shared/rows.h"

static void plain_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                           const struct codec_params *p, void *state, void *work)
{
    (void)p, (void)state, (void)work;
    plain_copy(im->with, share_of(im), (float *)(void *)payload, values, n);
    *nbytes = 4 * n;
}

static void plain_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                             const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                             int *error)
{
    const float *sent = (const float *)(const void *)payload;

    (void)p, (void)work;
    *error = codec_size_error(nbytes, 4 * n);
    if (*error)
        return;
    if (into == CODEC_ADD)
        plain_sum(im->with, share_of(im), values, values, sent, n, false);
    else
        plain_copy(im->with, share_of(im), values, sent, n);
}

static const struct codec_impl impls[] = CODEC_ROWS(plain, plain, usable_avx512_bw, usable_avx2);

const struct codec codec_plain = {
    .name = "fp32",
    .id = CODEC_ID_FP32,
    .what = "the values as they are",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_REDUCIBLE,
    .payload_bound = codec_words,
    .state_size = codec_no_bytes,
    .work_size = codec_no_bytes,
    .impls = impls,
};
