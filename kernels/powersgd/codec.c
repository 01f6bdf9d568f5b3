/* codec.c - the codec and its implementations in this build. */
#include "kernels/powersgd/host.h"
#include "kernels/shared/rows.h"

static void powersgd_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                              const struct codec_params *p, void *state, void *work)
{
    const struct powersgd_spans *isa = im->with;
    struct powersgd_shape s = powersgd_shape_by(n, p);
    float *first = (float *)(void *)payload, *second = first + s.rank * s.rows;

    (void)work;
    *nbytes = powersgd_bytes(s);
    if (s.plain) {
        plain_copy(isa->plain, share_of(im), first, values, n);
        return;
    }
    powersgd_first(im, first, values, n, p, state);
    powersgd_second(im, first, second, n, p, state);
    powersgd_last(im, first, second, n, p, state);
}

struct received {
    const struct powersgd_spans *isa;
    struct powersgd_shape s;
    const float *p, *q;
};

static void decode(const void *job, float *dst, size_t from, size_t to, bool stream)
{
    const struct received *r = job;

    (void)stream;
    powersgd_product(r->isa, dst, r->p, r->q, r->s, from, to);
}

static void powersgd_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                                const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                int *error)
{
    const struct powersgd_spans *isa = im->with;
    const float *sent = (const float *)(const void *)payload;
    struct powersgd_shape s = powersgd_shape_by(n, p);
    struct received r = { isa, s, sent, sent + s.rank * s.rows };
    struct plain_decode d = { decode, &r, 1024 };

    (void)work;
    *error = codec_size_error(nbytes, powersgd_bytes(s));
    if (*error)
        return;
    if (!s.plain)
        plain_receive(&d, isa->plain, share_of(im), values, n, into == CODEC_ADD);
    else if (into == CODEC_ADD)
        plain_sum(isa->plain, share_of(im), values, values, sent, n, false);
    else
        plain_copy(isa->plain, share_of(im), values, sent, n);
}

static const struct codec_impl impls[] = CODEC_ROWS(powersgd, powersgd, usable_avx512, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    return powersgd_bytes(powersgd_shape_by(n, p));
}

static size_t state_size(size_t n, const struct codec_params *p)
{
    struct powersgd_shape s = powersgd_shape_by(n, p);

    return s.plain ? 0 : powersgd_counter(s) + sizeof(uint64_t);
}

const struct codec codec_powersgd = {
    .name = "powersgd",
    .id = CODEC_ID_POWERSGD,
    .what = "a matrix as the product of two of low rank, with error feedback",
    .source = "arXiv 1905.13727, algorithms 1 and 2",
    .class = CODEC_REDUCIBLE_TWICE,
    .param = { { "columns", "values", "in a row of the matrix", 1, 1099511627776.0, 1024, 1 },
               { "rank", "", "vectors in each factor", 1, POWERSGD_RANKS, 4, 1 },
               { "shared_seed", "", "of the first factor, the same for all workers", 0, 9007199254740991.0, 0, 1 } },
    .payload_bound = bound,
    .state_size = state_size,
    .work_size = codec_no_bytes,
    .impls = impls,
};
