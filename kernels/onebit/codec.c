#include <string.h>

#include "kernels/onebit/host.h"

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
 * the first-level cache. The blocks do not know of each other. */
enum { WALKS = 4, PIECE = 128, SEVERAL = WALKS * ONEBIT_BLOCK };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

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

void onebit_compress(const struct onebit_spans *isa, share_fn *share, uint8_t *payload, uint64_t *nbytes,
                     const float *values, size_t n, const struct codec_params *p, void *state, void *work)
{
    struct job j = { .isa = isa, .e = state, .v = values, .sums = work, .bits = payload };

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

static void decode(const void *job, float *dst, size_t from, size_t to, _Bool stream)
{
    const struct receive *r = job;

    r->isa->decode(dst, r->bits + from / 8, to - from, r->m, stream);
}

int onebit_decompress(const struct onebit_spans *isa, share_fn *share, float *values, size_t n, enum codec_into into,
                      const uint8_t *payload, size_t nbytes, const struct codec_params *p, void *work)
{
    size_t want = onebit_bytes(n) + sizeof(struct onebit_means);
    struct receive r = { .isa = isa, .bits = payload };
    struct plain_decode d = { decode, &r, 1024 };

    (void)p, (void)work;
    if (nbytes != want)
        return nbytes < want ? CODEC_SHORT : CODEC_LONG;
    memcpy(&r.m, payload + onebit_bytes(n), sizeof(r.m));
    if (!onebit_means_are_valid(r.m) || (n % 8 && payload[n / 8] >> n % 8))
        return CODEC_CONTENT;
    plain_receive(&d, isa->plain, share, values, n, into == CODEC_ADD);
    return CODEC_OK;
}
