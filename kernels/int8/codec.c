/* codec.c - the codec and its implementations in this build. */
#include <string.h>

#include "kernels/int8/host.h"
#include "kernels/shared/rows.h"

struct job {
    const struct int8_spans *isa;
    int8_narrow_span *narrow;
    struct int8_scale scale;
    const float *values;
    int8_t *bytes;
    const int8_t *sent;
    uint32_t bad;
    bool stream;
};

static void narrow(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->narrow(j->bytes + from, j->values + from, to - from, &j->scale, j->stream);
}

static void int8_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                          const struct codec_params *p, void *state, void *work)
{
    const struct int8_spans *isa = im->with;
    share_fn *share = share_of(im);
    struct magnitude most = magnitude_find(isa->magnitude, share, values, n);
    struct job j = { .isa = isa,
                     .scale = int8_scale_of(most.bits, INT8_LEVELS),
                     .values = values,
                     .bytes = (int8_t *)payload,
                     .stream = 4 * n >= SHARE_STREAM_BYTES };

    (void)p, (void)state, (void)work;
    j.narrow = most.finite && j.scale.lift == 1.0f ? isa->narrow : int8_narrow_scalar;
    share(narrow, &j, n, 1024);
    memcpy(payload + n, &j.scale.step, sizeof(j.scale.step));
    *nbytes = n + sizeof(j.scale.step);
}

static void check(void *job, size_t from, size_t to)
{
    struct job *j = job;

    if (j->isa->check(j->sent + from, to - from))
        share_most(&j->bad, 1);
}

static void decode(const void *job, float *dst, size_t from, size_t to, bool stream)
{
    const struct job *j = job;

    j->isa->widen(dst, j->sent + from, to - from, j->scale.step, stream);
}

/* Takes the step from the payload. */
static enum codec_error check_payload(struct job *j, share_fn *share, size_t n, size_t nbytes)
{
    enum codec_error error = codec_size_error(nbytes, n + sizeof(j->scale.step));

    if (error)
        return error;
    memcpy(&j->scale.step, j->sent + n, sizeof(j->scale.step));
    if (!int8_step_is_valid(j->scale.step, INT8_LEVELS))
        return CODEC_CONTENT;
    share(check, j, n, 1024);
    return j->bad ? CODEC_CONTENT : CODEC_OK;
}

static void int8_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                            const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work, int *error)
{
    struct job j = { .isa = im->with, .sent = (const int8_t *)payload };
    struct plain_decode d = { decode, &j, 1024 };

    (void)p, (void)work;
    *error = check_payload(&j, share_of(im), n, nbytes);
    if (!*error)
        plain_receive(&d, j.isa->plain, share_of(im), values, n, into == CODEC_ADD);
}

static const struct codec_impl impls[] = CODEC_ROWS(int8, int8, usable_avx512_bw, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return n + 4;
}

const struct codec codec_int8 = {
    .name = "8bit",
    .id = CODEC_ID_8BIT,
    .what = "255 levels between the largest magnitude and its negative",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_GATHERED,
    .payload_bound = bound,
    .state_size = codec_no_bytes,
    .work_size = codec_no_bytes,
    .impls = impls,
};
