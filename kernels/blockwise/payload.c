/* payload.c - the parts of a payload: a block written, and everything checked. */
#include "kernels/blockwise/host.h"

struct blockwise_form blockwise_form_of(size_t n, const struct codec_params *p)
{
    return (struct blockwise_form){ n, (size_t)p->value[1], (int)p->value[0] };
}

void blockwise_put_block(const struct blockwise_spans *isa, uint8_t *payload, struct blockwise_form f, size_t first,
                         const float *values, size_t count)
{
    struct magnitude most = magnitude_find(isa->bytes->magnitude, share_serial, values, count);
    struct int8_scale s = int8_scale_of(most.bits, blockwise_levels(f.bits));
    bool plain = most.finite && s.lift == 1.0f;
    uint8_t *codes = payload + blockwise_codes(first, f.bits);

    if (f.bits == 4)
        (plain ? isa->narrow : blockwise_narrow_scalar)(codes, values, count, &s);
    else
        (plain ? isa->bytes->narrow : int8_narrow_scalar)((int8_t *)codes, values, count, &s, false);
    memcpy(payload + blockwise_scales_at(f) + sizeof(s.step) * (first / f.block), &s.step, sizeof(s.step));
}

void blockwise_put_padding(uint8_t *payload, struct blockwise_form f)
{
    size_t codes = blockwise_codes(f.n, f.bits);

    memset(payload + codes, 0, blockwise_scales_at(f) - codes);
}

struct checking {
    const struct blockwise_spans *isa;
    const uint8_t *payload;
    struct blockwise_form form;
    uint32_t bad;
};

static void check_codes(void *job, size_t from, size_t to)
{
    struct checking *c = job;
    const uint8_t *codes = c->payload + blockwise_codes(from, c->form.bits);

    if (c->form.bits == 4 ? c->isa->check(codes, blockwise_codes(to - from, 4))
                          : c->isa->bytes->check((const int8_t *)codes, to - from))
        share_most(&c->bad, 1);
}

static void check_scales(void *job, size_t from, size_t to)
{
    struct checking *c = job;
    const uint8_t *scales = c->payload + blockwise_scales_at(c->form);
    float levels = blockwise_levels(c->form.bits), scale;
    uint32_t bad = 0;

    for (size_t i = from; i < to; i++) {
        memcpy(&scale, scales + sizeof(scale) * i, sizeof(scale));
        bad |= !int8_step_is_valid(scale, levels);
    }
    share_most(&c->bad, bad);
}

static bool padding_is_bad(const uint8_t *payload, struct blockwise_form f)
{
    size_t codes = blockwise_codes(f.n, f.bits);
    uint32_t bad = f.bits == 4 && f.n % 2 ? payload[codes - 1] >> 4 : 0;

    for (size_t i = codes; i < blockwise_scales_at(f); i++)
        bad |= payload[i];
    return bad;
}

enum codec_error blockwise_check(const struct blockwise_spans *isa, share_fn *share, const struct blockwise_terms *t)
{
    enum codec_error error = codec_size_error(t->sent.nbytes, blockwise_bytes(t->form));
    struct checking c = { .isa = isa, .form = t->form };

    if (error)
        return error;
    for (size_t k = 0; k < t->sent.count && !c.bad; k++) {
        c.payload = t->sent.payloads + k * t->sent.stride;
        c.bad = padding_is_bad(c.payload, c.form);
        share(check_codes, &c, c.form.n, 1024);
        share(check_scales, &c, blockwise_blocks(c.form), 1024);
    }
    return c.bad ? CODEC_CONTENT : CODEC_OK;
}
