/* codec.c - the codecs "bf16" and "fp16", and their implementations in this build. */
#include "kernels/cast/host.h"
#include "kernels/shared/rows.h"

struct job {
    cast_widen_span *widen;
    const void *src;
};

static void decode(const void *job, float *dst, size_t from, size_t to, bool stream)
{
    const struct job *j = job;

    j->widen(dst, (const uint16_t *)j->src + from, to - from, stream);
}

static void send(const struct impl *im, cast_narrow_span *span, uint8_t *payload, uint64_t *nbytes, const float *values,
                 size_t n)
{
    cast_narrow(span, share_of(im), (uint16_t *)(void *)payload, values, n);
    *nbytes = 2 * n;
}

static void receive(const struct impl *im, cast_widen_span *span, float *values, size_t n, enum codec_into into,
                    const uint8_t *payload, size_t nbytes, int *error)
{
    const struct cast_spans *isa = im->with;
    struct job j = { .widen = span, .src = payload };
    struct plain_decode d = { decode, &j, 1024 };

    *error = codec_size_error(nbytes, 2 * n);
    if (!*error)
        plain_receive(&d, isa->plain, share_of(im), values, n, into == CODEC_ADD);
}

static void bf16_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                          const struct codec_params *p, void *state, void *work)
{
    const struct cast_spans *isa = im->with;

    (void)p, (void)state, (void)work;
    send(im, isa->bf16_narrow, payload, nbytes, values, n);
}

static void bf16_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                            const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    const struct cast_spans *isa = im->with;

    (void)p, (void)work;
    receive(im, isa->bf16_widen, values, n, into, payload, nbytes, error);
}

static void fp16_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                          const struct codec_params *p, void *state, void *work)
{
    const struct cast_spans *isa = im->with;

    (void)p, (void)state, (void)work;
    send(im, isa->fp16_narrow, payload, nbytes, values, n);
}

static void fp16_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                            const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    const struct cast_spans *isa = im->with;

    (void)p, (void)work;
    receive(im, isa->fp16_widen, values, n, into, payload, nbytes, error);
}

static const struct codec_impl bf16_impls[] = CODEC_ROWS(bf16, cast, usable_avx512_bw, usable_avx2);
static const struct codec_impl fp16_impls[] = CODEC_ROWS(fp16, cast, usable_avx512_bw, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return 2 * n;
}

const struct codec codec_bf16 = {
    .name = "bf16",
    .id = CODEC_ID_BF16,
    .what = "bfloat16, rounded to nearest even",
    .source = "Kalamkar et al., arXiv 1905.12322",
    .class = CODEC_REDUCIBLE,
    .payload_bound = bound,
    .state_size = codec_no_bytes,
    .work_size = codec_no_bytes,
    .impls = bf16_impls,
};

const struct codec codec_fp16 = {
    .name = "fp16",
    .id = CODEC_ID_FP16,
    .what = "IEEE 754 binary16, rounded to nearest even",
    .source = "IEEE 754-2019",
    .class = CODEC_REDUCIBLE,
    .payload_bound = bound,
    .state_size = codec_no_bytes,
    .work_size = codec_no_bytes,
    .impls = fp16_impls,
};
