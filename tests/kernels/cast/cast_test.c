/* fp32 to bf16 and fp16 and back: by hand, over lengths and places, and the codecs over them. */
#include <math.h>
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/cast/bf16_lane.h"
#include "kernels/cast/cast.h"
#include "kernels/cast/fp16_lane.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/kernels/plain/codec_try.h"

static const struct {
    const char *why;
    uint32_t in;
    uint16_t bf16, fp16;
} cases[] = {
    { "one is exact", 0x3f800000, 0x3f80, 0x3c00 },
    { "-0", 0x80000000, 0x8000, 0x8000 },
    { "bf16: a tie goes down to even", 0x3f808000, 0x3f80, 0x3c04 },
    { "bf16: a tie goes up to even", 0x3f818000, 0x3f82, 0x3c0c },
    { "bf16: just over the tie", 0x3f808001, 0x3f81, 0x3c04 },
    { "bf16: just below the tie", 0x3f817fff, 0x3f81, 0x3c0c },
    { "fp16: a tie goes down to even", 0x3f801000, 0x3f80, 0x3c00 },
    { "fp16: a tie goes up to even", 0x3f803000, 0x3f80, 0x3c02 },
    { "fp16: just over the tie", 0x3f801001, 0x3f80, 0x3c01 },
    { "fp16: the largest", 0x477fe000, 0x4780, 0x7bff },
    { "fp16: just below 65520", 0x477fefff, 0x4780, 0x7bff },
    { "fp16: 65520 overflows", 0x477ff000, 0x4780, 0x7c00 },
    { "fp16: the least normal", 0x38800000, 0x3880, 0x0400 },
    { "fp16: below the least normal it rounds up to it", 0x387fffff, 0x3880, 0x0400 },
    { "fp16: the largest denormal", 0x387fc000, 0x3880, 0x03ff },
    { "fp16: the least denormal", 0x33800000, 0x3380, 0x0001 },
    { "fp16: half of it is a tie with zero", 0x33000000, 0x3300, 0x0000 },
    { "fp16: just over half of it", 0x33000001, 0x3300, 0x0001 },
    { "fp16: one and a half of it is a tie, to even", 0x33c00000, 0x33c0, 0x0002 },
    { "fp16: two and a half of it is a tie, to even", 0x34200000, 0x3420, 0x0002 },
    { "bf16: the largest fp32 overflows", 0x7f7fffff, 0x7f80, 0x7c00 },
    { "bf16: just below the overflow", 0x7f7f7fff, 0x7f7f, 0x7c00 },
    { "an infinity", 0xff800000, 0xff80, 0xfc00 },
    { "a denormal is a number", 0x00018000, 0x0002, 0x0000 },
    { "a signalling NaN is quieted", 0x7f800001, 0x7fc0, 0x7e00 },
    { "a NaN keeps sign and upper payload", 0xffa24689, 0xffe2, 0xff12 },
    { "the last NaN does not wrap around", 0x7fffffff, 0x7fff, 0x7fff },
};
enum { NCASES = sizeof(cases) / sizeof(*cases), MOST = 700000 };
_Static_assert(NCASES % 2, "an even number of rows would make swapped lanes look alike");

#define EACH_CAST(im)                                                  \
    for (const struct cast_impl *im = cast_impls; im->impl.name; im++) \
        if (impl_is_wanted(&im->impl, IMPL_HOST))

/* What comes back from 16 bits, with care for NaN: bf16 leaves them, fp16 quiets them. */
static const struct {
    uint16_t in;
    uint32_t bf16, fp16;
} back[] = {
    { 0x0000, 0x00000000, 0x00000000 }, { 0x8000, 0x80000000, 0x80000000 }, { 0x3c00, 0x3c000000, 0x3f800000 },
    { 0x0001, 0x00010000, 0x33800000 }, { 0x03ff, 0x03ff0000, 0x387fc000 }, { 0x0400, 0x04000000, 0x38800000 },
    { 0x7bff, 0x7bff0000, 0x477fe000 }, { 0x7c00, 0x7c000000, 0x7f800000 }, { 0xfc00, 0xfc000000, 0xff800000 },
    { 0x7c01, 0x7c010000, 0x7fc02000 }, { 0xfe03, 0xfe030000, 0xffc06000 }, { 0x7f81, 0x7f810000, 0x7ff02000 },
    { 0xffff, 0xffff0000, 0xffffe000 },
};
enum { NBACK = sizeof(back) / sizeof(*back) };

static void by_hand(void **state)
{
    float in[300], out[300], rounded[300];
    uint16_t half[301], halves[300];

    (void)state;
    EACH_CAST(im)
    for (size_t n = 0; n <= 300; n++) {
        for (size_t i = 0; i < n; i++) {
            in[i] = try_float(cases[(n + i) % NCASES].in);
            halves[i] = back[(n + i) % NBACK].in;
        }
        half[n] = 0xbeef;
        im->bf16_narrow(&im->impl, half, in, n);
        im->bf16_round(&im->impl, rounded, in, n);
        for (size_t i = 0; i < n; i++)
            if (half[i] != cases[(n + i) % NCASES].bf16 || try_bits(rounded[i]) != (uint32_t)half[i] << 16)
                fail_msg("%s: bf16, %s: %#x, rounded %#x", im->impl.name, cases[(n + i) % NCASES].why, half[i],
                         try_bits(rounded[i]));
        im->fp16_narrow(&im->impl, half, in, n);
        for (size_t i = 0; i < n; i++)
            if (half[i] != cases[(n + i) % NCASES].fp16)
                fail_msg("%s: fp16, %s: %#x", im->impl.name, cases[(n + i) % NCASES].why, half[i]);
        assert_int_equal(half[n], 0xbeef);
        im->bf16_widen(&im->impl, out, halves, n);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(try_bits(out[i]), back[(n + i) % NBACK].bf16);
        im->fp16_widen(&im->impl, out, halves, n);
        for (size_t i = 0; i < n; i++)
            if (try_bits(out[i]) != back[(n + i) % NBACK].fp16)
                fail_msg("%s: fp16 %#x is widened to %#x", im->impl.name, halves[i], try_bits(out[i]));
    }
}

/* All 65536, and there and back again. */
static void every_half(void **state)
{
    uint16_t *all = try_guarded(2 * 65536), *again = try_guarded(2 * 65536);
    float *wide = try_guarded(4 * 65536);

    (void)state;
    for (size_t i = 0; i < 65536; i++)
        all[i] = (uint16_t)i;
    EACH_CAST(im)
    {
        im->bf16_widen(&im->impl, wide, all, 65536);
        im->bf16_narrow(&im->impl, again, wide, 65536);
        for (size_t i = 0; i < 65536; i++) {
            assert_int_equal(try_bits(wide[i]), (uint32_t)i << 16);
            assert_int_equal(again[i], isnan(wide[i]) ? (uint16_t)(i | 0x40) : i);
        }
        im->fp16_widen(&im->impl, wide, all, 65536);
        im->fp16_narrow(&im->impl, again, wide, 65536);
        for (size_t i = 0; i < 65536; i++) {
            int exponent = (int)(i >> 10 & 31);
            double value = exponent ? ldexp(1024 + (double)(i & 1023), exponent - 25) : ldexp((double)(i & 1023), -24);

            if (exponent < 31)
                assert_true((double)wide[i] == (i >> 15 ? -value : value));
            assert_int_equal(try_bits(wide[i]), fp16_to_f32_bits((uint16_t)i));
            assert_int_equal(again[i], isnan(wide[i]) ? (uint16_t)(i | 0x200) : i);
        }
    }
    try_release(all, 2 * 65536);
    try_release(again, 2 * 65536);
    try_release(wide, 4 * 65536);
}

/* Long enough to be streamed, from and to every place in a line, on several threads; rounding also in place. */
static void large(void **state)
{
    float *in = try_guarded(4 * (MOST + 32)), *out = try_guarded(4 * (MOST + 32));
    uint16_t *half = try_guarded(2 * (MOST + 64));

    (void)state;
    for (size_t i = 0; i < MOST + 32; i++)
        in[i] = try_float(try_hash((uint32_t)i));
    EACH_CAST(im)
    for (size_t shift = 0; shift < 32; shift += 5)
        for (int threads = 1; threads <= (im->impl.parallel ? 3 : 1); threads++) {
            const float *from = in + shift % 16;
            float *to = out + shift * 7 % 16;
            uint16_t *middle = half + shift;
            size_t n = MOST - 13 * shift;

#ifdef NW_OPENMP
            omp_set_num_threads(threads);
#endif
            im->bf16_narrow(&im->impl, middle, from, n);
            im->bf16_widen(&im->impl, to, middle, n);
            for (size_t i = 0; i < n; i++)
                if (middle[i] != bf16_from_f32_bits(try_bits(from[i])) || try_bits(to[i]) != (uint32_t)middle[i] << 16)
                    fail_msg("%s: bf16 of value %zu of %zu", im->impl.name, i, n);
            memcpy(to, from, 4 * n);
            im->bf16_round(&im->impl, to, to, n);
            for (size_t i = 0; i < n; i++)
                if (try_bits(to[i]) != (uint32_t)middle[i] << 16)
                    fail_msg("%s: rounding value %zu of %zu in place", im->impl.name, i, n);
            im->fp16_narrow(&im->impl, middle, from, n);
            im->fp16_widen(&im->impl, to, middle, n);
            for (size_t i = 0; i < n; i++)
                if (middle[i] != fp16_from_f32_bits(try_bits(from[i])) ||
                    try_bits(to[i]) != fp16_to_f32_bits(middle[i]))
                    fail_msg("%s: fp16 of value %zu of %zu", im->impl.name, i, n);
        }
    try_release(in, 4 * (MOST + 32));
    try_release(out, 4 * (MOST + 32));
    try_release(half, 2 * (MOST + 64));
}

static void codecs_and_what_they_refuse(void **state)
{
    const struct codec *const both[] = { &codec_bf16, &codec_fp16 };
    const float values[3] = { 1.0f, -0.5f, 3.0f };
    static const uint16_t sent[2][3] = { { 0x3f80, 0xbf00, 0x4040 }, { 0x3c00, 0xb800, 0x4200 } };
    float got[3] = { 10, 20, 30 };

    (void)state;
    for (int c = 0; c < 2; c++) {
        TRY_EACH_ROW(im, both[c])
        {
            struct codec_try t = try_begin(both[c], im, codec_presets(both[c]), 3);

            try_compress(&t, values);
            assert_int_equal(t.nbytes, 6);
            try_same(im->impl.name, "payload", t.payload, sent[c], 6);
            got[0] = got[1] = got[2] = 10;
            assert_int_equal(try_decompress(&t, got, CODEC_ADD, t.payload, t.nbytes), CODEC_OK);
            assert_true(got[0] == 11 && got[1] == 9.5f && got[2] == 13);
            try_end(&t);
        }
        try_all_hostile(both[c], codec_presets(both[c]), 67, 1, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),
        cmocka_unit_test(every_half),
        cmocka_unit_test(large),
        cmocka_unit_test(codecs_and_what_they_refuse),
    };

    return try_any_row(&codec_bf16) ? cmocka_run_group_tests(tests, NULL, NULL) : impl_none_wanted();
}
