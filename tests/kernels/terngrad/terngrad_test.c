/* The codec "terngrad": what is cut where, payloads by hand, the mean of many draws, and what is refused. */
#include <math.h>

#include "kernels/qsgd/qsgd.h"
#include "kernels/terngrad/terngrad.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"

static struct codec_params params(double clip, double seed)
{
    return (struct codec_params){ { clip, seed } };
}

/* Where M is the magnitude of every value that is not 0, no draw changes anything. */
static const struct {
    double clip;
    float values[4], back[4];
} cases[] = {
    { 0, { 3, -3, 0, 3 }, { 3, -3, 0, 3 } },
    { 0, { NAN, -INFINITY, 0, 3 }, { 0, -3, 0, 3 } },
    { 0, { 0, -0.0f, 0, 0 }, { 0, 0, 0, 0 } },
    { 0.5, { 0, 0, 8, 0 }, { 0, 0, 2, 0 } }, /* sigma is 8 / sqrt(4) */
    { 2, { 0, 0, 8, 0 }, { 0, 0, 4 * 2, 0 } },
    { 2, { 0, 8, 8, 8 }, { 0, 8, 8, 8 } },                                      /* cut to 13.9 */
    { 0.5, { INFINITY, 8, 0, 0 }, { 8, 8, 0, 0 } },                             /* sigma is infinite */
    { 0.5, { NAN, 8, 0, 0 }, { 0, 8, 0, 0 } },                                  /* or no number */
    { 0.25, { 0x1p-149f, -0x1p-149f, 0, 0 }, { 0x1p-149f, -0x1p-149f, 0, 0 } }, /* the cut would be 0 */
    { 1, { 0x1p127f, -0x1p127f, 0x1p127f, 0x1p127f }, { 0x1p127f, -0x1p127f, 0x1p127f, 0x1p127f } },
};

static void by_hand(void **state)
{
    float got[4];

    (void)state;
    TRY_EACH_ROW(im, &codec_terngrad)
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct codec_try t = try_begin(&codec_terngrad, im, params(cases[i].clip, 1), 4);

        try_compress(&t, cases[i].values);
        assert_int_equal(t.nbytes, 2 + 4);
        try_store(&t, got);
        for (size_t j = 0; j < 4; j++)
            if (got[j] != cases[i].back[j])
                fail_msg("%s: value %zu of case %zu is %g, want %g", im->impl.name, j, i, (double)got[j],
                         (double)cases[i].back[j]);
        assert_int_equal(t.state[0], 1);
        try_end(&t);
    }
}

/* 1, 0, -1, ... of ten values: codes 2, 1, 0, each plane of eight and of two values a block of ten. */
static void payload_by_hand(void **state)
{
    static const float values[10] = { 1, 0, -1, 1, 0, -1, 1, 0, -1, 1 };
    static const uint8_t want[8] = { 0x92, 0x00, 0x49, 0x02, 0, 0, 0x80, 0x3f };

    (void)state;
    TRY_EACH_ROW(im, &codec_terngrad)
    {
        struct codec_try t = try_begin(&codec_terngrad, im, params(0, 1), 10);

        try_compress(&t, values);
        assert_int_equal(t.nbytes, sizeof(want));
        try_same(im->impl.name, "payload", t.payload, want, sizeof(want));
        try_end(&t);
    }
}

/* Without clipping it is "qsgd" of one level and the largest magnitude, to the bit; with a clip it is not. */
static void one_level_of_qsgd(void **state)
{
    enum { N = 1337 };
    float values[N];

    (void)state;
    for (size_t i = 0; i < N; i++)
        values[i] = try_value(i);
    values[7] = 100 * values[7] + 1;
    TRY_EACH_ROW(im, &codec_terngrad)
    for (int clip = 0; clip < 2; clip++) {
        const struct codec_impl *other = codec_choose(&codec_qsgd, "scalar", 0);
        struct codec_try t = try_begin(&codec_terngrad, im, params(clip ? 2.5 : 0, 5), N);
        struct codec_try q = try_begin(&codec_qsgd, other, (struct codec_params){ { 1, 1, 5 } }, N);

        for (int step = 0; step < 3; step++) {
            try_compress(&t, values);
            try_compress(&q, values);
            assert_int_equal(t.nbytes, q.nbytes);
            assert_int_equal(!memcmp(t.payload, q.payload, q.nbytes), !clip);
        }
        try_end(&t);
        try_end(&q);
    }
}

/* Over many steps the mean is the value, or what it is cut to: 1, 2, 3 and one of 100 in 400 values, sigma 5.4 and a
 * cut of 10.9. The bound is one that a good generator exceeds once in a million. */
static void unbiased(void **state)
{
    enum { N = 400, STEPS = 20000 };
    const struct codec_impl *fastest = codec_choose(&codec_terngrad, getenv("NARROWS_IMPL"), 0);
    struct codec_try t = try_begin(&codec_terngrad, fastest, params(2, 11), N);
    float values[N], got[N];
    double sum[4] = { 0 }, squares = 0, cut;

    (void)state;
    for (size_t i = 0; i < N; i++) {
        values[i] = (float)(i ? i % 3 + 1 : 100);
        squares += (double)values[i] * (double)values[i];
    }
    cut = 2 * sqrt(squares / N);
    assert_true(cut < 12);
    for (int step = 0; step < STEPS; step++) {
        try_compress(&t, values);
        try_store(&t, got);
        for (size_t i = 0; i < N; i++)
            sum[i ? i % 3 + 1 : 0] += (double)got[i];
    }
    assert_true(fabs(sum[0] / STEPS - cut) < 1e-3);
    for (int k = 1; k < 4; k++) {
        double draws = STEPS * 133.0, share = k / cut;

        if (fabs(sum[k] - k * draws) > 4.9 * cut * sqrt(share * (1 - share) * draws))
            fail_msg("%d is sent as %g on average", k, sum[k] / draws);
    }
    try_end(&t);
}

static void hostile(void **state)
{
    static const uint32_t bad[] = { 0x7f800000, 0x7fc00000, 0x80000000, 0xbf800000, 0xffffffff };
    uint8_t payload[2 + 4] = { 0 };

    (void)state;
    try_all_hostile(&codec_terngrad, params(2.5, 3), 131, 1, 0);
    try_all_hostile(&codec_terngrad, params(0, 3), 1, 1, 0);
    try_all_hostile(&codec_terngrad, params(1, 3), 0, 1, 0);
    TRY_EACH_ROW(im, &codec_terngrad)
    {
        struct codec_try t = try_begin(&codec_terngrad, im, params(0, 0), 5);

        for (size_t i = 0; i < COUNT(bad); i++) {
            memcpy(payload + 2, &bad[i], 4);
            assert_int_equal(try_hostile(&t, payload, 6, CODEC_STORE, NULL), CODEC_CONTENT);
        }
        memset(payload, 0, 6);
        assert_int_equal(try_hostile(&t, payload, 6, CODEC_ADD, NULL), CODEC_OK);
        payload[0] = payload[1] = 1; /* 3 is no code */
        assert_int_equal(try_hostile(&t, payload, 6, CODEC_ADD, NULL), CODEC_CONTENT);
        try_end(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),  cmocka_unit_test(payload_by_hand), cmocka_unit_test(one_level_of_qsgd),
        cmocka_unit_test(unbiased), cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_terngrad) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
