/* The codecs "fp32" and "adt", and the one definition of adding that all codecs share. */
#include <math.h>
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/codec/adt.h"
#include "kernels/plain/plain.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"

/* Sums whose bits processors do not agree on, and some that they do. */
static const struct {
    uint32_t a, b, sum;
} sums[] = {
    { 0x3f800000, 0x40000000, 0x40400000 }, /* 1 + 2 */
    { 0x80000000, 0x00000000, 0x00000000 }, /* -0 + 0 */
    { 0x80000000, 0x80000000, 0x80000000 }, /* -0 - 0 */
    { 0x7f800000, 0xff800000, 0x7fc00000 }, /* infinity - infinity */
    { 0xffc12345, 0x3f800000, 0x7fc00000 }, /* NaN + 1 */
    { 0x3f800000, 0x7f800001, 0x7fc00000 }, /* 1 + a signalling NaN */
    { 0x7fd00000, 0xffe00000, 0x7fc00000 }, /* two NaN */
    { 0x7f7fffff, 0x7f7fffff, 0x7f800000 }, /* too large */
    { 0x00000001, 0x00000001, 0x00000002 }, /* denormals are numbers */
    { 0x3f800000, 0x33800000, 0x3f800000 }, /* a tie goes to the even one */
    { 0x3f800001, 0x33800000, 0x3f800002 },
};
enum { NSUMS = sizeof(sums) / sizeof(*sums) };

static void sums_by_hand(void **state)
{
    float from[200], want[200], got[200];

    (void)state;
    TRY_EACH_ROW(im, &codec_plain)
    for (size_t n = 0; n <= 200; n++) {
        struct codec_try t = try_begin(&codec_plain, im, codec_presets(&codec_plain), n);

        for (size_t i = 0; i < n; i++) {
            got[i] = try_float(sums[(n + i) % NSUMS].a);
            from[i] = try_float(sums[(n + i) % NSUMS].b);
            want[i] = try_float(sums[(n + i) % NSUMS].sum);
        }
        try_compress(&t, from);
        assert_int_equal(t.nbytes, 4 * n);
        try_same(im->impl.name, "the payload is not the values", t.payload, from, 4 * n);
        assert_int_equal(try_decompress(&t, got, CODEC_ADD, t.payload, t.nbytes), CODEC_OK);
        try_same(im->impl.name, "not the sum", got, want, 4 * n);
        try_end(&t);
    }
}

/* The sizes at which stores begin to bypass the caches and walks to interleave, at every place relative to a line. */
static void large(void **state)
{
    enum { MOST = 300000 };
    float *from = try_guarded(4 * MOST), *to = try_guarded(4 * MOST);

    (void)state;
    for (size_t i = 0; i < MOST; i++)
        from[i] = try_value(i);
    TRY_EACH_ROW(im, &codec_plain)
    for (size_t shift = 0; shift < 20; shift += 3)
        for (int threads = 1; threads <= (im->impl.parallel ? 3 : 1); threads++) {
            size_t n = MOST - 64 * shift - 5;
            struct codec_try t = try_begin(&codec_plain, im, codec_presets(&codec_plain), n);
            float *values = to + shift;

#ifdef NW_OPENMP
            omp_set_num_threads(threads);
#endif
            try_compress(&t, from + shift);
            memset(values, 0x11, 4 * n);
            try_store(&t, values);
            try_same(im->impl.name, "stored", values, from + shift, 4 * n);
            assert_int_equal(try_decompress(&t, values, CODEC_ADD, t.payload, t.nbytes), CODEC_OK);
            for (size_t i = 0; i < n; i++)
                if (values[i] != 2 * from[shift + i])
                    fail_msg("%s: added, value %zu of %zu", im->impl.name, i, n);
            try_end(&t);
        }
    try_release(from, 4 * MOST);
    try_release(to, 4 * MOST);
}

/* 0x11223344 in one to four of its leading bytes, and what comes back. */
static void leading_bytes(void **state)
{
    static const uint8_t packed[4][4] = { { 0x11 }, { 0x22, 0x11 }, { 0x33, 0x22, 0x11 }, { 0x44, 0x33, 0x22, 0x11 } };
    static const uint32_t back[4] = { 0x11000000, 0x11220000, 0x11223300, 0x11223344 };
    float values[70], got[70], one = try_float(0x11223344);

    (void)state;
    for (size_t i = 0; i < 70; i++)
        values[i] = one;
    TRY_EACH_ROW(im, &codec_adt)
    for (int keep = 1; keep <= 4; keep++) {
        struct codec_params p = { { keep } };
        struct codec_try t = try_begin(&codec_adt, im, p, 70);

        try_compress(&t, values);
        assert_int_equal(t.nbytes, 70 * keep);
        try_store(&t, got);
        for (size_t i = 0; i < 70; i++) {
            try_same(im->impl.name, "packed", t.payload + i * (size_t)keep, packed[keep - 1], (size_t)keep);
            assert_int_equal(try_bits(got[i]), back[keep - 1]);
        }
        assert_int_equal(try_decompress(&t, got, CODEC_ADD, t.payload, t.nbytes), CODEC_OK);
        for (size_t i = 0; i < 70; i++)
            assert_true(got[i] == 2 * try_float(back[keep - 1]));
        try_end(&t);
    }
}

static void hostile(void **state)
{
    (void)state;
    try_all_hostile(&codec_plain, codec_presets(&codec_plain), 37, 1, 0);
    for (int keep = 1; keep <= 4; keep++)
        try_all_hostile(&codec_adt, (struct codec_params){ { keep } }, 41, 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_by_hand),
        cmocka_unit_test(large),
        cmocka_unit_test(leading_bytes),
        cmocka_unit_test(hostile),
    };

    return try_any_row(&codec_plain) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
