/* The codec "stoch3": bytes by hand, the words that are drawn, and what is refused. */
#include <float.h>
#include <math.h>

#include "kernels/stochastic3/stochastic3.h"
#include "kernels/stochastic3/stochastic3_lane.h"
#include "tests/kernels/plain/codec_try.h"

static struct codec_params seed(double value)
{
    return (struct codec_params){ { value } };
}

/* Values of +-M are sent as they are (but for 2^-21 of the draws) and zeros always are: a worked example of quartic
 * encoding. Seven values: P = 2, and three digits of padding, which are 0 and not 1. */
static void quartic_by_hand(void **state)
{
    static const float values[7] = { 2, -2, 0, 2, NAN, -2, INFINITY };
    /* p0 = + -, p1 = 0 +, p2 = NaN -, p3 = inf pad, p4 = pad pad */
    static const uint8_t want[2] = { 2 * 81 + 1 * 27 + 1 * 9 + 2 * 3 + 0, 0 * 81 + 2 * 27 + 0 * 9 + 0 * 3 + 0 };
    static const float back[7] = { 2, -2, 0, 2, 0, -2, 2 };
    float got[7];

    (void)state;
    TRY_EACH_ROW(im, &codec_stochastic3)
    {
        struct codec_try t = try_begin(&codec_stochastic3, im, seed(1), 7);

        try_compress(&t, values);
        assert_int_equal(t.nbytes, 6);
        try_same(im->impl.name, "bytes", t.payload, want, 2);
        try_store(&t, got);
        for (size_t i = 0; i < 7; i++)
            assert_int_equal(try_bits(got[i]), try_bits(back[i]));
        assert_int_equal(t.state[0], 1);
        try_end(&t);
    }
}

/* Tensors so small or so large that a careless factor overflows; a mean of +-M and 0 only. */
static void extremes(void **state)
{
    static const float most[] = { 0x1p-149f, 0x1p-127f, 1e-30f, FLT_MAX, 1 };
    float values[700], got[700];

    (void)state;
    TRY_EACH_ROW(im, &codec_stochastic3)
    for (size_t m = 0; m < sizeof(most) / sizeof(*most); m++) {
        struct codec_try t = try_begin(&codec_stochastic3, im, seed(2), 700);

        for (size_t i = 0; i < 700; i++)
            values[i] = i % 3 == 0 ? most[m] : i % 3 == 1 ? -most[m] : 0;
        try_compress(&t, values);
        try_store(&t, got);
        try_same(im->impl.name, "values of +-M are not sent as they are", got, values, sizeof(got));
        try_end(&t);
    }
}

/* The words of the definition, position by position: the mapping of stochastic3_lane.h spelled out a second time. */
static void draws_as_stated(void **state)
{
    enum { N = 5 * 300 - 2, P = 300 };
    float values[N];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = try_value(i);
    values[0] = 0.05f;
    TRY_EACH_ROW(im, &codec_stochastic3)
    {
        struct codec_try t = try_begin(&codec_stochastic3, im, seed(0x123456789abc), N);

        for (uint64_t step = 0; step < 3; step++) {
            struct threefry_key key = threefry_key_of(0x56789abc, 0x1234, (uint32_t)step, 0);

            try_compress(&t, values);
            for (size_t j = 0; j < P; j++) {
                int want = 0;

                for (size_t k = 0; k < 5; k++) {
                    uint32_t x[4] = { (uint32_t)(j / 128 * 16 + j % 16), 0, (uint32_t)k, 0 }, r;
                    double share;

                    want *= 3;
                    if (k * P + j >= N)
                        continue;
                    threefry(x, &key, 13);
                    r = x[j % 128 / 32];
                    r = j / 16 % 2 ? r << 16 | r >> 16 : r;
                    share = fabs((double)values[k * P + j]) / (double)0.05f;
                    assert_true(fabs(r * 0x1p-32 - share) > 1e-6); /* else the rounding of fp32 would matter */
                    want += r * 0x1p-32 >= share ? 1 : values[k * P + j] < 0 ? 0 : 2;
                }
                if (t.payload[j] != want)
                    fail_msg("%s: byte %zu of step %d is %d, want %d", im->impl.name, j, (int)step, t.payload[j], want);
            }
        }
        try_end(&t);
    }
}

static void content(void **state)
{
    static const uint32_t bad[] = { 0x7f800000, 0x7fc00000, 0x80000000, 0xbf800000, 0xffffffff };
    enum { N = 5 * 200 - 3, P = 200 };
    uint8_t payload[P + 4];
    uint32_t one = 0x3f800000;

    (void)state;
    memset(payload, 121, P);
    payload[P - 1] = payload[P - 2] = payload[P - 3] = 120; /* the padding of p4 */
    TRY_EACH_ROW(im, &codec_stochastic3)
    {
        struct codec_try t = try_begin(&codec_stochastic3, im, seed(0), N);

        for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
            memcpy(payload + P, &bad[i], 4);
            assert_int_equal(try_hostile(&t, payload, P + 4, CODEC_STORE, NULL), CODEC_CONTENT);
        }
        memcpy(payload + P, &one, 4);
        assert_int_equal(try_hostile(&t, payload, P + 4, CODEC_ADD, NULL), CODEC_OK);
        for (size_t i = 0; i < P; i++) {
            uint8_t keep = payload[i];

            payload[i] = 243;
            assert_int_equal(try_hostile(&t, payload, P + 4, CODEC_ADD, NULL), CODEC_CONTENT);
            payload[i] = i < P - 3 ? 242 : 121; /* which is padding of 1 */
            assert_int_equal(try_hostile(&t, payload, P + 4, CODEC_STORE, NULL), i < P - 3 ? CODEC_OK : CODEC_CONTENT);
            payload[i] = keep;
        }
        try_end(&t);
    }
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_stochastic3, seed(3), 5 * 70 - 4, 1, 0);
    try_all_hostile(&codec_stochastic3, seed(3), 1, 1, 0);
    try_all_hostile(&codec_stochastic3, seed(3), 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quartic_by_hand), cmocka_unit_test(extremes), cmocka_unit_test(draws_as_stated),
        cmocka_unit_test(content),         cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_stochastic3) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
