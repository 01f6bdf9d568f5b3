/* Bytes that nobody encoded: payloads, streams, and states from a damaged checkpoint. Buffers have exactly their size,
 * so that the address sanitizer sees one byte too many. Whatever comes is decoded, or refused and leaves no mark. */
#include <stdio.h>

#include "tests/library/buffers.h"

enum { ROUNDS = 48, N = 300, KEPT = 0x5a };

static void fill(uint8_t *bytes, size_t n, uint64_t *seed, uint64_t sparse)
{
    for (size_t i = 0; i < n; i++)
        bytes[i] = draw(seed) % sparse ? bytes[i] : (uint8_t)draw(seed);
}

static int refused; /* in all */

/* A payload of the right size or another, of noise or of an encoded tensor with noise in it. */
static void decode_noise(struct buffers *b, uint64_t *seed)
{
    size_t bound = narrows_payload_bound(&b->coder, b->n), nbytes;
    uint8_t *payload;
    int rc;

    assert_int_equal(narrows_encode(&b->coder, b->payload, &nbytes, b->values, b->n, b->state, b->work), 0);
    if (draw(seed) % 2)
        nbytes = draw(seed) % (bound + 9);
    payload = buffer_of(nbytes, 0);
    if (nbytes)
        memcpy(payload, b->payload, nbytes < bound ? nbytes : bound);
    fill(payload, nbytes, seed, draw(seed) % 2 ? 1 : 50);
    if (b->n)
        memset(b->decoded, KEPT, 4 * b->n);
    rc = narrows_decode(&b->coder, b->decoded, b->n, payload, nbytes, b->work);
    assert_true(rc == NARROWS_OK || rc == NARROWS_SHORT || rc == NARROWS_LONG || rc == NARROWS_CONTENT);
    for (size_t i = 0; rc && i < 4 * b->n; i++)
        assert_int_equal(((uint8_t *)b->decoded)[i], KEPT);
    refused += rc != NARROWS_OK;
    free(payload);
}

static void encode_from_noise(struct buffers *b, uint64_t *seed)
{
    size_t nstate = narrows_state_bytes(&b->coder, b->n), nbytes;

    fill(b->state, nstate, seed, draw(seed) % 2 ? 1 : 9);
    fill((uint8_t *)b->values, 4 * b->n, seed, 5);
    for (int step = 0; step < 3; step++) {
        assert_int_equal(narrows_encode(&b->coder, b->payload, &nbytes, b->values, b->n, b->state, b->work), 0);
        assert_true(nbytes <= narrows_payload_bound(&b->coder, b->n));
        assert_int_equal(narrows_decode(&b->coder, b->decoded, b->n, b->payload, nbytes, b->work), 0);
    }
}

static void open_noise(struct buffers *b, uint64_t *seed)
{
    narrows_coder coder;
    const void *payload;
    size_t n, npayload;
    uint8_t *stream;

    if (b->state)
        memset(b->state, 0, narrows_state_bytes(&b->coder, b->n));
    assert_int_equal(narrows_seal(&b->coder, b->stream, &b->nbytes, b->values, b->n, b->state, b->work), 0);
    for (int i = 0; i < 20; i++) {
        size_t nbytes = i < 10 ? b->nbytes : draw(seed) % b->nbytes, at = draw(seed) % b->nbytes;

        stream = buffer_of(nbytes, 0);
        if (nbytes)
            memcpy(stream, b->stream, nbytes);
        if (i < 10)
            stream[at] ^= (uint8_t)(1 << draw(seed) % 8);
        assert_int_not_equal(narrows_open(&coder, &n, &payload, &npayload, stream, nbytes, 0), NARROWS_OK);
        free(stream);
    }
}

/* A codec with each parameter as usual, as small and as large as it may be: "3lc", "3lc:s=1", "3lc:s=2". */
static const char *text_of(char text[256], const narrows_codec *codec, int which)
{
    narrows_param p;
    int used = snprintf(text, 256, "%s", narrows_codec_name(codec));

    for (size_t i = 0; which && !narrows_codec_param(codec, i, &p); i++)
        used += snprintf(text + used, (size_t)(256 - used), "%c%s=%.17g", i ? ',' : ':', p.name,
                         which == 1 ? p.lowest : p.highest);
    return text;
}

static void noise_is_decoded_or_refused(void **state)
{
    uint64_t seed = 1;

    (void)state;
    for (size_t i = 0; narrows_codec_at(i); i++)
        for (int round = 0; round < ROUNDS; round++) {
            struct buffers b;
            char text[256];

            buffers_make(&b, text_of(text, narrows_codec_at(i), round / 2 % 3), round % 2 ? NARROWS_SERIAL : 0,
                         round % 3 ? draw(&seed) % N : N);
            decode_noise(&b, &seed);
            encode_from_noise(&b, &seed);
            open_noise(&b, &seed);
            buffers_free(&b);
        }
    assert_in_range(refused, 100, 1000000);
}

static void streams_are_checked(void **state)
{
    narrows_coder coder;
    const void *payload;
    size_t n, npayload;
    uint8_t *bytes = buffer_of(256, 0);

    (void)state;
    assert_int_equal(narrows_open(&coder, &n, &payload, &npayload, bytes, 256, 0), NARROWS_FOREIGN);
    assert_int_equal(narrows_open(&coder, &n, &payload, &npayload, bytes, 63, 0), NARROWS_SHORT);
    assert_int_equal(narrows_open(&coder, &n, &payload, &npayload, NULL, 0, 0), NARROWS_SHORT);
    assert_int_equal(narrows_open(&coder, &n, &payload, &npayload, NULL, 64, 0), NARROWS_ARGUMENT);
    assert_int_equal(narrows_open(&coder, &n, &payload, &npayload, bytes + 8, 100, 0), NARROWS_MISALIGNED);
    assert_int_equal(narrows_open(&coder, &n, &payload, &npayload, bytes, 256, 8), NARROWS_ARGUMENT);
    assert_int_equal(narrows_open(NULL, &n, &payload, &npayload, bytes, 256, 0), NARROWS_ARGUMENT);
    assert_int_equal(narrows_open(&coder, NULL, &payload, &npayload, bytes, 256, 0), NARROWS_ARGUMENT);
    assert_int_equal(narrows_open(&coder, &n, NULL, &npayload, bytes, 256, 0), NARROWS_ARGUMENT);
    assert_int_equal(narrows_open(&coder, &n, &payload, NULL, bytes, 256, 0), NARROWS_ARGUMENT);
    free(bytes);
}

static void sums_are_checked(void **state)
{
    enum { MANY = 3, STRIDE = 384 };
    struct buffers b;
    uint8_t *terms = buffer_of(MANY * STRIDE, 0);
    size_t nbytes;

    buffers_make(&b, "blockwise", 0, N);
    assert_int_equal(narrows_encode(&b.coder, terms, &nbytes, b.values, N, b.state, b.work), 0);
    memcpy(terms + STRIDE, terms, nbytes), memcpy(terms + 2 * STRIDE, terms, nbytes);
    const struct {
        const void *terms;
        size_t stride, nbytes, count;
        int want;
    } table[] = {
        { terms, STRIDE, nbytes, MANY, NARROWS_OK },          { terms, 0, nbytes, 1, NARROWS_OK },
        { terms, STRIDE, nbytes, 0, NARROWS_ARGUMENT },       { terms, STRIDE + 1, nbytes, MANY, NARROWS_ARGUMENT },
        { terms, 64, nbytes, MANY, NARROWS_ARGUMENT },        { terms, STRIDE, nbytes, SIZE_MAX, NARROWS_ARGUMENT },
        { terms, STRIDE, SIZE_MAX, 1, NARROWS_ARGUMENT },     { NULL, STRIDE, nbytes, MANY, NARROWS_ARGUMENT },
        { terms + 8, STRIDE, nbytes, 1, NARROWS_MISALIGNED }, { b.payload, STRIDE, nbytes, 1, NARROWS_ARGUMENT },
        { terms, STRIDE, nbytes - 1, MANY, NARROWS_SHORT },   { terms, STRIDE, nbytes + 1, MANY, NARROWS_LONG },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(table); i++) {
        int got = narrows_reduce(&b.coder, b.payload, &b.nbytes, table[i].terms, table[i].stride, table[i].nbytes,
                                 table[i].count, N, b.work);

        if (got != table[i].want)
            fail_msg("sum %zu: %d, want %d", i, got, table[i].want);
    }
    assert_int_equal(narrows_reduce(&b.coder, b.payload, NULL, terms, STRIDE, nbytes, MANY, N, b.work),
                     NARROWS_ARGUMENT);
    buffers_free(&b);
    buffers_make(&b, "8bit", 0, N);
    assert_int_equal(narrows_reduce(&b.coder, b.payload, &b.nbytes, terms, STRIDE, nbytes, MANY, N, b.work),
                     NARROWS_ABSENT);
    buffers_free(&b);
    free(terms);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(noise_is_decoded_or_refused),
        cmocka_unit_test(streams_are_checked),
        cmocka_unit_test(sums_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
