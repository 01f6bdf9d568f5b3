/* The codec "8bit": its levels by hand, its error bound, and what it refuses. */
#include <float.h>
#include <math.h>

#include "kernels/int8/int8.h"
#include "kernels/int8/int8_lane.h"
#include "tests/kernels/plain/codec_try.h"

static float step_of(const struct codec_try *t)
{
    float step;

    memcpy(&step, t->payload + t->n, sizeof(step));
    return step;
}

/* M = 127: the step is 1, so that a level is the value rounded to a whole number, halves to even. */
static void levels_by_hand(void **state)
{
    static const struct {
        float value;
        int8_t level;
    } cases[] = { { 127, 127 },  { -127, -127 }, { 0.5f, 0 },  { 1.5f, 2 },       { 2.5f, 2 },        { -0.5f, 0 },
                  { -1.5f, -2 }, { 0.0f, 0 },    { -0.0f, 0 }, { 126.4f, 126 },   { 126.5f, 126 },    { -3.51f, -4 },
                  { NAN, 0 },    { 1e-30f, 0 },  { 63, 63 },   { INFINITY, 127 }, { -INFINITY, -127 } };
    enum { NCASES = sizeof(cases) / sizeof(*cases) };
    float values[300];

    (void)state;
    TRY_EACH_ROW(im, &codec_int8)
    for (size_t n = 1; n <= 300; n++)
        for (size_t ncases = NCASES - 2; ncases <= NCASES; ncases += 2) { /* with and without the infinities */
            struct codec_try t = try_begin(&codec_int8, im, codec_presets(&codec_int8), n);

            for (size_t i = 0; i < n; i++)
                values[i] = cases[i % ncases].value;
            try_compress(&t, values);
            assert_int_equal(t.nbytes, n + 4);
            assert_true(step_of(&t) == 1.0f);
            for (size_t i = 0; i < n; i++)
                if ((int8_t)t.payload[i] != cases[i % ncases].level)
                    fail_msg("%s: %g of %zu is sent as %d, want %d", im->impl.name, values[i], n, (int8_t)t.payload[i],
                             cases[i % ncases].level);
            try_end(&t);
        }
}

/* Half a step away at most, from the least M to the largest. */
static void error_bound(void **state)
{
    enum { N = 1000 };
    static const float most[] = { 1e-3f, 1, 3e38f, 1e-30f, 1e-33f, 1e-36f };
    float values[N], got[N];

    (void)state;
    TRY_EACH_ROW(im, &codec_int8)
    for (size_t m = 0; m < sizeof(most) / sizeof(*most); m++) {
        struct codec_try t = try_begin(&codec_int8, im, codec_presets(&codec_int8), N);
        float step;

        for (size_t i = 0; i < N; i++)
            values[i] = most[m] * ((float)(int32_t)try_hash((uint32_t)i) * 0x1p-31f);
        values[N / 2] = most[m];
        try_compress(&t, values);
        try_store(&t, got);
        step = step_of(&t);
        for (size_t i = 0; i < N; i++)
            if (!(fabs((double)values[i] - got[i]) <= 0.5001 * (double)step))
                fail_msg("%s: %g comes back as %g, the step is %g", im->impl.name, values[i], got[i], step);
        try_end(&t);
    }
}

/* The ends of the range, and tensors of nothing. */
static void extremes(void **state)
{
    static const struct {
        float a, b;
        int8_t qa, qb;
        uint32_t step;
    } cases[] = {
        { 0, -0.0f, 0, 0, 0 },
        { NAN, NAN, 0, 0, 0 },
        { INFINITY, 0, 0, 0, 0 },                     /* M is 0: nothing has a size */
        { FLT_MAX, -FLT_MAX, 127, -127, 0x7c010203 }, /* the quotient is 0x7c010204; 127 of it overflow */
        { 0x1p-149f, 0, 127, 0, 0 },                  /* a step below the least number */
        { 0x1p-140f, -0x1p-141f, 127, -64, 4 },       /* 2^9 / 127 = 4.03 units */
    };
    float got[2];

    (void)state;
    TRY_EACH_ROW(im, &codec_int8)
    for (size_t c = 0; c < sizeof(cases) / sizeof(*cases); c++) {
        struct codec_try t = try_begin(&codec_int8, im, codec_presets(&codec_int8), 2);
        const float values[2] = { cases[c].a, cases[c].b };

        try_compress(&t, values);
        if ((int8_t)t.payload[0] != cases[c].qa || (int8_t)t.payload[1] != cases[c].qb ||
            try_bits(step_of(&t)) != cases[c].step)
            fail_msg("%s: case %zu: %d %d, step %#x", im->impl.name, c, (int8_t)t.payload[0], (int8_t)t.payload[1],
                     try_bits(step_of(&t)));
        try_store(&t, got);
        assert_true(isfinite(got[0]) && isfinite(got[1]));
        try_end(&t);
    }
}

static void put_step(uint8_t *payload, size_t n, uint32_t step)
{
    memcpy(payload + n, &step, sizeof(step));
}

static void content(void **state)
{
    static const uint32_t bad[] = {
        0x7f800000, 0x7fc00000, 0xff800000, 0x80000000, 0xbf800000, 0x7c010204, 0x7f7fffff
    };
    enum { N = 700 };
    uint8_t payload[N + 4] = { 0 };

    (void)state;
    TRY_EACH_ROW(im, &codec_int8)
    {
        struct codec_try t = try_begin(&codec_int8, im, codec_presets(&codec_int8), N);

        for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
            put_step(payload, N, bad[i]);
            assert_int_equal(try_hostile(&t, payload, sizeof(payload), CODEC_STORE, NULL), CODEC_CONTENT);
        }
        put_step(payload, N, 0x3f800000);
        for (size_t i = 0; i < N; i++) {
            payload[i] = 0x80;
            assert_int_equal(try_hostile(&t, payload, sizeof(payload), CODEC_ADD, NULL), CODEC_CONTENT);
            payload[i] = 0x81;
            assert_int_equal(try_hostile(&t, payload, sizeof(payload), CODEC_ADD, NULL), CODEC_OK);
            payload[i] = 0;
        }
        try_end(&t);
    }
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_int8, codec_presets(&codec_int8), 131, 1, 0);
    try_all_hostile(&codec_int8, codec_presets(&codec_int8), 0, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels_by_hand), cmocka_unit_test(error_bound), cmocka_unit_test(extremes),
        cmocka_unit_test(content),        cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_int8) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
