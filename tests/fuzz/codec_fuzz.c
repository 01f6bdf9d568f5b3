/* codec_fuzz.c - libFuzzer's entry to one codec, the one that FUZZ_CODEC names: payloads that may be anything, streams,
 * and values. Every row must find the same error and give the same bits, an error must leave the values alone, and what
 * was compressed must be accepted. Buffers have exactly the size that the contract gives them, so that the address
 * sanitizer sees one byte too many. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sanitizer/asan_interface.h>

#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/codec/stream.h"
#include "tests/fuzz/codec_input.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SENTINEL = 0x5e, MAX_ROWS = 16 };

/* A target of the decoder alone: each input is a payload for one row and one way, chosen by its second byte. What rows
 * agree on is the other target's question; this one is some times faster. */
#ifdef FUZZ_DECODER
static const bool decoder_only = 1;
#else
static const bool decoder_only = 0;
#endif

/* Values of a call: 'offset' floats that nobody may touch, then n. */
struct values {
    size_t offset, n;
    float *all;
};

static _Noreturn void fail(const char *row, const char *why)
{
    fprintf(stderr, FUZZ_CODEC ", %s: %s\n", row, why);
    abort();
}

static void *buffer(size_t nbytes, int fill)
{
    void *p;

    if (posix_memalign(&p, CODEC_ALIGN, nbytes))
        fail("-", "no memory");
    memset(p, fill, nbytes);
    return p;
}

/* Scratch is often far larger than what is in it: taken once, its end marked for the address sanitizer. */
static void *work_of(size_t nbytes)
{
    enum { GUARD = 4096, SPOILT = 4096 };
    static uint8_t *all;
    static size_t size, guard;

    if (all)
        ASAN_UNPOISON_MEMORY_REGION(all + guard, GUARD);
    if (nbytes + GUARD > size) {
        free(all);
        size = 2 * nbytes + GUARD;
        all = buffer(size, 0xa5);
    }
    memset(all, 0xa5, nbytes < SPOILT ? nbytes : SPOILT);
    guard = nbytes;
    ASAN_POISON_MEMORY_REGION(all + guard, GUARD);
    return all;
}

static void *copy_of(const void *bytes, size_t nbytes)
{
    void *p = buffer(nbytes, 0);

    if (nbytes)
        memcpy(p, bytes, nbytes);
    return p;
}

static struct values values_make(size_t offset, size_t n)
{
    struct values v = { offset, n, buffer(4 * (offset + n), SENTINEL) };

    /* What is added to: small numbers of both signs, not all alike. */
    for (size_t i = 0; i < n; i++)
        v.all[offset + i] = (float)(int)(i % 7) - 2.75f;
    return v;
}

static bool values_equal(const struct values *a, const struct values *b)
{
    return !memcmp(a->all, b->all, 4 * (a->offset + a->n));
}

/* The rows to try: all serial ones of the host, the reference last, and perhaps the best parallel one before them. */
static size_t rows_of(const struct codec *c, bool parallel, const struct codec_impl *rows[MAX_ROWS])
{
    const struct codec_impl *best = parallel ? codec_choose(c, NULL, 1) : NULL;
    size_t n = 0;

    if (best)
        rows[n++] = best;
    for (const struct codec_impl *im = c->impls; im->impl.name; im++)
        if (im->impl.where == IMPL_HOST && !im->impl.parallel && im->impl.usable())
            rows[n++] = im;
    return n;
}

/* Decompress with every row, into stores or sums. Returns the error that all found. */
static int decompress(const struct codec *c, const struct input *in, enum codec_into into)
{
    const struct codec_impl *rows[MAX_ROWS];
    size_t nrows = rows_of(c, in->parallel, rows), nwork = c->work_size(in->n, &in->params);
    struct values before = values_make(in->offset, in->n), want = before;
    uint8_t *payload = copy_of(in->bytes, in->nbytes), *work = work_of(nwork);
    int error = CODEC_OK;

    for (size_t r = nrows; r--;) {
        struct values got = values_make(in->offset, in->n);
        int found = -1;

        rows[r]->decompress(&rows[r]->impl, got.all + in->offset, in->n, into, payload, in->nbytes, &in->params, work,
                            &found);
        if (found < CODEC_OK || found > CODEC_CONTENT)
            fail(rows[r]->impl.name, "not an error of the list");
        if (found && !values_equal(&got, &before))
            fail(rows[r]->impl.name, "values changed by a payload with an error");
        if (memcmp(got.all, before.all, 4 * in->offset))
            fail(rows[r]->impl.name, "wrote in front of the values");
        if (r + 1 == nrows) {
            error = found;
            want = got;
            continue;
        }
        if (found != error)
            fail(rows[r]->impl.name, "not the error that the reference found");
        if (!values_equal(&got, &want))
            fail(rows[r]->impl.name, "not the values of the reference");
        free(got.all);
    }
    if (memcmp(payload, in->bytes, in->nbytes))
        fail("-", "a row wrote into the payload");
    free(want.all);
    free(before.all);
    free(payload);
    return error;
}

/* The payload as it came from two senders, summed by every row. Returns the error that all found. */
static int reduce(const struct codec *c, const struct input *in)
{
    const struct codec_impl *rows[MAX_ROWS];
    size_t nrows = rows_of(c, in->parallel, rows), bound = c->payload_bound(in->n, &in->params);
    size_t stride = (in->nbytes / CODEC_ALIGN + 1) * CODEC_ALIGN;
    uint8_t *sent = buffer(stride + in->nbytes, 0), *want = buffer(bound, SENTINEL), *got = buffer(bound, 0);
    struct codec_terms terms = { sent, stride, in->nbytes, 2 };
    int error = CODEC_OK;

    for (size_t k = 0; k < 2 && in->nbytes; k++)
        memcpy(sent + k * stride, in->bytes, in->nbytes);
    for (size_t r = nrows; r--;) {
        uint8_t *sum = r + 1 == nrows ? want : got;
        uint64_t nbytes = bound;
        int found = -1;

        memset(got, SENTINEL, bound);
        rows[r]->reduce(&rows[r]->impl, sum, &nbytes, &terms, in->n, &in->params,
                        work_of(c->work_size(in->n, &in->params)), &found);
        error = r + 1 == nrows ? found : error;
        if (found != error || nbytes != bound || (sum == got && memcmp(got, want, bound)))
            fail(rows[r]->impl.name, "not the sum or the error of the reference");
        for (size_t i = 0; found && i < bound; i++)
            if (sum[i] != SENTINEL)
                fail(rows[r]->impl.name, "a sum of payloads with an error");
    }
    free(sent);
    free(want);
    free(got);
    return error;
}

static int decompress_both(const struct codec *c, const struct input *in)
{
    int error = decompress(c, in, CODEC_STORE);

    if (decompress(c, in, CODEC_ADD) != error)
        fail("-", "the error depends on where the values go");
    if (c->class == CODEC_SCATTERED && reduce(c, in) != error)
        fail("-", "the error depends on whether it is summed");
    return error;
}

/* What one row makes of the values, twice in a row so that a state that is not fresh is seen too. */
struct made {
    uint8_t *payload, *state;
    size_t nbytes, nstate;
};

static struct made compress(const struct codec *c, const struct codec_impl *row, const struct input *in)
{
    size_t bound = c->payload_bound(in->n, &in->params), nwork = c->work_size(in->n, &in->params);
    struct made m = { buffer(bound, SENTINEL), NULL, 0, c->state_size(in->n, &in->params) };
    float *values = copy_of(in->bytes, 4 * in->n);
    uint8_t *work = work_of(nwork);

    m.state = buffer(m.nstate, 0);
    for (int step = 0; step < 2; step++) {
        uint64_t nbytes = UINT64_MAX;

        row->compress(&row->impl, m.payload, &nbytes, values, in->n, &in->params, m.state, work);
        if (nbytes > bound)
            fail(row->impl.name, "a payload larger than its bound");
        m.nbytes = nbytes;
    }
    if (in->n && memcmp(values, in->bytes, 4 * in->n))
        fail(row->impl.name, "wrote into the values to compress");
    free(values);
    return m;
}

static void round_trip(const struct codec *c, struct input *in)
{
    const struct codec_impl *rows[MAX_ROWS];
    size_t nrows = rows_of(c, in->parallel, rows);
    struct made want = { 0 };

    in->n = in->nbytes / 4 < INPUT_VALUES_MAX ? in->nbytes / 4 : INPUT_VALUES_MAX;
    for (size_t r = nrows; r--;) {
        struct made got = compress(c, rows[r], in);

        if (r + 1 == nrows) {
            want = got;
            continue;
        }
        if (got.nbytes != want.nbytes || memcmp(got.payload, want.payload, got.nbytes))
            fail(rows[r]->impl.name, "not the payload of the reference");
        if (memcmp(got.state, want.state, got.nstate))
            fail(rows[r]->impl.name, "not the state of the reference");
        free(got.payload);
        free(got.state);
    }
    in->bytes = want.payload;
    in->nbytes = want.nbytes;
    if (decompress_both(c, in) != CODEC_OK)
        fail("scalar", "refuses what was compressed");
    free(want.payload);
    free(want.state);
}

/* A stream says itself how much it holds. A receiver knows how much it wants; so does this one. */
static void receive(const uint8_t *bytes, size_t nbytes, const struct input *in)
{
    uint8_t *exact = copy_of(bytes, nbytes);
    struct stream s = { 0 };
    struct input found = *in;

    if (stream_open(&s, exact, nbytes) == CODEC_OK && s.n <= INPUT_VALUES_MAX) {
        found.n = s.n;
        found.params = s.params;
        found.bytes = s.payload;
        found.nbytes = s.nbytes;
        decompress_both(s.codec, &found);
    }
    free(exact);
}

static void receive_sealed(const struct codec *c, const struct input *in)
{
    uint8_t *bytes;
    struct codec_params p;
    uint64_t n;
    size_t nbytes;

    if (in->nbytes < INPUT_SEAL)
        return;
    memcpy(&n, in->bytes, sizeof(n));
    memcpy(p.value, in->bytes + sizeof(n), sizeof(p.value));
    nbytes = in->nbytes - INPUT_SEAL;
    bytes = buffer(STREAM_HEADER + nbytes, 0);
    memcpy(bytes + STREAM_HEADER, in->bytes + INPUT_SEAL, nbytes);
    receive(bytes, stream_seal(bytes, c, &p, n, nbytes), in);
    free(bytes);
}

static void decompress_with_one(const struct codec *c, const struct input *in, unsigned which)
{
    const struct codec_impl *rows[MAX_ROWS];
    size_t nrows = rows_of(c, 0, rows);
    const struct codec_impl *row = rows[which / 2 % nrows];
    uint8_t *payload = copy_of(in->bytes, in->nbytes);
    struct values got = values_make(in->offset, in->n), before = values_make(in->offset, in->n);
    int error = -1;

    row->decompress(&row->impl, got.all + in->offset, in->n, which % 2 ? CODEC_ADD : CODEC_STORE, payload, in->nbytes,
                    &in->params, work_of(c->work_size(in->n, &in->params)), &error);
    if (error < CODEC_OK || error > CODEC_CONTENT)
        fail(row->impl.name, "not an error of the list");
    if (memcmp(got.all, before.all, 4 * (in->offset + (error ? in->n : 0))))
        fail(row->impl.name, "values changed that were not its own, or by a payload with an error");
    free(got.all);
    free(before.all);
    free(payload);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct codec *c = codec_find(FUZZ_CODEC);
    struct input in;

    if (!c)
        fail("-", "no such codec");
    if (size < INPUT_HEADER)
        return 0;
#ifdef NW_OPENMP
    omp_set_num_threads(2);
#endif
    in = input_read(c, data, size);
    if (decoder_only)
        decompress_with_one(c, &in, data[1] >> 4);
    else if (in.kind == INPUT_PAYLOAD)
        decompress_both(c, &in);
    else if (in.kind == INPUT_VALUES)
        round_trip(c, &in);
    else if (in.kind == INPUT_STREAM)
        receive(in.bytes, in.nbytes, &in);
    else
        receive_sealed(c, &in);
    return 0;
}
