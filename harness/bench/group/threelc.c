/* threelc.c - the group "3lc": compressing, both ways of decompressing, zero-run encoding alone, and what others
 * make of the same quartic bytes, at several densities of literals. The density is that of quartic bytes other than
 * 121; the share p of values that are not 0 follows from it, 1 - (1 - p)^5 of the bytes being literals.
 * Bytes that must move when compressing: 20.2 a value (sum: 8 read and 4 written, quantising: 4 and 4 and a quartic
 * byte for five), whatever comes out; when adding 8 and the payload, when storing 4 and the payload; in the coders
 * alone the quartic bytes. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/bench/group/groups.h"
#include "harness/count.h"
#include "harness/status.h"
#include "kernels/anchor/anchor.h"
#include "kernels/threelc/threelc.h"
#include "kernels/zre/zre.h"
#ifdef NW_HAVE_ZSTD
#include <zstd.h>
#endif

struct job {
    struct session *s;
    const struct codec *codec;
    const struct codec_impl *row;
    const struct zre_impl *coder;
    const struct anchor_impl *anchor;
    struct codec_params params;
    size_t n, nquartic, npacked;
    float *start, *state; /* the state before each compression, and at work */
    uint8_t *payload, *work, *quartic, *packed;
    size_t *length; /* of each encoded chunk in 'packed' */
    uint64_t nbytes;
    int error;
    double density;
};

static void restore(struct work *w)
{
    struct job *j = w->arg;

    memcpy(j->state, j->start, 4 * j->n);
}

static void compress(struct work *w)
{
    struct job *j = w->arg;

    j->row->compress(&j->row->impl, j->payload, &j->nbytes, j->s->change, j->n, &j->params, j->state, j->work);
    w->bits = 8 * (double)j->nbytes / (double)j->n;
}

static void add(struct work *w)
{
    struct job *j = w->arg;

    j->row->decompress(&j->row->impl, j->s->state, j->n, CODEC_ADD, j->payload, j->nbytes, &j->params, j->work,
                       &j->error);
}

static void store(struct work *w)
{
    struct job *j = w->arg;

    j->row->decompress(&j->row->impl, j->s->result, j->n, CODEC_STORE, j->payload, j->nbytes, &j->params, j->work,
                       &j->error);
}

/* The anchor of storing: decoded values out of a piece that the caches hold. */
static void copy_out(struct work *w)
{
    enum { PIECE = 1 << 17 };
    struct job *j = w->arg;
    float *to = j->s->result;

    for (size_t at = PIECE; at < j->n; at += PIECE)
        j->anchor->copy(&j->anchor->impl, to + at, to, j->n - at < PIECE ? j->n - at : PIECE);
    if (j->n > PIECE)
        j->anchor->copy(&j->anchor->impl, to, to + PIECE, j->n - PIECE < PIECE ? j->n - PIECE : PIECE);
    else
        j->anchor->copy(&j->anchor->impl, to, j->start, j->n);
}

static void name(struct work *w, const struct job *j)
{
    snprintf(w->variant, sizeof(w->variant), "density=%g%%", 100 * j->density);
}

/* 'state' starts out so that the sum with any of the changes, which stay below 1, is far from half the largest
 * value. */
static void make_state(struct job *j)
{
    double p = 1 - pow(1 - j->density, 0.2);
    uint64_t random = 88172645463325252u;

    for (size_t i = 0; i < j->n; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        j->start[i] = (double)(random >> 12) * 0x1p-52 < p ? (random & 1 ? 16.0f : -16.0f) : 0.0f;
    }
    if (j->n)
        j->start[0] = 16.0f;
}

static int time_row(struct job *j)
{
    const char *impl = j->row->impl.name;
    double n = (double)j->n;
    struct work there = { .impl = impl, .nbytes = 20.2 * n, .before = restore, .run = compress, .arg = j };
    struct work adding = { .impl = impl, .run = add, .arg = j }, storing = { .impl = impl, .run = store, .arg = j };
    struct work out = {
        .kernel = "copy-out", .impl = j->anchor->impl.name, .nbytes = 4 * n, .run = copy_out, .arg = j
    };
    char names[3][32];
    int rc;

    for (int i = 0; i < 3; i++)
        snprintf(names[i], sizeof(names[i]), "%s%s", j->codec->name, i == 0 ? "" : i == 1 ? " add" : " back");
    there.kernel = names[0], adding.kernel = names[1], storing.kernel = names[2];
    restore(&there);
    compress(&there);
    store(&storing);
    if (j->error)
        return status_error(NW_EINPUT, "bench: %s %s does not read what it wrote\n", j->codec->name, impl);
    name(&there, j), name(&adding, j), name(&storing, j), name(&out, j);
    adding.bits = storing.bits = there.bits;
    adding.nbytes = 8 * n + (double)j->nbytes;
    storing.nbytes = 4 * n + (double)j->nbytes;
    rc = session_time(j->s, &j->s->anchors[ANCHOR_UPDATE], &there, 1);
    if (!rc)
        rc = session_time(j->s, &j->s->anchors[ANCHOR_SCALE], &adding, 1);
    return rc ? rc : session_time(j->s, &out, &storing, 1);
}

/* Chunk by chunk, each to a place of its own: what 3LC asks of a coder. */
enum { PLACE = THREELC_CHUNK + ZRE_SLACK };

static void encode(struct work *w)
{
    struct job *j = w->arg;
    size_t left = j->nquartic, c = 0;

    for (; left; c++) {
        size_t some = left < THREELC_CHUNK ? left : THREELC_CHUNK;

        j->length[c] = j->coder->encode(j->packed + c * PLACE, j->quartic + c * THREELC_CHUNK, some);
        left -= some;
    }
    j->npacked = 0;
    while (c--)
        j->npacked += j->length[c];
    w->bits = 8 * (double)j->npacked / (double)j->n;
}

static void decode(struct work *w)
{
    struct job *j = w->arg;
    size_t chunks = (j->nquartic + THREELC_CHUNK - 1) / THREELC_CHUNK;

    for (size_t c = 0; c < chunks; c++)
        j->coder->decode(j->work, j->packed + c * PLACE, j->length[c]);
    w->bits = 8 * (double)j->npacked / (double)j->n;
}

/* The entropy of the digits, were each drawn on its own: what no coder of single digits gets below. */
static void entropy(struct work *w)
{
    struct job *j = w->arg;
    size_t count[256] = { 0 };
    double digit[3] = { 0 }, sum = 5 * (double)j->nquartic;

    for (size_t i = 0; i < j->nquartic; i++)
        count[j->quartic[i]]++;
    for (unsigned b = 0; b < 243; b++)
        for (unsigned d = b, p = 0; p < 5; p++, d /= 3)
            digit[d % 3] += (double)count[b];
    w->bits = 0;
    for (int d = 0; d < 3; d++)
        w->bits -= digit[d] > 0 ? digit[d] / sum * log2(digit[d] / sum) : 0;
}

#ifdef NW_HAVE_ZSTD
static void zstd_there(struct work *w)
{
    struct job *j = w->arg;
    size_t got = ZSTD_compress(j->packed, ZSTD_compressBound(j->nquartic), j->quartic, j->nquartic, 1);

    j->npacked = ZSTD_isError(got) ? 0 : got;
    w->bits = 8 * (double)j->npacked / (double)j->n;
}

static void zstd_back(struct work *w)
{
    struct job *j = w->arg;

    ZSTD_decompress(j->work, j->nquartic, j->packed, j->npacked);
    w->bits = 8 * (double)j->npacked / (double)j->n;
}
#endif

static int time_pair(struct job *j, struct work *w, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        w[i].arg = j;
        w[i].nbytes = (double)j->nquartic;
        name(&w[i], j);
        w[i].run(&w[i]); /* what is decoded has to be there */
    }
    return session_time(j->s, &j->s->anchors[ANCHOR_COPY], w, count);
}

/* On the quartic bytes alone, one thread. */
static int time_coders(struct job *j)
{
    const struct codec_impl *row = codec_choose(&codec_3lc_quartic, NULL, 0);
    struct work count = { .kernel = "entropy", .impl = "iid digits", .run = entropy };
    int rc = NW_OK;

    memcpy(j->state, j->start, 4 * j->n);
    row->compress(&row->impl, j->payload, &j->nbytes, j->s->change, j->n, &j->params, j->state, j->work);
    memcpy(j->quartic, j->payload + 4, j->nquartic);
    for (j->coder = zre_impls; j->coder->impl.name && !rc; j->coder++) {
        const char *impl = j->coder->impl.name;
        struct work w[] = { { .kernel = "zre-encode", .impl = impl, .run = encode },
                            { .kernel = "zre-decode", .impl = impl, .run = decode } };

        if (session_wants(j->s, &j->coder->impl))
            rc = time_pair(j, w, 2);
    }
#ifdef NW_HAVE_ZSTD
    struct work z[] = { { .kernel = "quartic", .impl = "zstd -1", .run = zstd_there },
                        { .kernel = "quartic back", .impl = "zstd -1", .run = zstd_back } };

    if (!rc && session_wants_peer(j->s, "zstd -1"))
        rc = time_pair(j, z, 2);
#endif
    return !rc && session_wants_peer(j->s, "iid digits") ? time_pair(j, &count, 1) : rc;
}

static int time_density(struct job *j)
{
    static const struct codec *const both[] = { &codec_3lc, &codec_3lc_quartic };
    int rc = NW_OK;

    make_state(j);
    for (int c = 0; c < 2; c++) {
        j->codec = both[c];
        for (j->row = j->codec->impls; j->row->impl.name && !rc; j->row++)
            if (session_wants(j->s, &j->row->impl))
                rc = time_row(j);
    }
    return !rc && j->s->threads == 1 ? time_coders(j) : rc;
}

static bool prepare(struct job *j)
{
    size_t chunks, bound;

    j->params = codec_presets(&codec_3lc);
    j->nquartic = (j->n + 4) / 5;
    chunks = j->nquartic / THREELC_CHUNK + 1;
    bound = chunks * PLACE;
#ifdef NW_HAVE_ZSTD
    bound = bound > ZSTD_compressBound(j->nquartic) ? bound : ZSTD_compressBound(j->nquartic);
#endif
    return (j->start = session_alloc(j->s, 4 * j->n + 64)) && (j->state = session_alloc(j->s, 4 * j->n + 64)) &&
           (j->payload = session_alloc(j->s, codec_3lc.payload_bound(j->n, &j->params) + 64)) &&
           (j->work = session_alloc(j->s, bound + codec_3lc.work_size(j->n, &j->params))) &&
           (j->quartic = session_alloc(j->s, j->nquartic + 64)) && (j->packed = session_alloc(j->s, bound)) &&
           (j->length = session_alloc(j->s, chunks * sizeof(*j->length)));
}

/* The data are made on the host, and a device keeps the size of a payload to itself. */
static int rows(struct session *s)
{
    static const double densities[] = { 0.0005, 0.05, 0.2, 0.35, 0.6, 0.9 };
    struct job j = { .s = s, .n = s->n, .anchor = s->anchor_row };
    int rc = NW_OK;

    if (s->device)
        return NW_OK;
    if (!prepare(&j))
        return NW_ENOMEM;
    for (size_t d = 0; d < COUNT(densities) && !rc; d++) {
        j.density = s->o->density > 0 ? s->o->density : densities[d];
        rc = time_density(&j);
        if (s->o->density > 0)
            break;
    }
    return rc;
}

const struct group group_threelc = { "3lc", "3LC there and back, and zero-run encoding alone", rows };
