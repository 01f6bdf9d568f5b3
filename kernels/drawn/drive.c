/* drive.c - the ways there and back, around the loops of a codec. */
#include <string.h>

#include "kernels/drawn/drawn.h"

struct sending {
    const struct drawn_spans *isa;
    uint8_t *payload;
    const float *values;
    const struct drawn_scale *scale;
    struct threefry_key key;
};

static void encode(void *job, size_t from, size_t to)
{
    const struct sending *s = job;

    s->isa->encode(s->payload + (size_t)s->scale->bits * (from / 8), s->values + from, from, to - from, s->scale,
                   &s->key);
}

void drawn_send(const struct drawn_spans *isa, share_fn *share, uint8_t *payload, uint64_t *nbytes, const float *values,
                size_t n, const struct drawn_scale *s, float sent, uint64_t seed, uint64_t *steps)
{
    struct sending job = { isa, payload, values, s, drawn_key(seed, *steps) };
    size_t planes = drawn_bytes(n, s->bits);

    share(encode, &job, n, 1024);
    memcpy(payload + planes, &sent, sizeof(sent));
    *nbytes = planes + sizeof(sent);
    ++*steps;
}

struct checking {
    const uint8_t *payload;
    size_t n;
    struct drawn_form form;
    uint32_t bad;
};

static void check(void *job, size_t from, size_t to)
{
    struct checking *c = job;

    for (size_t at = from; at < to; at += DRAWN_BLOCK)
        if (!drawn_block_is_valid(c->payload + (size_t)c->form.bits * (at / 8), c->n, at, c->form)) {
            share_most(&c->bad, 1);
            return;
        }
}

enum codec_error drawn_check(share_fn *share, const uint8_t *payload, size_t nbytes, size_t n, struct drawn_form form,
                             float *sent)
{
    size_t planes = drawn_bytes(n, form.bits);
    enum codec_error error = codec_size_error(nbytes, planes + sizeof(*sent));
    struct checking job = { payload, n, form, 0 };

    if (error)
        return error;
    memcpy(sent, payload + planes, sizeof(*sent));
    share(check, &job, n, 1024);
    return job.bad ? CODEC_CONTENT : CODEC_OK;
}

struct receiving {
    const struct drawn_spans *isa;
    const uint8_t *payload;
    const struct drawn_scale *scale;
};

static void decode(const void *job, float *dst, size_t from, size_t to, bool stream)
{
    const struct receiving *r = job;

    r->isa->decode(dst, r->payload + (size_t)r->scale->bits * (from / 8), to - from, r->scale, stream);
}

void drawn_receive(const struct drawn_spans *isa, share_fn *share, float *values, size_t n, enum codec_into into,
                   const uint8_t *payload, const struct drawn_scale *s)
{
    struct receiving job = { isa, payload, s };
    struct plain_decode d = { decode, &job, 1024 };

    plain_receive(&d, isa->plain, share, values, n, into == CODEC_ADD);
}

size_t drawn_state(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return sizeof(uint64_t);
}
