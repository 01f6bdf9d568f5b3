/* codec_try.h - what the tests of single codecs share: guarded buffers, one step of a row, and payloads that nobody
 * sent. The tests of the table compare all rows; those of a codec say what its bytes mean. */
#ifndef NARROWS_TESTS_CODEC_TRY_H
#define NARROWS_TESTS_CODEC_TRY_H

#include <stdlib.h>
#include <string.h>

#include "kernels/codec/codec.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/test.h"

enum { TRY_GUARD = 64, TRY_SENTINEL = 0x5c };

struct codec_try {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params params;
    size_t n;
    uint8_t *payload, *state, *work;
    uint64_t nbytes;
};

#define TRY_EACH_ROW(im, c)                                             \
    for (const struct codec_impl *im = (c)->impls; im->impl.name; im++) \
        if (impl_is_wanted(&im->impl, IMPL_HOST))

static inline void *try_guarded(size_t nbytes)
{
    size_t whole = (nbytes + 2 * TRY_GUARD + 63) / 64 * 64;
    uint8_t *p = aligned_alloc(64, whole);

    assert_non_null(p);
    memset(p, TRY_SENTINEL, whole);
    return p + TRY_GUARD;
}

static inline void try_release(void *p, size_t nbytes)
{
    const uint8_t *bytes = p;

    for (ptrdiff_t i = 0; i < TRY_GUARD; i++)
        if (bytes[-1 - i] != TRY_SENTINEL || bytes[(ptrdiff_t)nbytes + i] != TRY_SENTINEL)
            fail_msg("a byte outside of a buffer of %zu was written", nbytes);
    free((uint8_t *)p - TRY_GUARD);
}

/* A fresh state. */
static inline struct codec_try try_begin(const struct codec *c, const struct codec_impl *row, struct codec_params p,
                                         size_t n)
{
    struct codec_try t = { c,
                           row,
                           p,
                           n,
                           try_guarded(c->payload_bound(n, &p)),
                           try_guarded(c->state_size(n, &p)),
                           try_guarded(c->work_size(n, &p)),
                           0 };

    memset(t.state, 0, c->state_size(n, &p));
    return t;
}

static inline void try_end(struct codec_try *t)
{
    try_release(t->payload, t->codec->payload_bound(t->n, &t->params));
    try_release(t->state, t->codec->state_size(t->n, &t->params));
    try_release(t->work, t->codec->work_size(t->n, &t->params));
}

static inline void try_compress(struct codec_try *t, const float *values)
{
    t->nbytes = UINT64_MAX;
    t->row->compress(&t->row->impl, t->payload, &t->nbytes, values, t->n, &t->params, t->state, t->work);
    assert_true(t->nbytes <= t->codec->payload_bound(t->n, &t->params));
}

static inline int try_decompress(struct codec_try *t, float *values, enum codec_into into, const uint8_t *payload,
                                 size_t nbytes)
{
    int error = -1;

    t->row->decompress(&t->row->impl, values, t->n, into, payload, nbytes, &t->params, t->work, &error);
    return error;
}

/* The payload that compressing left, back into values. */
static inline void try_store(struct codec_try *t, float *values)
{
    assert_int_equal(try_decompress(t, values, CODEC_STORE, t->payload, t->nbytes), CODEC_OK);
}

static inline void try_same(const char *row, const char *why, const void *got, const void *want, size_t nbytes)
{
    const uint8_t *a = got, *b = want;

    for (size_t i = 0; i < nbytes; i++)
        if (a[i] != b[i])
            fail_msg("%s: %s: byte %zu is %#x, want %#x", row, why, i, a[i], b[i]);
}

static inline uint32_t try_bits(float value)
{
    uint32_t bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

static inline float try_float(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

static inline uint32_t try_hash(uint32_t x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Somewhat normal, deviation 0.01, never 0. */
static inline float try_value(size_t i)
{
    float sum = 1e-6f;

    for (uint32_t k = 0; k < 4; k++)
        sum += (float)(int32_t)try_hash((uint32_t)i * 4 + k) * 0x1p-31f;
    return 0.01f * sum;
}

/* This payload, in a buffer that ends where it ends: refused, and then nothing has changed, or taken, and then as
 * 'want' has it (NULL: it must be refused). */
static inline int try_hostile(struct codec_try *t, const uint8_t *payload, size_t nbytes, enum codec_into into,
                              const float *want)
{
    float *values = try_guarded(4 * t->n);
    uint8_t *copy = aligned_alloc(64, (nbytes + 127) / 64 * 64), *end = copy;
    int error;

    assert_non_null(copy);
    memcpy(end, payload, nbytes);
    memset(values, 0x3c, 4 * t->n);
    error = try_decompress(t, values, into, end, nbytes);
    for (size_t i = 0; error && i < 4 * t->n; i++)
        if (((uint8_t *)values)[i] != 0x3c)
            fail_msg("%s: error %d, but byte %zu of the values changed", t->row->impl.name, error, i);
    if (!error && want)
        try_same(t->row->impl.name, "a changed payload is read in another way", values, want, 4 * t->n);
    try_release(values, 4 * t->n);
    free(copy);
    return error;
}

/* Every shorter and some longer payloads are refused, with the right reason; 'empty' may be one that is valid. Every
 * byte turned in several ways gives what the reference gives. */
static inline void try_all_hostile(const struct codec *c, struct codec_params p, size_t n, int steps,
                                   bool empty_is_valid)
{
    const struct codec_impl *reference = codec_choose(c, "scalar", 0);
    float *values = malloc(4 * n + 4), *want = malloc(4 * n + 4);

    assert_true(values && want);
    for (size_t i = 0; i < n; i++)
        values[i] = try_value(i);
    TRY_EACH_ROW(im, c)
    {
        static const uint8_t turn[] = { 0xff, 0x80, 0x7f, 0x01 };
        struct codec_try t = try_begin(c, im, p, n), r = try_begin(c, reference, p, n);
        size_t space;
        uint8_t *longer;

        for (int s = 0; s < steps; s++)
            try_compress(&t, values);
        space = t.nbytes + 64;
        longer = calloc(1, space);
        assert_non_null(longer);
        memcpy(longer, t.payload, t.nbytes);
        for (size_t cut = empty_is_valid; cut < t.nbytes; cut++)
            assert_int_equal(try_hostile(&t, longer, cut, cut % 2 ? CODEC_ADD : CODEC_STORE, NULL), CODEC_SHORT);
        for (size_t more = 1; more <= 64; more++)
            assert_int_equal(try_hostile(&t, longer, t.nbytes + more, CODEC_STORE, NULL), CODEC_LONG);
        for (size_t at = 0; at < t.nbytes; at++)
            for (size_t k = 0; k < sizeof(turn); k++) {
                int error;

                longer[at] ^= turn[k];
                memset(want, 0x3c, 4 * n);
                error = try_decompress(&r, want, CODEC_STORE, longer, t.nbytes);
                assert_int_equal(try_hostile(&t, longer, t.nbytes, CODEC_STORE, want), error);
                longer[at] ^= turn[k];
            }
        free(longer);
        try_end(&t);
        try_end(&r);
    }
    free(values);
    free(want);
}

static inline bool try_any_row(const struct codec *c)
{
    bool any = 0;

    TRY_EACH_ROW(im, c)
    any = 1;
    return any;
}

#endif
