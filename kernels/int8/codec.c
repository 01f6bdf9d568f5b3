#include <string.h>

#include "kernels/int8/host.h"

struct job {
    const struct int8_spans *isa;
    int8_narrow_span *narrow;
    struct int8_scale scale;
    const float *values;
    int8_t *bytes;
    const int8_t *sent;
    uint32_t bad;
    _Bool stream;
};

static void narrow(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->narrow(j->bytes + from, j->values + from, to - from, &j->scale, j->stream);
}

void int8_compress(const struct int8_spans *isa, share_fn *share, uint8_t *payload, uint64_t *nbytes,
                   const float *values, size_t n, const struct codec_params *p, void *state, void *work)
{
    struct magnitude most = magnitude_find(isa->magnitude, share, values, n);
    struct job j = { .isa = isa,
                     .scale = int8_scale_of(most.bits),
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

static void decode(const void *job, float *dst, size_t from, size_t to, _Bool stream)
{
    const struct job *j = job;

    j->isa->widen(dst, j->sent + from, to - from, j->scale.step, stream);
}

int int8_decompress(const struct int8_spans *isa, share_fn *share, float *values, size_t n, enum codec_into into,
                    const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work)
{
    struct job j = { .isa = isa, .sent = (const int8_t *)payload };
    struct plain_decode d = { decode, &j, 1024 };

    (void)p, (void)work;
    if (nbytes != n + sizeof(j.scale.step))
        return nbytes < n + sizeof(j.scale.step) ? CODEC_SHORT : CODEC_LONG;
    memcpy(&j.scale.step, payload + n, sizeof(j.scale.step));
    if (!int8_step_is_valid(j.scale.step))
        return CODEC_CONTENT;
    share(check, &j, n, 1024);
    if (j.bad)
        return CODEC_CONTENT;
    plain_receive(&d, isa->plain, share, values, n, into == CODEC_ADD);
    return CODEC_OK;
}
