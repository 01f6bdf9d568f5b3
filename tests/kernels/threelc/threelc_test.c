/* What 3LC means: a small tensor by hand through all steps, padding, values that are no numbers, and what sharing one
 * payload among receivers promises. Every row. */
#include <float.h>
#include <math.h>

#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/threelc/threelc_rows.h"

static const struct codec_impl *rows[MAX_ROWS], *quartic_rows[MAX_ROWS], *pull_rows[MAX_ROWS],
    *quartic_pull_rows[MAX_ROWS];
static size_t nrows;

/* 25 values are five parts of five. */
static const float change[25] = {
    0.5f,   0, 0, 0, -1, /* part 0 */
    0.125f, 0, 0, 0, 0.75f, -0.625f, 0, 0, 0, 0, 0, 0, 0, 0, -0.25f, 0.5625f, 0, 0, 0, 1,
};
/* s = 1: M = 1. Magnitudes above 1/2 count, 0.5 itself does not. Byte 0 has the digits 1 1 0 1 2 (0.5, 0.125, -0.625,
 * 0, 0.5625): 81 + 27 + 0 + 3 + 2 = 113 = 0x71. Bytes 1 to 3 are 121: a run of three, 244 = 0xf4. Byte 4 has the digits
 * 0 2 1 1 2 (-1, 0.75, 0, -0.25, 1): 0 + 54 + 9 + 3 + 2 = 68 = 0x44. */
static const uint8_t step1[] = { 0, 0, 0x80, 0x3f, 3, 0, 0, 0, 0x71, 0xf4, 0x44 };
static const uint8_t step1_quartic[] = { 0, 0, 0x80, 0x3f, 113, 121, 121, 121, 68 };
static const float left1[25] = {
    0.5f,   0, 0, 0, 0, /* -1 + 1 */
    0.125f, 0, 0, 0, -0.25f, 0.375f, 0, 0, 0, 0, 0, 0, 0, 0, -0.25f, -0.4375f, 0, 0, 0, 0,
};
/* Nothing new, s = 1.5: M = 1.5 * 0.5 = 0.75. Magnitudes above 0.375 count, 0.375 itself does not. Byte 0 has the
 * digits 2 1 1 1 0: 162 + 27 + 9 + 3 = 201 = 0xc9; the others are 121: a run of four, 245 = 0xf5. */
static const uint8_t step2[] = { 0, 0, 0x40, 0x3f, 2, 0, 0, 0, 0xc9, 0xf5 };
static const float left2[25] = {
    -0.25f, 0, 0, 0, 0, /* 0.5 - 0.75 */
    0.125f, 0, 0, 0, -0.25f, 0.375f, 0, 0, 0, 0, 0, 0, 0, 0, -0.25f, 0.3125f, 0, 0, 0, 0,
};

static void expect_payload(const struct tensor *t, const char *row, const uint8_t *want, size_t n)
{
    if (t->nbytes != n || memcmp(t->payload.at, want, n) != 0)
        fail_msg("%s: payload of %zu bytes is not as expected", row, (size_t)t->nbytes);
}

static void by_hand(void **state)
{
    (void)state;
    for (size_t r = 0; r < nrows; r++) {
        struct tensor t = tensor_new(&codec_3lc, 25, 1.0, 0), q = tensor_new(&codec_3lc_quartic, 25, 1.0, 0);
        const char *name = rows[r]->impl.name;
        float *values = (float *)t.values.at;

        memcpy(values, change, sizeof(change));
        memcpy(q.values.at, change, sizeof(change));
        tensor_compress(&t, rows[r]);
        expect_payload(&t, name, step1, sizeof(step1));
        assert_memory_equal(t.state.at, left1, sizeof(left1));
        tensor_compress(&q, quartic_rows[r]);
        expect_payload(&q, name, step1_quartic, sizeof(step1_quartic));
        assert_memory_equal(q.state.at, left1, sizeof(left1));
        memset(values, 0, sizeof(change));
        t.params.value[0] = 1.5;
        tensor_compress(&t, rows[r]);
        expect_payload(&t, name, step2, sizeof(step2));
        assert_memory_equal(t.state.at, left2, sizeof(left2));

        /* What was sent and what is left is what came in. */
        assert_int_equal(tensor_decompress(&t, rows[r], CODEC_STORE, step1, sizeof(step1)), CODEC_OK);
        for (int i = 0; i < 25; i++)
            assert_true(values[i] == change[i] - left1[i]);
        assert_int_equal(tensor_decompress(&t, rows[r], CODEC_ADD, step2, sizeof(step2)), CODEC_OK);
        for (int i = 0; i < 25; i++)
            assert_true(values[i] == change[i] - left2[i]);
        assert_int_equal(tensor_decompress(&q, quartic_rows[r], CODEC_STORE, step1_quartic, sizeof(step1_quartic)), 0);
        for (int i = 0; i < 25; i++)
            assert_true(((float *)q.values.at)[i] == change[i] - left1[i]);
        tensor_free(&t);
        tensor_free(&q);
    }
}

/* 1, -1, 0 are one byte: 2 * 81 + 0 * 27 + 1 * 9, and two digits 0 behind. 6 values are two bytes: parts 1, -1 | 0, 1 |
 * 0, 0 and four digits 0: 162 + 27 + 9 = 198 and 0 + 54 + 9 = 63. */
static void padding_by_hand(void **state)
{
    static const float three[] = { 1, -1, 0 }, six[] = { 1, -1, 0, 1, 0, 0 };
    static const uint8_t want3[] = { 0, 0, 0x80, 0x3f, 1, 0, 0, 0, 171 },
                         want6[] = { 0, 0, 0x80, 0x3f, 2, 0, 0, 0, 198, 63 };

    (void)state;
    for (size_t r = 0; r < nrows; r++) {
        struct tensor t = tensor_new(&codec_3lc, 3, 1.0, 0), u = tensor_new(&codec_3lc, 6, 1.0, 0);
        struct tensor none = tensor_new(&codec_3lc, 0, 1.0, 0);

        memcpy(t.values.at, three, sizeof(three));
        tensor_compress(&t, rows[r]);
        expect_payload(&t, rows[r]->impl.name, want3, sizeof(want3));
        memcpy(u.values.at, six, sizeof(six));
        tensor_compress(&u, rows[r]);
        expect_payload(&u, rows[r]->impl.name, want6, sizeof(want6));
        assert_int_equal(tensor_decompress(&u, rows[r], CODEC_STORE, want6, sizeof(want6)), CODEC_OK);
        assert_memory_equal(u.values.at, six, sizeof(six));
        tensor_compress(&none, rows[r]);
        assert_int_equal(none.nbytes, 0);
        assert_int_equal(tensor_decompress(&none, rows[r], CODEC_ADD, want3, 0), CODEC_OK);
        assert_int_equal(tensor_decompress(&none, rows[r], CODEC_ADD, want3, 1), CODEC_LONG);
        tensor_free(&t);
        tensor_free(&u);
        tensor_free(&none);
    }
}

/* Two chunks of zeros and a bit: 16384 = 1170 * 14 + 4, so 1171 bytes each, and runs end with their chunk. The rest is
 * 30 quartic bytes: 28 and, with its three digits of padding, two literals and one run less. */
static void zeros(void **state)
{
    enum { BYTES = 2 * THREELC_CHUNK + 30, N = 5 * BYTES - 1 };

    (void)state;
    for (size_t r = 0; r < nrows; r++) {
        struct tensor t = tensor_new(&codec_3lc, N, 1.9, 0);
        const uint8_t *p = t.payload.at, *from = p + 16;

        tensor_compress(&t, rows[r]);
        assert_int_equal(t.nbytes, 4 + 3 * 4 + 1171 + 1171 + 4);
        assert_memory_equal(p, "\0\0\0\0\x93\x04\0\0\x93\x04\0\0\x04\0\0\0", 16);
        for (int i = 0; i < 2 * 1171; i++)
            assert_int_equal(from[i], i % 1171 == 1170 ? 245 : 255);
        /* 29 times 121 is 255 255 121; the last byte's part 4 is padding: 120. */
        assert_memory_equal(from + 2 * 1171, "\xff\xff\x79\x78", 4);
        tensor_free(&t);
    }
}

/* What is not finite is dropped and spoils nothing else; denormal M; M that would overflow. */
static void no_numbers(void **state)
{
    const float in[10] = { NAN, INFINITY, -INFINITY, FLT_MAX, 1, -2, -0.0f, 0.5f, -1, 2 };
    const float left[10] = { 0, 0, 0, 0, 1, 0, -0.0f, 0.5f, -1, 0 };

    (void)state;
    for (size_t r = 0; r < nrows; r++) {
        struct tensor t = tensor_new(&codec_3lc, 10, 1.0, 0);
        float *e = (float *)t.state.at, *values = (float *)t.values.at;
        uint32_t bits;

        memcpy(values, in, sizeof(in));
        e[3] = FLT_MAX; /* and so the sum of value 3 overflows */
        e[6] = -0.0f;
        tensor_compress(&t, rows[r]);
        assert_memory_equal(e, left, sizeof(left));
        assert_memory_equal(t.payload.at, "\0\0\0\x40", 4); /* M = 2 */

        /* Largest 3 * 2^-149, s = 1: M is that, half of it lies between 1 and 2; s = 1.5: M = 4.5 to even is 4. */
        for (int i = 0; i < 10; i++) {
            e[i] = 0;
            values[i] = (float)(i % 4) * FLT_TRUE_MIN;
        }
        tensor_compress(&t, rows[r]);
        for (int i = 0; i < 10; i++)
            assert_true(e[i] == (i % 4 >= 2 ? values[i] - 3 * FLT_TRUE_MIN : values[i]));
        memset(e, 0, 40);
        t.params.value[0] = 1.5;
        tensor_compress(&t, rows[r]);
        for (int i = 0; i < 10; i++)
            assert_true(e[i] == (i % 4 == 3 ? -FLT_TRUE_MIN : values[i]));

        memset(e, 0, 40);
        for (int i = 0; i < 10; i++)
            values[i] = i ? 0.25f * FLT_MAX : FLT_MAX;
        tensor_compress(&t, rows[r]);
        memcpy(&bits, t.payload.at, 4);
        assert_int_equal(bits, 0x7f7fffff);
        assert_true(e[0] == 0 && e[1] == 0.25f * FLT_MAX);
        tensor_free(&t);
    }
}

/* Adding leaves alone what is not sent. */
static void adding(void **state)
{
    enum { N = 325 };

    (void)state;
    for (size_t r = 0; r < nrows; r++) {
        struct tensor t = tensor_new(&codec_3lc, N, 1.0, 0);
        float *values = (float *)t.values.at;
        uint32_t *bits = (uint32_t *)t.values.at;

        for (int i = 0; i < N; i++)
            values[i] = i % 2 ? 1.0f : 0.0f;
        tensor_compress(&t, rows[r]);
        for (int i = 0; i < N; i++)
            bits[i] = i % 4 < 2 ? 0x80000000 : 0xff800123; /* -0, a signalling NaN */
        assert_int_equal(tensor_decompress(&t, rows[r], CODEC_ADD, t.payload.at, t.nbytes), CODEC_OK);
        for (int i = 0; i < N; i++)
            assert_int_equal(bits[i], i % 4 >= 2 ? 0xffc00123 : i % 4 ? 0x3f800000 : 0x80000000);
        assert_int_equal(tensor_decompress(&t, rows[r], CODEC_STORE, t.payload.at, t.nbytes), CODEC_OK);
        for (int i = 0; i < N; i++)
            assert_int_equal(bits[i], i % 2 ? 0x3f800000 : 0);
        tensor_free(&t);
    }
}

/* A server and receivers, each with a row of its own: one payload, the same bits everywhere. All changes are multiples
 * of 2^-12 and small, so that no sum rounds: what was received and what is left are exactly what was put in. */
static void shared_pulls(void **state)
{
    enum { N = 3000, STEPS = 12 };
    static float sum[N], copy[MAX_ROWS][N];
    struct tensor server = tensor_new(&codec_3lc, N, 1.0, 0), receiver = tensor_new(&codec_3lc, N, 1.0, 3);

    (void)state;
    memset(sum, 0, sizeof(sum));
    memset(copy, 0, sizeof(copy));
    for (int step = 0; step < STEPS; step++) {
        float *values = (float *)server.values.at;

        for (int i = 0; i < N; i++) {
            values[i] = (float)((i * 7919 + step * 104729) % 4001 - 2000) / 4096 / (float)(1 << i % 4);
            values[i] = floorf(values[i] * 4096) / 4096;
            sum[i] += values[i];
        }
        tensor_compress(&server, rows[(size_t)step % nrows]);
        for (size_t r = 0; r < nrows; r++) {
            memcpy(receiver.values.at, copy[r], sizeof(copy[r]));
            assert_int_equal(tensor_decompress(&receiver, rows[r], CODEC_ADD, server.payload.at, server.nbytes), 0);
            memcpy(copy[r], receiver.values.at, sizeof(copy[r]));
            assert_memory_equal(copy[r], copy[0], sizeof(copy[0]));
        }
    }
    for (int i = 0; i < N; i++)
        assert_true(copy[0][i] + ((float *)server.state.at)[i] == sum[i]);
    tensor_free(&server);
    tensor_free(&receiver);
}

/* Pulls straight from the model: the state is what receivers hold, and they get ever closer. */
static void pull_from_the_model(const struct codec *codec, const struct codec_impl *const *pulls)
{
    enum { N = 4321, STEPS = 40 };
    static float copy[MAX_ROWS][N];
    struct tensor server = tensor_new(codec, N, 1.0, 0), receiver = tensor_new(codec, N, 1.0, 1);
    float *model = (float *)server.values.at, first = 0, last = 0;

    memset(copy, 0, sizeof(copy));
    for (int i = 0; i < N; i++)
        model[i] = (float)((i * 7919) % 4001 - 2000) / 3000;
    model[5] = NAN;
    for (int step = 0; step < STEPS; step++) {
        tensor_compress(&server, pulls[(size_t)step % nrows]);
        memcpy(&last, server.payload.at, 4);
        first = step ? first : last;
        for (size_t r = 0; r < nrows; r++) {
            memcpy(receiver.values.at, copy[r], sizeof(copy[r]));
            assert_int_equal(tensor_decompress(&receiver, pulls[r], CODEC_ADD, server.payload.at, server.nbytes), 0);
            memcpy(copy[r], receiver.values.at, sizeof(copy[r]));
            assert_memory_equal(copy[r], server.state.at, sizeof(copy[r]));
        }
    }
    assert_true(first > 0.6f && last < 1e-6f && last >= 0);
    for (int i = 0; i < N; i++)
        assert_true(i == 5 ? copy[0][i] == 0 : fabsf(copy[0][i] - model[i]) <= 2e-6f);
    tensor_free(&server);
    tensor_free(&receiver);
}

static void pulls_from_the_model(void **state)
{
    (void)state;
    pull_from_the_model(&codec_3lc, pull_rows);
    pull_from_the_model(&codec_3lc_quartic, quartic_pull_rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(padding_by_hand),
        cmocka_unit_test(zeros),
        cmocka_unit_test(no_numbers),
        cmocka_unit_test(adding),
        cmocka_unit_test(shared_pulls),
        cmocka_unit_test(pulls_from_the_model),
    };

    nrows = rows_wanted(rows, codec_3lc.impls);
    if (!nrows)
        return impl_none_wanted();
    assert_int_equal(rows_wanted(quartic_rows, codec_3lc_quartic.impls), nrows);
    assert_int_equal(rows_wanted(pull_rows, codec_3lc.pulls), nrows);
    assert_int_equal(rows_wanted(quartic_pull_rows, codec_3lc_quartic.pulls), nrows);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
