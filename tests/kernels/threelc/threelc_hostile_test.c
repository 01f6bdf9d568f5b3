/* Payloads that 3LC did not write: each is refused for its reason and leaves the values as they were, or decodes to
 * what the reference makes of it. */
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/threelc/threelc_rows.h"

enum { SMALL = 323, LARGE = 5 * THREELC_CHUNK + 1234, CHUNKS = 2 };

static const struct codec *const forms[] = { &codec_3lc, &codec_3lc_quartic };

static void make(struct tensor *t)
{
    float *values = (float *)t->values.at;

    for (size_t i = 0; i < t->n; i++)
        values[i] = i * 2654435761u % 97 < 6 ? 1.0f : i % 131 == 0 ? -0.75f : 0.125f;
    tensor_compress(t, row_reference(t->codec->impls));
}

static void reset(struct tensor *t)
{
    for (size_t i = 0; i < t->n; i++)
        ((float *)t->values.at)[i] = (float)i;
}

/* Decompress damaged bytes in a row; returns the error, having checked that values are whole. */
static int attempt(struct tensor *t, const struct codec_impl *im, const uint8_t *bytes, size_t nbytes)
{
    int error;

    reset(t);
    error = tensor_decompress(t, im, CODEC_ADD, bytes, nbytes);
    if (error != CODEC_OK)
        for (size_t i = 0; i < t->n; i++)
            if (((float *)t->values.at)[i] != (float)i)
                fail_msg("%s: error %d, and value %zu was written", im->impl.name, error, i);
    return error;
}

static void expect(struct tensor *t, const uint8_t *bytes, size_t nbytes, int error, const char *why)
{
    const struct codec_impl *rows[MAX_ROWS];
    size_t nrows = rows_wanted(rows, t->codec->impls);

    for (size_t r = 0; r < nrows; r++) {
        int got = attempt(t, rows[r], bytes, nbytes);

        if (got != error)
            fail_msg("%s, %s, %s: error %d, expected %d", t->codec->name, rows[r]->impl.name, why, got, error);
    }
}

static void too_short_or_long(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        struct tensor t = tensor_new(forms[f], SMALL, 1.0, 1);
        uint8_t bytes[1024] = { 0 };

        make(&t);
        memcpy(bytes, t.payload.at, t.nbytes);
        for (size_t n = 0; n < t.nbytes; n++)
            expect(&t, bytes, n, CODEC_SHORT, "truncated");
        expect(&t, bytes, t.nbytes, CODEC_OK, "whole");
        for (size_t n = t.nbytes + 1; n < t.nbytes + 70; n++)
            expect(&t, bytes, n, CODEC_LONG, "extended");
        tensor_free(&t);
    }
}

/* Each byte with each value: what the reference accepts is what every row accepts, with the same values. */
static void every_byte_changed(void **state)
{
    (void)state;
    for (size_t f = 0; f < 2; f++) {
        struct tensor t = tensor_new(forms[f], SMALL, 1.0, 0), u = tensor_new(forms[f], SMALL, 1.0, 0);
        const struct codec_impl *rows[MAX_ROWS], *ref = row_reference(forms[f]->impls);
        size_t nrows = rows_wanted(rows, forms[f]->impls);

        make(&t);
        for (size_t at = 0; at < t.nbytes; at++)
            for (int v = 1; v < 256; v++) {
                uint8_t old = t.payload.at[at];
                int error;

                t.payload.at[at] ^= (uint8_t)v;
                error = attempt(&u, ref, t.payload.at, t.nbytes);
                for (size_t r = 0; r < nrows; r++) {
                    if (attempt(&t, rows[r], t.payload.at, t.nbytes) != error)
                        fail_msg("%s: byte %zu xor %d: not the error %d", rows[r]->impl.name, at, v, error);
                    assert_memory_equal(t.values.at, u.values.at, 4 * SMALL);
                }
                t.payload.at[at] = old;
            }
        tensor_free(&t);
        tensor_free(&u);
    }
}

static void put(uint8_t *at, uint32_t word)
{
    for (int i = 0; i < 4; i++)
        at[i] = (uint8_t)(word >> (8 * i));
}

/* One word of the head changed, on a tensor of two chunks, with one thread and with more. */
static void wrong_head(void **state)
{
    static const struct {
        const char *why;
        size_t at;
        uint32_t word;
        int error;
    } heads[] = {
        { "M infinite", 0, 0x7f800000, CODEC_CONTENT },
        { "M not a number", 0, 0x7fc00000, CODEC_CONTENT },
        { "M negative", 0, 0xbf800000, CODEC_CONTENT },
        { "M = -0", 0, 0x80000000, CODEC_CONTENT },
        { "M = 0", 0, 0, CODEC_OK },
        { "M denormal", 0, 1, CODEC_OK },
        { "an empty chunk", 4, 0, CODEC_CONTENT },
        { "a chunk too long", 4, THREELC_CHUNK + 1, CODEC_CONTENT },
        { "a chunk far too long", 8, ~0u, CODEC_CONTENT },
        { "more than there is", 4, THREELC_CHUNK, CODEC_SHORT },
        { "a byte is left", 8, 1, CODEC_LONG },
    };
    struct tensor t = tensor_new(&codec_3lc, LARGE, 1.0, 1);
    uint8_t *bytes = malloc(t.payload.n);

    (void)state;
    assert_non_null(bytes);
    make(&t);
    assert_true(t.nbytes < THREELC_CHUNK);
    for (int threads = 1; threads <= 3; threads++) {
        rows_threads(threads);
        for (size_t h = 0; h < sizeof(heads) / sizeof(heads[0]); h++) {
            memcpy(bytes, t.payload.at, t.nbytes);
            put(bytes + heads[h].at, heads[h].word);
            expect(&t, bytes, t.nbytes, heads[h].error, heads[h].why);
        }
    }
    free(bytes);
    tensor_free(&t);
}

static uint32_t word_at(const uint8_t *at)
{
    return at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

/* Lengths that still add up, but a byte of the second chunk is said to be the first's; and a run that grew by one, in
 * either chunk; and the padding. */
static void wrong_chunks(void **state)
{
    struct tensor t = tensor_new(&codec_3lc, LARGE, 1.0, 1), q = tensor_new(&codec_3lc_quartic, LARGE, 1.0, 1);
    const size_t head = 4 + 4 * CHUNKS;
    uint8_t *p = t.payload.at;
    uint32_t first;

    (void)state;
    make(&t);
    make(&q);
    first = word_at(p + 4);
    for (int threads = 1; threads <= 3; threads++) {
        rows_threads(threads);
        expect(&t, p, t.nbytes, CODEC_OK, "whole");
        put(p + 4, first + 1);
        put(p + 8, word_at(p + 8) - 1);
        expect(&t, p, t.nbytes, CODEC_CONTENT, "a byte changed chunks");
        put(p + 4, first);
        put(p + 8, word_at(p + 8) + 1);
        for (size_t at = head; at < t.nbytes; at += first + 3) {
            size_t i = at;

            while (p[i] < 243 || p[i] == 255)
                i++;
            p[i]++;
            expect(&t, p, t.nbytes, CODEC_CONTENT, "a run that grew");
            p[i]--;
        }
        /* LARGE leaves one digit of padding, in part 4 of the last byte. */
        assert_true(p[t.nbytes - 1] % 3 == 0 && q.payload.at[q.nbytes - 1] % 3 == 0);
        p[t.nbytes - 1]++;
        expect(&t, p, t.nbytes, CODEC_CONTENT, "padding");
        p[t.nbytes - 1]--;
        q.payload.at[q.nbytes - 1] += 2;
        expect(&q, q.payload.at, q.nbytes, CODEC_CONTENT, "padding without runs");
        q.payload.at[q.nbytes - 1] -= 2;
        q.payload.at[100] = 243;
        expect(&q, q.payload.at, q.nbytes, CODEC_CONTENT, "a run where there are none");
        q.payload.at[100] = 121;
    }
    tensor_free(&t);
    tensor_free(&q);
}

/* One byte more than a chunk, and four digits of padding: three of them stand in the chunk before the last. */
static void padding_in_two_chunks(void **state)
{
    struct tensor t = tensor_new(&codec_3lc_quartic, 5 * THREELC_CHUNK + 1, 1.0, 0);

    (void)state;
    make(&t);
    assert_int_equal(t.nbytes, 4 + THREELC_CHUNK + 1);
    expect(&t, t.payload.at, t.nbytes, CODEC_OK, "whole");
    for (size_t i = 1; i <= 4; i++) {
        t.payload.at[t.nbytes - i]++;
        expect(&t, t.payload.at, t.nbytes, CODEC_CONTENT, "padding before the last chunk");
        t.payload.at[t.nbytes - i]--;
    }
    t.payload.at[t.nbytes - 5]--;
    expect(&t, t.payload.at, t.nbytes, CODEC_OK, "another value");
    tensor_free(&t);
}

/* Runs cut in another way are no harm: 243 and 121 for a run of three. */
static void runs_cut_otherwise(void **state)
{
    static const uint8_t ours[] = { 0, 0, 0x80, 0x3f, 3, 0, 0, 0, 113, 244, 68 };
    static const uint8_t theirs[] = { 0, 0, 0x80, 0x3f, 4, 0, 0, 0, 113, 243, 121, 68 };
    struct tensor t = tensor_new(&codec_3lc, 25, 1.0, 0), u = tensor_new(&codec_3lc, 25, 1.0, 0);

    (void)state;
    expect(&t, ours, sizeof(ours), CODEC_OK, "greedy");
    expect(&u, theirs, sizeof(theirs), CODEC_OK, "not greedy");
    assert_memory_equal(t.values.at, u.values.at, 100);
    tensor_free(&t);
    tensor_free(&u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(too_short_or_long),  cmocka_unit_test(every_byte_changed),
        cmocka_unit_test(wrong_head),         cmocka_unit_test(wrong_chunks),
        cmocka_unit_test(runs_cut_otherwise), cmocka_unit_test(padding_in_two_chunks),
    };
    const struct codec_impl *rows[MAX_ROWS];

    return rows_wanted(rows, codec_3lc.impls) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
