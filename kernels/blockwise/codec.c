/* codec.c - the codec and its implementations in this build. */
#include "kernels/blockwise/host.h"
#include "kernels/shared/least.h"
#include "kernels/shared/rows.h"

struct job {
    const struct blockwise_spans *isa;
    struct blockwise_form form;
    uint8_t *payload;
    const float *values;
    struct blockwise_terms terms;
};

/* A pass over whole blocks. */
static void send(struct job *j, share_fn *share, share_pass *pass, uint64_t *nbytes)
{
    share(pass, j, j->form.n, j->form.block);
    blockwise_put_padding(j->payload, j->form);
    *nbytes = blockwise_bytes(j->form);
}

static void encode(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    for (size_t at = from; at < to; at += j->form.block)
        blockwise_put_block(j->isa, j->payload, j->form, at, j->values + at, least(j->form.block, to - at));
}

static void blockwise_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                               const struct codec_params *p, void *state, void *work)
{
    struct job j = { .isa = im->with, .form = blockwise_form_of(n, p), .payload = payload, .values = values };

    (void)state, (void)work;
    send(&j, share_of(im), encode, nbytes);
}

static struct blockwise_terms terms_of(const struct codec_terms *sent, size_t n, const struct codec_params *p)
{
    struct blockwise_terms t = { .sent = *sent, .form = blockwise_form_of(n, p) };

    t.scales_at = blockwise_scales_at(t.form);
    return t;
}

static void decode(const void *job, float *dst, size_t from, size_t to, bool stream)
{
    const struct job *j = job;

    j->isa->sum(dst, &j->terms, from, to, stream);
}

static void blockwise_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                                 const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                                 int *error)
{
    struct codec_terms one = { payload, 0, nbytes, 1 };
    struct job j = { .isa = im->with, .terms = terms_of(&one, n, p) };
    struct plain_decode d = { decode, &j, 1024 };

    (void)work;
    *error = blockwise_check(j.isa, share_of(im), &j.terms);
    if (!*error)
        plain_receive(&d, j.isa->bytes->plain, share_of(im), values, n, into == CODEC_ADD);
}

static void reduce(void *job, size_t from, size_t to)
{
    _Alignas(64) float sums[BLOCKWISE_MOST];
    const struct job *j = job;

    for (size_t at = from; at < to; at += j->form.block) {
        size_t count = least(j->form.block, to - at);

        j->isa->sum(sums, &j->terms, at, at + count, false);
        blockwise_put_block(j->isa, j->payload, j->form, at, sums, count);
    }
}

static void blockwise_reduce(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const struct codec_terms *terms,
                             size_t n, const struct codec_params *p, void *work, int *error)
{
    struct job j = {
        .isa = im->with, .form = blockwise_form_of(n, p), .payload = payload, .terms = terms_of(terms, n, p)
    };

    (void)work;
    *error = blockwise_check(j.isa, share_of(im), &j.terms);
    if (!*error)
        send(&j, share_of(im), reduce, nbytes);
}

static const struct codec_impl impls[] = CODEC_REDUCING_ROWS(blockwise, blockwise, usable_avx512_bw, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    return blockwise_bytes(blockwise_form_of(n, p));
}

const struct codec codec_blockwise = {
    .name = "blockwise",
    .id = CODEC_ID_BLOCKWISE,
    .what = "4 or 8 bits a value and a scale for each block, reduced without decoding the tensor",
    .source = "arXiv 2306.10209, sections 3.1, 3.3 and 4",
    .class = CODEC_SCATTERED,
    .param = { { "bits", "", "of a code", 4, 8, 8, 4 },
               { "block", "", "values that share a scale", BLOCKWISE_GROUP, BLOCKWISE_MOST, 256, BLOCKWISE_GROUP } },
    .payload_bound = bound,
    .state_size = codec_no_bytes,
    .work_size = codec_no_bytes,
    .impls = impls,
};
