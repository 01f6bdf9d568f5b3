/* codec.c - the codec and its implementations in this build. */
#include <string.h>

#include "kernels/onebit/host.h"
#include "kernels/shared/least.h"
#include "kernels/shared/rows.h"

struct job {
    const struct onebit_spans *isa;
    float *e;
    const float *v;
    struct onebit_sums *sums;
    uint8_t *bits;
    struct onebit_means m;
};

/* Several blocks side by side, a piece of each in turn: as many reads under way as kernels/copy/order.h says a core
 * needs. Four of them and not eight: two arrays make twice the streams, whose lines all fall into the same few sets of
 * the first-level cache. The blocks are independent. */
enum { WALKS = 4, PIECE = 128, SEVERAL = WALKS * ONEBIT_BLOCK };

static void sum_several(const struct job *j, size_t from, size_t to)
{
    struct onebit_lanes lanes[WALKS];
    struct onebit_sums *sums = j->sums + from / ONEBIT_BLOCK;

    memset(lanes, 0, sizeof(lanes));
    for (size_t piece = from; piece < from + ONEBIT_BLOCK; piece += PIECE)
        for (size_t at = piece, b = 0; at < to; at += ONEBIT_BLOCK, b++)
            j->isa->sum(&lanes[b], j->e + at, j->v + at, least(to - at, PIECE));
    for (size_t b = 0; from + b * ONEBIT_BLOCK < to; b++)
        sums[b] =
            (struct onebit_sums){ onebit_fold(lanes[b].positive), onebit_fold(lanes[b].negative), lanes[b].negatives };
}

static void sum(void *job, size_t from, size_t to)
{
    for (size_t at = from; at < to; at += SEVERAL)
        sum_several(job, at, least(to, at + SEVERAL));
}

static void send(void *job, size_t from, size_t to)
{
    const struct job *j = job;

    j->isa->send(j->bits + from / 8, j->e + from, to - from, j->m);
}

static void onebit_compress(const struct impl *im, uint8_t *payload, uint64_t *nbytes, const float *values, size_t n,
                            const struct codec_params *p, void *state, void *work)
{
    share_fn *share = share_of(im);
    struct job j = { .isa = im->with, .e = state, .v = values, .sums = work, .bits = payload };

    (void)p;
    share(sum, &j, n, ONEBIT_BLOCK);
    j.m = onebit_means_of(j.sums, n);
    share(send, &j, n, ONEBIT_BLOCK);
    memcpy(payload + onebit_bytes(n), &j.m, sizeof(j.m));
    *nbytes = onebit_bytes(n) + sizeof(j.m);
}

struct receive {
    const struct onebit_spans *isa;
    const uint8_t *bits;
    struct onebit_means m;
};

static void decode(const void *job, float *dst, size_t from, size_t to, bool stream)
{
    const struct receive *r = job;

    r->isa->decode(dst, r->bits + from / 8, to - from, r->m, stream);
}

/* Takes the means from the payload. */
static enum codec_error check_payload(struct receive *r, size_t n, size_t nbytes)
{
    enum codec_error error = codec_size_error(nbytes, onebit_bytes(n) + sizeof(r->m));

    if (error)
        return error;
    memcpy(&r->m, r->bits + onebit_bytes(n), sizeof(r->m));
    return onebit_means_are_valid(r->m) && !(n % 8 && r->bits[n / 8] >> n % 8) ? CODEC_OK : CODEC_CONTENT;
}

static void onebit_decompress(const struct impl *im, float *values, size_t n, enum codec_into into,
                              const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work,
                              int *error)
{
    struct receive r = { .isa = im->with, .bits = payload };
    struct plain_decode d = { decode, &r, 1024 };

    (void)p, (void)work;
    *error = check_payload(&r, n, nbytes);
    if (!*error)
        plain_receive(&d, r.isa->plain, share_of(im), values, n, into == CODEC_ADD);
}

static const struct codec_impl impls[] = CODEC_ROWS(onebit, onebit, usable_avx512_bw, usable_avx2);

static size_t bound(size_t n, const struct codec_params *p)
{
    (void)p;
    return onebit_bytes(n) + sizeof(struct onebit_means);
}

static size_t sums(size_t n, const struct codec_params *p)
{
    (void)p;
    return (n / ONEBIT_BLOCK + 1) * sizeof(struct onebit_sums);
}

const struct codec codec_onebit = {
    .name = "1bit",
    .id = CODEC_ID_1BIT,
    .what = "signs and the mean of each sign, with error feedback",
    .source = "arXiv 1802.07389, section 5.1",
    .class = CODEC_GATHERED,
    .payload_bound = bound,
    .state_size = codec_words,
    .work_size = sums,
    .impls = impls,
};
