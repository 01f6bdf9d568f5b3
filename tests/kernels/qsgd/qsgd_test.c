/* The codec "qsgd": codes by hand, the words that are drawn, what is expected of many draws, and what is refused. */
#include <float.h>
#include <math.h>

#include "kernels/qsgd/qsgd.h"
#include "kernels/qsgd/qsgd_lane.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"

enum { LEVELS, LARGEST, SEED };

static struct codec_params params(double levels, double largest, double seed)
{
    return (struct codec_params){ { levels, largest, seed } };
}

/* The norm of 3, 4 and zeros is 5: with 5 levels they are levels themselves, which no draw changes. Codes level + 5 are
 * 8, 1, 5, 5, 5, of 4 bits: planes of 5 values, one byte each. */
static void levels_of_the_l2_norm_by_hand(void **state)
{
    static const float values[5] = { 3, -4, 0, -0.0f, 0 }, back[5] = { 3, -4, 0, 0, 0 };
    static const uint8_t want[8] = { 0x1e, 0x00, 0x1c, 0x01, 0, 0, 0x80, 0x3f };
    float got[5];

    (void)state;
    TRY_EACH_ROW(im, &codec_qsgd)
    {
        struct codec_try t = try_begin(&codec_qsgd, im, params(5, 0, 1), 5);

        try_compress(&t, values);
        assert_int_equal(t.nbytes, 8);
        try_same(im->impl.name, "payload", t.payload, want, 8);
        try_store(&t, got);
        try_same(im->impl.name, "values", got, back, sizeof(got));
        assert_int_equal(t.state[0], 1);
        try_end(&t);
    }
}

/* Of the largest magnitude, with one level: signs and zeros. NaN is 0, infinities are cut to the norm. */
static void the_largest_magnitude_by_hand(void **state)
{
    static const float values[7] = { 2, -2, NAN, INFINITY, 0, -INFINITY, 2 }, back[7] = { 2, -2, 0, 2, 0, -2, 2 };
    float got[7];

    (void)state;
    for (int largest = 0; largest < 2; largest++) /* there is no l2 norm */
        TRY_EACH_ROW(im, &codec_qsgd)
        {
            struct codec_try t = try_begin(&codec_qsgd, im, params(1, largest, 1), 7);

            try_compress(&t, values);
            assert_int_equal(t.nbytes, 2 + 4);
            try_store(&t, got);
            try_same(im->impl.name, "values", got, back, sizeof(got));
            try_end(&t);
        }
}

/* Bits of codes for so many levels. */
static void as_few_bits_as_can_be(void **state)
{
    static const struct {
        int levels, bits;
    } cases[] = { { 1, 2 }, { 2, 3 }, { 3, 3 }, { 4, 4 }, { 7, 4 }, { 8, 5 }, { 127, 8 }, { 128, 9 }, { 32767, 16 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct codec_params p = params(cases[i].levels, 0, 0);

        assert_int_equal(qsgd_bits(cases[i].levels), cases[i].bits);
        assert_int_equal(codec_qsgd.payload_bound(1000, &p), 125 * cases[i].bits + 4);
    }
}

/* Tensors so small or so large that a careless factor overflows. */
static void extremes(void **state)
{
    static const float most[] = { 0x1p-149f, 0x1p-127f, 1e-30f, FLT_MAX, 1 };
    float values[700], got[700];

    (void)state;
    TRY_EACH_ROW(im, &codec_qsgd)
    for (size_t m = 0; m < COUNT(most); m++) {
        struct codec_try t = try_begin(&codec_qsgd, im, params(1, 1, 2), 700);

        for (size_t i = 0; i < 700; i++)
            values[i] = i % 3 == 0 ? most[m] : i % 3 == 1 ? -most[m] : 0;
        try_compress(&t, values);
        try_store(&t, got);
        try_same(im->impl.name, "values of +-M are not sent as they are", got, values, sizeof(got));
        try_end(&t);
    }
}

/* The code of a value as the payload has it: kernels/drawn/drawn.h spelled out a second time. */
static int code_at(const uint8_t *payload, size_t n, int bits, size_t i)
{
    size_t block = i / 32, left = n - 32 * block, width = left < 32 ? (left + 7) / 8 : 4;
    int code = 0;

    for (int k = 0; k < bits; k++)
        code |= (payload[block * 4 * (size_t)bits + (size_t)k * width + i % 32 / 8] >> i % 8 & 1) << k;
    return code;
}

/* The words of the definition, position by position, in three steps. */
static void draws_as_stated(void **state)
{
    enum { N = 1011, S = 6 };
    float values[N];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = try_value(i);
    values[0] = 0.05f;
    TRY_EACH_ROW(im, &codec_qsgd)
    {
        struct codec_try t = try_begin(&codec_qsgd, im, params(S, 1, 0x123456789abc), N);

        for (uint64_t step = 0; step < 3; step++) {
            struct threefry_key key = threefry_key_of(0x56789abc, 0x1234, (uint32_t)step, 0);

            try_compress(&t, values);
            for (size_t i = 0; i < N; i++) {
                uint32_t x[4] = { (uint32_t)(i / 64 * 16 + i % 16), 0, 0, 0 };
                double u = S * fabs((double)values[i]) / (double)0.05f, share = u - floor(u);
                int level;

                threefry(x, &key, 13);
                assert_true(!i || fabs(x[i % 64 / 16] * 0x1p-32 - share) > 1e-6); /* else rounding would matter */
                level = i ? (int)floor(u) + (x[i % 64 / 16] * 0x1p-32 < share) : S;
                level = values[i] < 0 ? S - level : S + level;
                if (code_at(t.payload, N, 4, i) != level)
                    fail_msg("%s: code %zu of step %d is %d, want %d", im->impl.name, i, (int)step,
                             code_at(t.payload, N, 4, i), level);
            }
        }
        try_end(&t);
    }
}

/* The mean over steps is the value: of 16 places between two levels, each over 2^14 / 16 values and 256 steps, on the
 * fastest row, as all have the same bits. The bound is one that a good generator exceeds once in a million. */
static void unbiased(void **state)
{
    enum { MANY = 1 << 14, STEPS = 256, S = 4 };
    const struct codec_impl *fastest = codec_choose(&codec_qsgd, getenv("NARROWS_IMPL"), 0);
    struct codec_try t = try_begin(&codec_qsgd, fastest, params(S, 1, 7), MANY);
    float *values = malloc(4 * MANY), *got = malloc(4 * MANY);
    double sum[16] = { 0 };

    (void)state;
    assert_true(values && got);
    for (size_t i = 0; i < MANY; i++)
        values[i] = (float)(i % 2 ? -1.0 : 1.0) * (1 + (float)(i / 2 % 16) / 16);
    values[0] = S;
    for (int step = 0; step < STEPS; step++) {
        try_compress(&t, values);
        try_store(&t, got);
        assert_true(got[0] == S);
        for (size_t i = 1; i < MANY; i++)
            sum[i / 2 % 16] += fabs((double)got[i]) - fabs((double)values[i]);
    }
    for (size_t k = 0; k < 16; k++) {
        double draws = (double)MANY / 16 * STEPS, share = (double)k / 16;

        if (fabs(sum[k]) > 4.9 * sqrt(share * (1 - share) * draws) + 1e-6)
            fail_msg("share %.3f is off by %g", share, sum[k] / draws);
    }
    free(values);
    free(got);
    try_end(&t);
}

static void content(void **state)
{
    static const uint32_t bad[] = { 0x7f800000, 0x7fc00000, 0x80000000, 0xbf800000, 0xffffffff, 0x7f7fffff };
    enum { N = 75, PLANES = 3 * 10 };
    uint8_t payload[PLANES + 4] = { 0 };
    uint32_t one = 0x3f800000;

    (void)state;
    TRY_EACH_ROW(im, &codec_qsgd)
    {
        struct codec_try t = try_begin(&codec_qsgd, im, params(3, 0, 0), N);

        for (size_t i = 0; i < COUNT(bad); i++) {
            memcpy(payload + PLANES, &bad[i], 4);
            assert_int_equal(try_hostile(&t, payload, PLANES + 4, CODEC_STORE, NULL), CODEC_CONTENT);
        }
        memcpy(payload + PLANES, &one, 4);
        assert_int_equal(try_hostile(&t, payload, PLANES + 4, CODEC_ADD, NULL), CODEC_OK);
        for (size_t i = 0; i < 8 * 10; i++) { /* 7 is no code of 3 levels; behind the last value nothing is */
            size_t block = i / 32, width = block == 2 ? 2 : 4;

            for (size_t k = 0; k < 3; k++)
                payload[12 * block + k * width + i % 32 / 8] = (uint8_t)(1 << i % 8);
            assert_int_equal(try_hostile(&t, payload, PLANES + 4, CODEC_STORE, NULL), CODEC_CONTENT);
            payload[12 * block + i % 32 / 8] = 0; /* 6 is one */
            assert_int_equal(try_hostile(&t, payload, PLANES + 4, CODEC_STORE, NULL), i < N ? CODEC_OK : CODEC_CONTENT);
            memset(payload, 0, PLANES);
        }
        try_end(&t);
    }
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_qsgd, params(127, 0, 3), 131, 1, 0);
    try_all_hostile(&codec_qsgd, params(2, 1, 3), 45, 1, 0);
    try_all_hostile(&codec_qsgd, params(1, 0, 3), 1, 1, 0);
    try_all_hostile(&codec_qsgd, params(1, 0, 3), 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_of_the_l2_norm_by_hand),
        cmocka_unit_test(the_largest_magnitude_by_hand),
        cmocka_unit_test(as_few_bits_as_can_be),
        cmocka_unit_test(extremes),
        cmocka_unit_test(draws_as_stated),
        cmocka_unit_test(unbiased),
        cmocka_unit_test(content),
        cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_qsgd) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
