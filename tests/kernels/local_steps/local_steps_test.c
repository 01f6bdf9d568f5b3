/* The codec "local": what is sent on which step. */
#include <math.h>

#include "kernels/local_steps/local_steps.h"
#include "tests/kernels/plain/codec_try.h"

enum { N = 77 };

/* For every k: nothing, nothing, ..., the sum in order; twice, so that a round leaves nothing to the next. */
static void rounds(void **state)
{
    float change[N], sum[N], got[N], before[N];

    (void)state;
    TRY_EACH_ROW(im, &codec_local_steps)
    for (int k = 1; k <= 5; k++) {
        struct codec_try t = try_begin(&codec_local_steps, im, (struct codec_params){ { k } }, N);

        for (int step = 0; step < 2 * k; step++) {
            for (size_t i = 0; i < N; i++) {
                change[i] = try_value(i + 1000 * (size_t)step);
                sum[i] = step % k ? sum[i] + change[i] : change[i];
                before[i] = got[i] = 1.5f;
            }
            try_compress(&t, change);
            assert_int_equal(t.nbytes, step % k == k - 1 ? 4 * N : 0);
            assert_int_equal(try_decompress(&t, got, CODEC_ADD, t.payload, t.nbytes), CODEC_OK);
            if (!t.nbytes)
                try_same(im->impl.name, "an empty payload changed the values", got, before, sizeof(got));
            for (size_t i = 0; t.nbytes && i < N; i++)
                assert_true(got[i] == 1.5f + sum[i]);
            try_store(&t, got);
            for (size_t i = 0; i < N; i++)
                assert_int_equal(try_bits(got[i]), t.nbytes ? try_bits(sum[i]) : 0);
        }
        try_end(&t);
    }
}

/* The first change as it is: -0 stays -0 and a NaN keeps its payload. A sum that is a NaN is the one NaN. */
static void special_values(void **state)
{
    const float first[3] = { -0.0f, try_float(0xffc12345), INFINITY }, second[3] = { -0.0f, 1, -INFINITY };
    static const uint32_t alone[3] = { 0x80000000, 0xffc12345, 0x7f800000 };
    static const uint32_t both[3] = { 0x80000000, 0x7fc00000, 0x7fc00000 };

    (void)state;
    TRY_EACH_ROW(im, &codec_local_steps)
    {
        struct codec_try once = try_begin(&codec_local_steps, im, (struct codec_params){ { 1 } }, 3);
        struct codec_try twice = try_begin(&codec_local_steps, im, (struct codec_params){ { 2 } }, 3);

        try_compress(&once, first);
        try_same(im->impl.name, "k = 1", once.payload, alone, sizeof(alone));
        try_compress(&twice, first);
        try_compress(&twice, second);
        try_same(im->impl.name, "k = 2", twice.payload, both, sizeof(both));
        try_end(&once);
        try_end(&twice);
    }
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_local_steps, (struct codec_params){ { 2 } }, 33, 2, 1);
    try_all_hostile(&codec_local_steps, (struct codec_params){ { 1 } }, 1, 1, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rounds),
        cmocka_unit_test(special_values),
        cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_local_steps) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
