/* The codec "1bit": bits, means and errors by hand, the order of the sums, and what is refused. */
#include <float.h>
#include <math.h>

#include "kernels/onebit/onebit.h"
#include "kernels/onebit/onebit_lane.h"
#include "tests/kernels/plain/codec_try.h"

static struct onebit_means means_of(const struct codec_try *t)
{
    struct onebit_means m;

    memcpy(&m, t->payload + onebit_bytes(t->n), sizeof(m));
    return m;
}

/* 1 3 -0 0 | -2 -4 NaN inf ..: a = (1 + 3 + 0 + 0 + 0 + 0) / 6, b = -3; then a second step on what is left. */
static void two_steps_by_hand(void **state)
{
    static const float values[9] = { 1, 3, -0.0f, 0, -2, -4, NAN, INFINITY, -3 };
    const float a = (float)(4.0 / 6), e[9] = { 1 - a, 3 - a, -a, -a, 1, -1, -a, -a, 0 };
    static const float second[9] = { 0, 0, 0, 0, 0, 0, 0, 0, -INFINITY };
    float got[9];

    (void)state;
    TRY_EACH_ROW(im, &codec_onebit)
    {
        struct codec_try t = try_begin(&codec_onebit, im, codec_presets(&codec_onebit), 9);
        struct onebit_means m;

        try_compress(&t, values);
        m = means_of(&t);
        assert_int_equal(t.nbytes, 2 + 8);
        assert_int_equal(t.payload[0], 0x30);
        assert_int_equal(t.payload[1], 0x01);
        assert_true(m.positive == a && m.negative == -3.0f);
        try_same(im->impl.name, "errors", t.state, e, sizeof(e));
        try_store(&t, got);
        for (size_t i = 0; i < 9; i++)
            assert_true(got[i] == (i == 4 || i == 5 || i == 8 ? -3.0f : a));

        try_compress(&t, second); /* x = e, and the last one is dropped */
        m = means_of(&t);
        assert_int_equal(t.payload[0], 0xec); /* -a -a -1 -a -a */
        assert_int_equal(t.payload[1], 0x00);
        assert_true(m.positive == (float)(((double)e[0] + e[1] + 1) / 4));
        assert_true(m.negative == (float)((-4 * (double)a - 1) / 5));
        assert_int_equal(try_bits(((float *)(void *)t.state)[8]), try_bits(-m.positive));
        try_end(&t);
    }
}

/* All of one sign: the other mean is 0. */
static void one_sign(void **state)
{
    float values[100], got[100];

    (void)state;
    TRY_EACH_ROW(im, &codec_onebit)
    for (int sign = -1; sign <= 1; sign++) {
        struct codec_try t = try_begin(&codec_onebit, im, codec_presets(&codec_onebit), 100);

        for (size_t i = 0; i < 100; i++)
            values[i] = (float)sign * 0.25f;
        try_compress(&t, values);
        assert_int_equal(try_bits(means_of(&t).positive), sign > 0 ? 0x3e800000 : 0);
        assert_int_equal(try_bits(means_of(&t).negative), sign < 0 ? 0xbe800000 : 0);
        for (size_t i = 0; i < 12; i++)
            assert_int_equal(t.payload[i], sign < 0 ? 0xff : 0);
        try_store(&t, got);
        for (size_t i = 0; i < 100; i++)
            assert_true(got[i] == values[i] && ((float *)(void *)t.state)[i] == 0);
        try_end(&t);
    }
}

static double fold(double lane[32])
{
    for (size_t half = 16; half; half /= 2)
        for (size_t j = 0; j < half; j++)
            lane[j] += lane[j + half];
    return lane[0];
}

/* The order of onebit.h, spelled out a second time. */
static struct onebit_means as_stated(const float *x, size_t n)
{
    double outer[2][32] = { { 0 } };
    size_t count[2] = { 0 };
    struct onebit_means m = { 0, 0 };

    for (size_t b = 0; b * 4096 < n; b++) {
        double lane[2][32] = { { 0 } };

        for (size_t i = b * 4096; i < n && i < (b + 1) * 4096; i++) {
            lane[x[i] < 0][i % 32] += (double)x[i];
            count[x[i] < 0]++;
        }
        for (size_t s = 0; s < 2; s++)
            outer[s][b % 32] += fold(lane[s]);
    }
    if (count[0])
        m.positive = (float)(fold(outer[0]) / (double)count[0]);
    if (count[1])
        m.negative = (float)(fold(outer[1]) / (double)count[1]);
    return m;
}

/* Magnitudes so far apart that another order would be seen. Then over ten steps what was sent and what is left add up
 * to what came in. */
static void order_and_feedback(void **state)
{
    static const size_t lengths[] = { 1, 31, 33, 4095, 4097, 33 * 4096 + 17, 70001 };
    enum { MOST = 33 * 4096 + 17 };
    float *values = malloc(4 * MOST), *got = malloc(4 * MOST);
    double *sum = malloc(8 * MOST);

    (void)state;
    assert_true(values && got && sum);
    for (size_t i = 0; i < MOST; i++)
        values[i] = ldexpf(try_value(i), (int)(try_hash((uint32_t)i) % 60) - 30);
    TRY_EACH_ROW(im, &codec_onebit)
    for (size_t l = 0; l < sizeof(lengths) / sizeof(*lengths); l++) {
        size_t n = lengths[l];
        struct codec_try t = try_begin(&codec_onebit, im, codec_presets(&codec_onebit), n);
        struct onebit_means want = as_stated(values, n), m;

        try_compress(&t, values);
        m = means_of(&t);
        try_same(im->impl.name, "means of the stated order", &m, &want, sizeof(m));
        memset(t.state, 0, 4 * n);
        memset(sum, 0, 8 * n);
        for (int step = 0; step < 10; step++) {
            for (size_t i = 0; i < n; i++)
                got[i] = try_value(i + 7 * (size_t)step);
            try_compress(&t, got);
            for (size_t i = 0; i < n; i++)
                sum[i] += (double)got[i];
            try_store(&t, got);
            for (size_t i = 0; i < n; i++)
                sum[i] -= (double)got[i];
        }
        for (size_t i = 0; i < n; i++)
            if (!(fabs(sum[i] - (double)((float *)(void *)t.state)[i]) < 1e-7))
                fail_msg("%s: value %zu of %zu lost %g", im->impl.name, i, n,
                         sum[i] - (double)((float *)(void *)t.state)[i]);
        try_end(&t);
    }
    free(values);
    free(got);
    free(sum);
}

static void content(void **state)
{
    static const struct {
        uint32_t a, b;
        int error;
    } cases[] = {
        { 0x3f800000, 0xbf800000, CODEC_OK },      { 0, 0, CODEC_OK },
        { 0x7f7fffff, 0xff7fffff, CODEC_OK },      { 0x80000000, 0xbf800000, CODEC_CONTENT },
        { 0xbf800000, 0xbf800000, CODEC_CONTENT }, { 0x7f800000, 0xbf800000, CODEC_CONTENT },
        { 0x7fc00000, 0xbf800000, CODEC_CONTENT }, { 0x3f800000, 0x80000000, CODEC_CONTENT },
        { 0x3f800000, 0x3f800000, CODEC_CONTENT }, { 0x3f800000, 0xff800000, CODEC_CONTENT },
        { 0x3f800000, 0xffc00000, CODEC_CONTENT }, { 0x3f800000, 0x7fc00000, CODEC_CONTENT },
    };

    (void)state;
    TRY_EACH_ROW(im, &codec_onebit)
    {
        struct codec_try t = try_begin(&codec_onebit, im, codec_presets(&codec_onebit), 13);
        uint8_t payload[10] = { 0xa5, 0x1f };

        for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
            memcpy(payload + 2, &cases[c], 8);
            assert_int_equal(try_hostile(&t, payload, 10, CODEC_STORE, NULL), cases[c].error);
        }
        memcpy(payload + 2, &cases[0], 8);
        for (int bit = 5; bit < 8; bit++) { /* behind the 13th */
            payload[1] = (uint8_t)(1 << bit);
            assert_int_equal(try_hostile(&t, payload, 10, CODEC_ADD, NULL), CODEC_CONTENT);
        }
        try_end(&t);
    }
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_onebit, codec_presets(&codec_onebit), 203, 1, 0);
    try_all_hostile(&codec_onebit, codec_presets(&codec_onebit), 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_steps_by_hand), cmocka_unit_test(one_sign), cmocka_unit_test(order_and_feedback),
        cmocka_unit_test(content),           cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_onebit) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
