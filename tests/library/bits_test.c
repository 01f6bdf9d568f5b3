/* What the library gives is what the kernels' reference gives: every codec, over steps with state, on one thread and on
 * all, as a payload and as a stream. The test has its own copy of the kernels. */
#include "kernels/codec/stream.h"
#include "tests/library/buffers.h"

enum { STEPS = 3 };
static const size_t lengths[] = { 0, 1, 63, 64, 1000, 4099 };

struct reference {
    const struct codec *codec;
    const struct codec_impl *row;
    struct codec_params params;
    uint8_t *payload, *state, *work;
    uint64_t nbytes;
    float *decoded;
};

static void reference_make(struct reference *r, const struct codec *c, size_t n)
{
    r->codec = c;
    r->row = codec_choose(c, "scalar", false);
    r->params = codec_presets(c);
    r->payload = buffer_of(c->payload_bound(n, &r->params) + 1, 0);
    r->state = buffer_of(c->state_size(n, &r->params) + 1, 0);
    r->work = buffer_of(c->work_size(n, &r->params) + 1, 0);
    r->decoded = buffer_of(4 * n + 4, 0);
}

static void reference_step(struct reference *r, const float *values, size_t n)
{
    int error;

    r->row->compress(&r->row->impl, r->payload, &r->nbytes, values ? values : r->decoded, n, &r->params, r->state,
                     r->work);
    r->row->decompress(&r->row->impl, r->decoded, n, CODEC_STORE, r->payload, r->nbytes, &r->params, r->work, &error);
    assert_int_equal(error, CODEC_OK);
}

static void reference_free(struct reference *r)
{
    free(r->payload), free(r->state), free(r->work), free(r->decoded);
}

static void same(const void *a, const void *b, size_t nbytes)
{
    if (nbytes)
        assert_memory_equal(a, b, nbytes);
}

/* Decoded from the stream of b, by a coder that the stream itself names. */
static void check_stream(struct buffers *b, const struct reference *r, unsigned flags)
{
    narrows_coder found;
    const void *payload;
    size_t n, npayload;

    assert_int_equal(narrows_open(&found, &n, &payload, &npayload, b->stream, b->nbytes, flags), NARROWS_OK);
    assert_int_equal(n, b->n);
    assert_int_equal(npayload, r->nbytes);
    assert_ptr_equal(payload, b->payload);
    assert_memory_equal(&found, &b->coder, sizeof(found));
    same(b->payload, r->payload, npayload);
    assert_int_equal(narrows_decode(&found, b->decoded, n, payload, npayload, b->work), NARROWS_OK);
    same(b->decoded, r->decoded, 4 * n);
    assert_int_equal(narrows_decode_add(&found, b->decoded, n, payload, npayload, b->work), NARROWS_OK);
    for (size_t i = 0; i < n; i++) {
        float twice = r->decoded[i] + r->decoded[i];

        assert_memory_equal(&b->decoded[i], &twice, 4);
    }
}

static void check(const struct codec *c, size_t n, unsigned flags)
{
    struct reference r;
    struct buffers b;

    buffers_make(&b, c->name, flags, n);
    reference_make(&r, c, n);
    for (int step = 0; step < STEPS; step++) {
        buffers_draw(&b, 100 * n + (uint64_t)step);
        reference_step(&r, b.values, n);
        /* In turns, so that both ways go on with the state that the other left. */
        if (step % 2) {
            assert_int_equal(narrows_encode(&b.coder, b.payload, &b.nbytes, b.values, n, b.state, b.work), 0);
            assert_int_equal(b.nbytes, r.nbytes);
            b.nbytes = stream_seal(b.stream, c, &r.params, n, b.nbytes);
        } else {
            assert_int_equal(narrows_seal(&b.coder, b.stream, &b.nbytes, b.values, n, b.state, b.work), 0);
        }
        check_stream(&b, &r, flags);
        same(b.state, r.state, narrows_state_bytes(&b.coder, n));
    }
    reference_free(&r);
    buffers_free(&b);
}

static void bits_are_those_of_the_reference(void **state)
{
    (void)state;
    for (const struct codec *const *c = codecs; *c; c++)
        for (size_t i = 0; i < COUNT(lengths); i++) {
            check(*c, lengths[i], 0);
            check(*c, lengths[i], NARROWS_SERIAL);
        }
}

static void sums_are_those_of_the_reference(void **state)
{
    enum { N = 1000, TERMS = 3 };
    struct codec_params params = codec_presets(codec_find("blockwise"));
    const struct codec_impl *row = codec_choose(codec_find("blockwise"), "scalar", false);
    struct codec_terms terms = { .count = TERMS };
    uint64_t nwant;
    uint8_t *terms_at, *want;
    struct buffers b;
    int error;

    (void)state;
    buffers_make(&b, "blockwise", 0, N);
    terms.stride = (narrows_payload_bound(&b.coder, N) + 63) / 64 * 64;
    terms.payloads = terms_at = buffer_of(TERMS * terms.stride, 0);
    want = buffer_of(terms.stride, 0);
    for (size_t k = 0; k < TERMS; k++) {
        buffers_draw(&b, k);
        assert_int_equal(
            narrows_encode(&b.coder, terms_at + k * terms.stride, &terms.nbytes, b.values, N, b.state, b.work), 0);
    }
    row->reduce(&row->impl, want, &nwant, &terms, N, &params, NULL, &error);
    assert_int_equal(error, CODEC_OK);
    assert_int_equal(
        narrows_reduce(&b.coder, b.payload, &b.nbytes, terms_at, terms.stride, terms.nbytes, TERMS, N, b.work), 0);
    assert_int_equal(b.nbytes, nwant);
    assert_memory_equal(b.payload, want, nwant);
    free(terms_at), free(want);
    buffers_free(&b);
}

static void tables_agree(void **state)
{
    size_t i = 0;

    (void)state;
    for (; codecs[i]; i++) {
        const narrows_codec *c = narrows_codec_at(i);
        const struct codec_param *want = codecs[i]->param;
        narrows_param p;
        size_t k = 0;

        assert_string_equal(narrows_codec_name(c), codecs[i]->name);
        assert_string_equal(narrows_codec_what(c), codecs[i]->what);
        assert_string_equal(narrows_codec_source(c), codecs[i]->source);
        assert_int_equal(narrows_codec_class(c), codecs[i]->class);
        assert_ptr_equal(narrows_codec_find(codecs[i]->name), c);
        for (; want[k].name; k++) {
            assert_int_equal(narrows_codec_param(c, k, &p), NARROWS_OK);
            assert_string_equal(p.name, want[k].name);
            assert_true(p.lowest == want[k].lowest && p.highest == want[k].highest && p.preset == want[k].preset &&
                        p.multiple == want[k].multiple);
        }
        assert_int_equal(narrows_codec_param(c, k, &p), NARROWS_COUNT);
    }
    assert_null(narrows_codec_at(i));
    assert_ptr_equal(narrows_codec_find("TopK"), narrows_codec_find("dct"));
    for (int error = CODEC_OK; error <= CODEC_CONTENT; error++)
        assert_true(*narrows_error_text(error));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bits_are_those_of_the_reference),
        cmocka_unit_test(sums_are_those_of_the_reference),
        cmocka_unit_test(tables_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
