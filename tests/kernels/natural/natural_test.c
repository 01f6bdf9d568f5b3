/* The codec "natural": powers and their window by hand, the words that are drawn, the mean of many draws, and what is
 * refused. */
#include <float.h>
#include <math.h>

#include "kernels/natural/natural.h"
#include "kernels/natural/natural_lane.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"

static struct codec_params params(double seed)
{
    return (struct codec_params){ { seed } };
}

/* Powers of two are sent as they are, whatever is drawn, those of a window of 127. */
static const struct {
    float values[6], back[6], largest;
} cases[] = {
    { { 1, -2, 0.25f, 0, -0.0f, 0 }, { 1, -2, 0.25f, 0, -0.0f, 0 }, 2 },
    { { 4, 0x1p-124f, -0x1p-125f, -0x1p-126f, 0, 0 }, { 4, 0x1p-124f, 0, 0, 0, 0 }, 4 },
    { { 1, NAN, INFINITY, -INFINITY, 0, 0 }, { 1, 0, 1, -1, 0, 0 }, 1 },
    { { 0 }, { 0 }, 0x1p-126f },
    { { INFINITY, 0 }, { 0x1p-126f, 0 }, 0x1p-126f },
    { { 0x1p127f, 1, -2, 0x1p-126f, 0, 0 }, { 0x1p127f, 0, -2, 0, 0, 0 }, 0x1p127f },
    { { FLT_MAX, -FLT_MAX, 1, 4, 0, 0 }, { 0x1p127f, -0x1p127f, 0, 4, 0, 0 }, 0x1p127f },
    { { 0x1p-126f, -0x1p-126f, 0, 0, 0, 0 }, { 0x1p-126f, -0x1p-126f, 0, 0, 0, 0 }, 0x1p-126f },
};

static void by_hand(void **state)
{
    float got[6];

    (void)state;
    TRY_EACH_ROW(im, &codec_natural)
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct codec_try t = try_begin(&codec_natural, im, params(1), 6);

        try_compress(&t, cases[i].values);
        assert_int_equal(t.nbytes, 8 + 4);
        try_same(im->impl.name, "the largest power", t.payload + 8, &cases[i].largest, 4);
        try_store(&t, got);
        for (size_t j = 0; j < 6; j++)
            if (got[j] != cases[i].back[j])
                fail_msg("%s: value %zu of case %zu is %g, want %g", im->impl.name, j, i, (double)got[j],
                         (double)cases[i].back[j]);
        assert_int_equal(t.state[0], 1);
        try_end(&t);
    }
}

/* Fields of 2, 1 and 1/2 are 128, 127 and 126, the window of 2 begins behind 1: codes 127, 126, 128 + 125, 0, 128. */
static void payload_by_hand(void **state)
{
    static const float values[5] = { 2, 1, -0.5f, 0, -0.0f };
    static const uint8_t codes[5] = { 127, 126, 253, 0, 128 };
    uint8_t want[12] = { [8] = 0, 0, 0, 0x40 };

    (void)state;
    for (size_t i = 0; i < 5; i++)
        for (size_t k = 0; k < 8; k++)
            want[k] |= (uint8_t)((codes[i] >> k & 1) << i);
    TRY_EACH_ROW(im, &codec_natural)
    {
        struct codec_try t = try_begin(&codec_natural, im, params(1), 5);

        try_compress(&t, values);
        try_same(im->impl.name, "payload", t.payload, want, sizeof(want));
        try_end(&t);
    }
}

/* The words of the definition, position by position, in three steps. */
static void draws_as_stated(void **state)
{
    enum { N = 1011 };
    float values[N], got[N];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = i % 9 ? try_value(i) : ldexpf(try_value(i), -140);
    TRY_EACH_ROW(im, &codec_natural)
    {
        struct codec_try t = try_begin(&codec_natural, im, params((double)0x123456789abc), N);

        for (uint64_t step = 0; step < 3; step++) {
            struct threefry_key key = threefry_key_of(0x56789abc, 0x1234, (uint32_t)step, 0);

            try_compress(&t, values);
            try_store(&t, got);
            for (size_t i = 0; i < N; i++) {
                uint32_t x[4] = { (uint32_t)(i / 64 * 16 + i % 16), 0, 0, 0 };
                int exponent;
                double share = 2 * frexp(fabs((double)values[i]), &exponent) - 1, want;

                threefry(x, &key, 13);
                want = ldexp(1, exponent - 1 + ((double)(x[i % 64 / 16] >> 9) < share * 0x1p23));
                want = values[i] == 0 || want < 0x1p-126 ? 0 : want;
                if ((double)fabsf(got[i]) != want || signbit(got[i]) != signbit(values[i]))
                    fail_msg("%s: %a is sent as %a in step %d, want %a", im->impl.name, (double)values[i],
                             (double)got[i], (int)step, want);
            }
        }
        try_end(&t);
    }
}

/* The mean over steps is the value: of 16 places between two powers, each over 2^14 / 16 values and 256 steps, on the
 * fastest row, as all have the same bits; of subnormal ones too. The bound is one that a good generator exceeds once in
 * a million. */
static void unbiased(void **state)
{
    enum { MANY = 1 << 14, STEPS = 256 };
    const struct codec_impl *fastest = codec_choose(&codec_natural, getenv("NARROWS_IMPL"), 0);
    float *values = malloc(4 * MANY), *got = malloc(4 * MANY);

    (void)state;
    assert_true(values && got);
    for (int subnormal = 0; subnormal < 2; subnormal++) {
        struct codec_try t = try_begin(&codec_natural, fastest, params(7), MANY);
        double unit = subnormal ? 0x1p-126 : 1, sum[16] = { 0 };

        for (size_t i = 0; i < MANY; i++)
            values[i] = (float)((i % 2 ? -unit : unit) * (!subnormal + (double)(i / 2 % 16) / 16));
        for (int step = 0; step < STEPS; step++) {
            try_compress(&t, values);
            try_store(&t, got);
            for (size_t i = 0; i < MANY; i++)
                sum[i / 2 % 16] += fabs((double)got[i]) / unit - fabs((double)values[i]) / unit;
        }
        for (size_t k = 0; k < 16; k++) {
            double draws = (double)MANY / 16 * STEPS, share = (double)k / 16;

            if (fabs(sum[k]) > 4.9 * sqrt(share * (1 - share) * draws) + 1e-6)
                fail_msg("share %.3f is off by %g", share, sum[k] / draws);
        }
        try_end(&t);
    }
    free(values);
    free(got);
}

static void put_code(uint8_t *payload, uint8_t code)
{
    for (size_t k = 0; k < 8; k++)
        payload[k] = code >> k & 1;
}

/* Of one value: which codes there are under a largest power, and which numbers are none. */
static void content(void **state)
{
    static const uint32_t bad[] = { 0,          0x00400000, 0x7f800000, 0x7fc00000, 0x80000000,
                                    0xbf800000, 0xffffffff, 0x3f800001, 0x3fc00000 };
    static const struct {
        uint32_t largest;
        int most;
    } windows[] = { { 0x00800000, 1 }, { 0x3f000000, 126 }, { 0x3f800000, 127 }, { 0x7f000000, 127 } };
    uint8_t payload[12] = { 0 };

    (void)state;
    TRY_EACH_ROW(im, &codec_natural)
    {
        struct codec_try t = try_begin(&codec_natural, im, params(0), 1);

        put_code(payload, 0);
        for (size_t i = 0; i < COUNT(bad); i++) {
            memcpy(payload + 8, &bad[i], 4);
            assert_int_equal(try_hostile(&t, payload, 12, CODEC_STORE, NULL), CODEC_CONTENT);
        }
        for (size_t i = 0; i < COUNT(windows); i++)
            for (int code = 0; code < 256; code++) {
                memcpy(payload + 8, &windows[i].largest, 4);
                put_code(payload, (uint8_t)code);
                assert_int_equal(try_hostile(&t, payload, 12, CODEC_STORE, NULL),
                                 code % 128 <= windows[i].most ? CODEC_OK : CODEC_CONTENT);
            }
        try_end(&t);
    }
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_natural, params(3), 131, 1, 0);
    try_all_hostile(&codec_natural, params(3), 1, 1, 0);
    try_all_hostile(&codec_natural, params(3), 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),  cmocka_unit_test(payload_by_hand), cmocka_unit_test(draws_as_stated),
        cmocka_unit_test(unbiased), cmocka_unit_test(content),         cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_natural) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
