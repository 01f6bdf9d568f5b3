/* The codec "blockwise": codes and scales by hand, where they stand, parts that are payloads, sums, and what is
 * refused. */
#include <float.h>
#include <math.h>

#include "kernels/blockwise/blockwise.h"
#include "kernels/blockwise/blockwise_lane.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"

static struct codec_params params(double bits, double block)
{
    return (struct codec_params){ { bits, block } };
}

static float scale_at(const uint8_t *payload, size_t at)
{
    float scale;

    memcpy(&scale, payload + at, sizeof(scale));
    return scale;
}

/* Three blocks, of M = 127, 254 and 0: scales 1, 2 and 0. */
static void bytes_by_hand(void **state)
{
    float values[130] = {
        127, -127, 0.5f, 1.5f, 2.5f, -2.5f, NAN, INFINITY, -INFINITY, 126.5f, [64] = 254, 3, 5, -254
    };
    static const int8_t want[130] = { 127, -127, 0, 2, 2, -2, 0, 127, -127, 126, [64] = 127, 2, 2, -127 };

    (void)state;
    TRY_EACH_ROW(im, &codec_blockwise)
    for (size_t infinities = 0; infinities < 2; infinities++) {
        struct codec_try t = try_begin(&codec_blockwise, im, params(8, 64), 130);

        values[7] = infinities ? INFINITY : 127;
        values[8] = infinities ? -INFINITY : -127;
        try_compress(&t, values);
        assert_int_equal(t.nbytes, 132 + 3 * 4);
        try_same(im->impl.name, "codes", t.payload, want, 130);
        assert_int_equal(t.payload[130] | t.payload[131], 0);
        assert_true(scale_at(t.payload, 132) == 1 && scale_at(t.payload, 136) == 2 && scale_at(t.payload, 140) == 0);
        try_end(&t);
    }
}

/* M = 7: the scale is 1. Two to a byte, the first in the low half, and a whole number of words. */
static void halves_by_hand(void **state)
{
    static const float values[67] = { 7, -7, 1, -2, 3.5f, 2.5f, NAN, -0.25f, [63] = -1, -14, 2, 1 };
    static const uint8_t want[44] = { 0x97, 0xe1, 0x24, 0x00, [31] = 0xf0, 0x19, 0x00, [38] = 0x80, 0x3f, [43] = 0x40 };
    static const float back[67] = { 7, -7, 1, -2, 4, 2, [63] = -1, -14, 2, 0 };
    float got[67];

    (void)state;
    TRY_EACH_ROW(im, &codec_blockwise)
    {
        struct codec_try t = try_begin(&codec_blockwise, im, params(4, 64), 67);

        try_compress(&t, values);
        assert_int_equal(t.nbytes, 36 + 2 * 4);
        try_same(im->impl.name, "payload", t.payload, want, 44);
        try_store(&t, got);
        try_same(im->impl.name, "values", got, back, sizeof(got));
        try_end(&t);
    }
}

static void sizes(void **state)
{
    static const struct {
        size_t n;
        double bits, block;
        size_t nbytes;
    } cases[] = { { 0, 8, 256, 0 },     { 1, 8, 256, 8 },        { 1, 4, 256, 8 },
                  { 9, 4, 64, 12 },     { 256, 8, 256, 260 },    { 257, 8, 256, 268 },
                  { 257, 4, 256, 140 }, { 8192, 4, 8192, 4100 }, { 8193, 8, 64, 8712 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct codec_params p = params(cases[i].bits, cases[i].block);

        assert_int_equal(codec_blockwise.payload_bound(cases[i].n, &p), cases[i].nbytes);
    }
}

/* A scale that overflows or underflows, in either width. */
static void extremes(void **state)
{
    static const struct {
        float a, b;
        int bits, qa, qb;
        uint32_t scale;
    } cases[] = {
        { INFINITY, -0.0f, 8, 0, 0, 0 },
        { FLT_MAX, -FLT_MAX, 8, 127, -127, 0x7c010203 }, /* as kernels/int8 has it */
        { FLT_MAX, -FLT_MAX, 4, 7, -7, 0x7e124924 },     /* 2^128 / 7, rounded down */
        { 0x1p-149f, 0, 4, 7, 0, 0 },
        { 0x1p-140f, -0x1p-141f, 4, 7, -4, 73 }, /* 512 / 7 = 73.1; halves of 7 to even */
    };

    (void)state;
    TRY_EACH_ROW(im, &codec_blockwise)
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct codec_try t = try_begin(&codec_blockwise, im, params(cases[c].bits, 64), 2);
        const float values[2] = { cases[c].a, cases[c].b };

        try_compress(&t, values);
        if (blockwise_code(t.payload, 0, cases[c].bits) != cases[c].qa ||
            blockwise_code(t.payload, 1, cases[c].bits) != cases[c].qb ||
            try_bits(scale_at(t.payload, 4)) != cases[c].scale)
            fail_msg("%s: case %zu: %d %d, scale %#x", im->impl.name, c, blockwise_code(t.payload, 0, cases[c].bits),
                     blockwise_code(t.payload, 1, cases[c].bits), try_bits(scale_at(t.payload, 4)));
        try_end(&t);
    }
}

/* Half a scale away at most, block by block. */
static void error_bound(void **state)
{
    enum { N = 1000, BLOCK = 128 };
    float values[N], got[N];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = try_value(i) * (float)(1 + i / BLOCK * (i / BLOCK));
    TRY_EACH_ROW(im, &codec_blockwise)
    for (int bits = 4; bits <= 8; bits += 4) {
        struct codec_try t = try_begin(&codec_blockwise, im, params(bits, BLOCK), N);

        try_compress(&t, values);
        try_store(&t, got);
        for (size_t i = 0; i < N; i++) {
            double scale = scale_at(t.payload, N * (size_t)bits / 8 + 4 * (i / BLOCK));

            if (!(fabs((double)values[i] - got[i]) <= 0.5001 * scale))
                fail_msg("%s: %g comes back as %g, the scale is %g", im->impl.name, values[i], got[i], scale);
        }
        try_end(&t);
    }
}

/* What blockwise.h says of blocks first .. end - 1: from the whole payload, and compressed by themselves. */
static void try_part(const struct codec_impl *im, const struct codec_try *whole, const float *values, size_t first,
                     size_t end)
{
    size_t bits = (size_t)whole->params.value[0], block = (size_t)whole->params.value[1];
    size_t from = first * block, to = end * block < whole->n ? end * block : whole->n;
    size_t codes = ((to - from) * bits + 7) / 8, padded = (codes + 3) / 4 * 4;
    size_t scales_at = ((whole->n * bits + 7) / 8 + 3) / 4 * 4;
    struct codec_try part = try_begin(&codec_blockwise, im, whole->params, to - from);

    try_compress(&part, values + from);
    assert_int_equal(part.nbytes, padded + 4 * (end - first));
    try_same(im->impl.name, "codes of a part", part.payload, whole->payload + from * bits / 8, codes);
    try_same(im->impl.name, "scales of a part", part.payload + padded, whole->payload + scales_at + 4 * first,
             4 * (end - first));
    try_end(&part);
}

static void parts_are_payloads(void **state)
{
    enum { N = 997 };
    float values[N];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = try_value(i) * (float)(1 + i % 5);
    TRY_EACH_ROW(im, &codec_blockwise)
    for (int bits = 4; bits <= 8; bits += 4)
        for (size_t block = 64; block <= 192; block += 128) {
            struct codec_try whole = try_begin(&codec_blockwise, im, params(bits, (double)block), N);
            size_t blocks = (N + block - 1) / block;

            try_compress(&whole, values);
            for (size_t first = 0; first < blocks; first++)
                for (size_t end = first + 1; end <= blocks; end++)
                    try_part(im, &whole, values, first, end);
            try_end(&whole);
        }
}

/* 7 1 -7 and 7 -1 7 are 14 0 0: M is 14, the scale 2. With a third, of scale 1/2, 13.5 0.5 -1: of 13.5 / 7. */
static void a_sum_by_hand(void **state)
{
    static const uint8_t terms[3][64] = { { 0x17, 0x09, 0, 0, 0, 0, 0x80, 0x3f },
                                          { 0xf7, 0x07, 0, 0, 0, 0, 0x80, 0x3f },
                                          { 0x1f, 0x0e, 0, 0, 0, 0, 0, 0x3f } };
    static const uint8_t two[8] = { 0x07, 0, 0, 0, 0, 0, 0, 0x40 }, three[4] = { 0x07, 0x0f, 0, 0 };

    (void)state;
    TRY_EACH_ROW(im, &codec_blockwise)
    for (size_t count = 2; count <= 3; count++) {
        struct codec_try t = try_begin(&codec_blockwise, im, params(4, 64), 3);
        struct codec_terms sent = { terms[0], 64, 8, count };
        _Alignas(64) uint8_t copy[3][64];
        int error = -1;

        memcpy(copy, terms, sizeof(copy));
        sent.payloads = copy[0];
        im->reduce(&im->impl, t.payload, &t.nbytes, &sent, 3, &t.params, t.work, &error);
        assert_int_equal(error, CODEC_OK);
        assert_int_equal(t.nbytes, 8);
        try_same(im->impl.name, "sum", t.payload, count == 2 ? two : three, count == 2 ? 8 : 4);
        if (count == 3)
            assert_true(scale_at(t.payload, 4) == 13.5f / 7);
        try_end(&t);
    }
}

static void content(void **state)
{
    static const uint32_t bad[] = { 0x7f800000, 0x7fc00000, 0xff800000, 0x80000000, 0xbf800000, 0x7e124925 };
    enum { N = 701, CODES = 351, AT = 352, BLOCKS = 3 };
    uint8_t payload[AT + 4 * BLOCKS] = { 0 };

    (void)state;
    TRY_EACH_ROW(im, &codec_blockwise)
    {
        struct codec_try t = try_begin(&codec_blockwise, im, params(4, 256), N);

        for (size_t i = 0; i < COUNT(bad) * BLOCKS; i++) {
            memcpy(payload + AT + 4 * (i % BLOCKS), &bad[i / BLOCKS], 4);
            assert_int_equal(try_hostile(&t, payload, sizeof(payload), CODEC_STORE, NULL), CODEC_CONTENT);
            memset(payload + AT + 4 * (i % BLOCKS), 0, 4);
        }
        for (size_t i = 0; i < N; i++) {
            payload[i / 2] = (uint8_t)(8 << i % 2 * 4);
            assert_int_equal(try_hostile(&t, payload, sizeof(payload), CODEC_ADD, NULL), CODEC_CONTENT);
            payload[i / 2] = (uint8_t)(9 << i % 2 * 4);
            assert_int_equal(try_hostile(&t, payload, sizeof(payload), CODEC_ADD, NULL), CODEC_OK);
            payload[i / 2] = 0;
        }
        payload[CODES - 1] = 0x10; /* of a value that is not there */
        assert_int_equal(try_hostile(&t, payload, sizeof(payload), CODEC_STORE, NULL), CODEC_CONTENT);
        payload[CODES - 1] = 0;
        payload[CODES] = 1;
        assert_int_equal(try_hostile(&t, payload, sizeof(payload), CODEC_STORE, NULL), CODEC_CONTENT);
        payload[CODES] = 0;
        try_end(&t);
    }
}

static void hostile(void **state)
{
    (void)state;
    for (int bits = 4; bits <= 8; bits += 4) {
        try_all_hostile(&codec_blockwise, params(bits, 64), 197, 1, 0);
        try_all_hostile(&codec_blockwise, params(bits, 64), 0, 1, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_by_hand), cmocka_unit_test(halves_by_hand), cmocka_unit_test(sizes),
        cmocka_unit_test(extremes),      cmocka_unit_test(error_bound),    cmocka_unit_test(parts_are_payloads),
        cmocka_unit_test(a_sum_by_hand), cmocka_unit_test(content),        cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_blockwise) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
