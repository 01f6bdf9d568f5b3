/* codec.c - the codec and its implementations in this build. */
#include <string.h>

#include "kernels/shared/rows.h"
#include "kernels/stochastic3/host.h"

struct job {
    struct stochastic3_job j;
    stochastic3_encode_span *encode;
};

static void encode(void *job, size_t from, size_t to)
{
    const struct job *e = job;

    e->encode(&e->j, from, to);
}

static void stochastic3_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values,
                                 size_t n, const struct codec_params *p, void *state, void *work)
{
    const struct stochastic3_spans *isa = im->with;
    share_fn *share = share_of(im);
    struct magnitude most = magnitude_find(isa->magnitude, share, values, n);
    struct stochastic3_scale scale = stochastic3_scale_of(most.bits);
    uint64_t *steps = state;
    struct job e = { .encode = most.finite && scale.lift == 1.0f ? isa->encode : stochastic3_encode_scalar };

    (void)work;
    e.j = (struct stochastic3_job){ .values = values,
                                    .n = n,
                                    .each = stochastic3_bytes(n),
                                    .bytes = payload,
                                    .scale = scale,
                                    .key = stochastic3_key((uint64_t)p->value[0], *steps),
                                    .stream = 4 * n >= SHARE_STREAM_BYTES };
    share(encode, &e, e.j.each, 8 * STOCHASTIC3_GROUP);
    memcpy(payload + e.j.each, &most.bits, sizeof(most.bits));
    *nbytes = e.j.each + sizeof(most.bits);
    ++*steps;
}

struct receive {
    const struct stochastic3_spans *isa;
    const uint8_t *bytes;
    float *values;
    size_t n, each;
    float m;
    uint32_t bad;
    bool stream;
};

static void check(void *job, size_t from, size_t to)
{
    struct receive *r = job;

    if (r->isa->check(r->bytes + from, to - from))
        share_most(&r->bad, 1);
}

static bool padding_is_zero(const struct receive *r)
{
    for (size_t i = r->n; i < 5 * r->each; i++)
        if (stochastic3_digit(r->bytes[i % r->each], (int)(i / r->each)))
            return 0;
    return 1;
}

/* How many of 'count' positions from 'at' on a partition has. */
static size_t present(const struct receive *r, int partition, size_t at, size_t count)
{
    size_t first = (size_t)partition * r->each + at;

    return first >= r->n ? 0 : r->n - first < count ? r->n - first : count;
}

/* Bytes are read five times, from the first-level cache, so that each partition is written in one go. */
static void store(void *job, size_t from, size_t to)
{
    enum { PIECE = 16384 };
    const struct receive *r = job;

    for (size_t at = from; at < to; at += PIECE)
        for (int k = 0; k < 5; k++)
            r->isa->decode(r->values + (size_t)k * r->each + at, r->bytes + at,
                           present(r, k, at, to - at < PIECE ? to - at : PIECE), k, r->m, r->stream);
}

/* In small pieces, so that the five partitions are five walks side by side. */
static void add(void *job, size_t from, size_t to)
{
    enum { PIECE = 256 };
    const struct receive *r = job;
    _Alignas(64) float piece[PIECE];

    for (size_t at = from; at < to; at += PIECE)
        for (int k = 0; k < 5; k++) {
            float *dst = r->values + (size_t)k * r->each + at;
            size_t count = present(r, k, at, to - at < PIECE ? to - at : PIECE);

            r->isa->decode(piece, r->bytes + at, count, k, r->m, 0);
            r->isa->plain->sum(dst, dst, piece, count, 0);
        }
}

/* Takes the magnitude from the payload. */
static enum codec_error check_payload(struct receive *r, share_fn *share, size_t nbytes)
{
    enum codec_error error = codec_size_error(nbytes, r->each + sizeof(r->m));
    uint32_t bits;

    if (error)
        return error;
    memcpy(&bits, r->bytes + r->each, sizeof(bits));
    if (bits >= 0x7f800000u)
        return CODEC_CONTENT;
    memcpy(&r->m, &bits, sizeof(bits));
    share(check, r, r->each, 1024);
    return r->bad || !padding_is_zero(r) ? CODEC_CONTENT : CODEC_OK;
}

static void stochastic3_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                                   const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                   int *error)
{
    struct receive r = { .isa = im->with,
                         .bytes = payload,
                         .values = values,
                         .n = n,
                         .each = stochastic3_bytes(n),
                         .stream = 4 * n >= SHARE_STREAM_BYTES };

    (void)p, (void)work;
    *error = check_payload(&r, share_of(im), nbytes);
    if (!*error)
        share_of(im)(into == CODEC_ADD ? add : store, &r, r.each, 1024);
}

static const struct codec_impl impls[] = CODEC_ROWS(stochastic3, stochastic3, usable_avx512_bw, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return stochastic3_bytes(n) + 4;
}

static size_t counter(size_t n, const struct codec_params *p)
{
    (void)n, (void)p;
    return sizeof(uint64_t);
}

const struct codec codec_stochastic3 = {
    .name = "stoch3",
    .id = CODEC_ID_STOCH3,
    .what = "three values, drawn so that the expectation is the value; five in a byte",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_GATHERED,
    .param = { { "seed", "", "of the random draws; a worker and tensor each need their own", 0, 9007199254740991.0, 0,
                 1 } },
    .payload_bound = bound,
    .state_size = counter,
    .work_size = codec_no_bytes,
    .impls = impls,
};
