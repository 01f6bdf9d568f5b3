/* receive.c - passes over a plain tensor, and from any codec's payload to one. */
#include "kernels/shared/receive.h"

#include <stdint.h>
#include <string.h>

struct receive {
    const struct plain_decode *d;
    const struct plain_spans *isa;
    float *values;
    bool stream;
};

static void store(void *job, size_t from, size_t to)
{
    const struct receive *r = job;

    r->d->decode(r->d->job, r->values + from, from, to, r->stream);
}

/* Eight walks side by side, as in kernels/copy/order.h, in pieces of 1 KiB. */
enum { PIECE = 256, WALKS = 8, STEPS = 16 };

static void add_piece(const struct receive *r, size_t at, size_t count)
{
    _Alignas(64) float piece[PIECE];

    r->d->decode(r->d->job, piece, at, at + count, 0);
    r->isa->sum(r->values + at, r->values + at, piece, count, 0);
}

static void add(void *job, size_t from, size_t to)
{
    enum { BLOCK = PIECE * WALKS * STEPS };
    const struct receive *r = job;
    size_t at = from;

    for (; to - at >= BLOCK; at += BLOCK)
        for (size_t i = 0; i < WALKS * STEPS; i++)
            add_piece(r, at + PIECE * (i % WALKS * STEPS + i / WALKS), PIECE);
    for (; at < to; at += PIECE)
        add_piece(r, at, to - at < PIECE ? to - at : PIECE);
}

void plain_receive(const struct plain_decode *d, const struct plain_spans *isa, share_fn *share, float *values,
                   size_t n, bool adding)
{
    bool whole_lines = (uintptr_t)values % 64 == 0;
    struct receive r = { d, isa, values, whole_lines && 4 * n >= SHARE_STREAM_BYTES };

    share(adding ? add : store, &r, n, d->unit);
}

struct combine {
    const struct plain_spans *isa;
    float *dst;
    const float *a, *b;
    bool stream;
};

static void copy(void *job, size_t from, size_t to)
{
    const struct combine *c = job;

    if (c->stream)
        c->isa->copy_nt(c->dst + from, c->a + from, 4 * (to - from));
    else
        memcpy(c->dst + from, c->a + from, 4 * (to - from));
}

static void sum(void *job, size_t from, size_t to)
{
    const struct combine *c = job;

    c->isa->sum(c->dst + from, c->a + from, c->b + from, to - from, c->stream);
}

void plain_copy(const struct plain_spans *isa, share_fn *share, float *dst, const float *src, size_t n)
{
    struct combine c = { isa, dst, src, NULL, 4 * n >= SHARE_STREAM_BYTES };

    share(copy, &c, n, 1024);
}

void plain_sum(const struct plain_spans *isa, share_fn *share, float *dst, const float *a, const float *b, size_t n,
               bool stream)
{
    struct combine c = { isa, dst, a, b, stream && 4 * n >= SHARE_STREAM_BYTES };

    share(sum, &c, n, 1024);
}
