/* codec.c - whole tensors, and the codecs over them. */
#include "kernels/cast/host.h"

struct job {
    cast_narrow_span *narrow;
    cast_widen_span *widen;
    void (*round)(float *dst, const float *src, size_t n);
    void *dst;
    const void *src;
    _Bool stream;
};

static void narrow(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->narrow((uint16_t *)j->dst + from, (const float *)j->src + from, to - from, j->stream);
}

static void widen(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->widen((float *)j->dst + from, (const uint16_t *)j->src + from, to - from, j->stream);
}

static void round_all(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->round((float *)j->dst + from, (const float *)j->src + from, to - from);
}

void cast_narrow(cast_narrow_span *span, share_fn *share, uint16_t *dst, const float *src, size_t n)
{
    struct job j = { .narrow = span, .dst = dst, .src = src, .stream = 2 * n >= SHARE_STREAM_BYTES };

    share(narrow, &j, n, 1024);
}

void cast_widen(cast_widen_span *span, share_fn *share, float *dst, const uint16_t *src, size_t n)
{
    struct job j = { .widen = span, .dst = dst, .src = src, .stream = 4 * n >= SHARE_STREAM_BYTES };

    share(widen, &j, n, 1024);
}

void cast_round(const struct cast_spans *isa, share_fn *share, float *dst, const float *src, size_t n)
{
    struct job j = { .round = isa->bf16_round, .dst = dst, .src = src };

    share(round_all, &j, n, 1024);
}

static void decode(const void *job, float *dst, size_t from, size_t to, _Bool stream)
{
    const struct job *j = job;

    j->widen(dst, (const uint16_t *)j->src + from, to - from, stream);
}

static int receive(const struct cast_spans *isa, cast_widen_span *span, share_fn *share, float *values, size_t n,
                   enum codec_into into, const uint8_t *payload, size_t nbytes)
{
    struct job j = { .widen = span, .src = payload };
    struct plain_decode d = { decode, &j, 1024 };

    if (nbytes != 2 * n)
        return nbytes < 2 * n ? CODEC_SHORT : CODEC_LONG;
    plain_receive(&d, isa->plain, share, values, n, into == CODEC_ADD);
    return CODEC_OK;
}

#define CAST_CODEC(name)                                                                                             \
    void name##_compress(const struct cast_spans *isa, share_fn *share, uint8_t *payload, uint64_t *nbytes,          \
                         const float *values, size_t n, const struct codec_params *p, void *state, void *work)       \
    {                                                                                                                \
        (void)p, (void)state, (void)work;                                                                            \
        cast_narrow(isa->name##_narrow, share, (uint16_t *)(void *)payload, values, n);                              \
        *nbytes = 2 * n;                                                                                             \
    }                                                                                                                \
    int name##_decompress(const struct cast_spans *isa, share_fn *share, float *values, size_t n,                    \
                          enum codec_into into, const uint8_t *payload, size_t nbytes, const struct codec_params *p, \
                          void *work)                                                                                \
    {                                                                                                                \
        (void)p, (void)work;                                                                                         \
        return receive(isa, isa->name##_widen, share, values, n, into, payload, nbytes);                             \
    }

CAST_CODEC(bf16)
CAST_CODEC(fp16)
