/* The fused multiply-add against its definition, on every row of the host; and the single rounding that it is compared
 * with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/fma/host.h"
#include "kernels/gemm/fma_lane.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/test.h"

#ifdef NW_OPENMP
#include <omp.h>
#endif

enum { LONGEST = 300, MARGIN = 16, LARGE = FMA_STREAM_MIN + 8 * 64 * 64 + 77, SPACE = LARGE + 2 * MARGIN + 16 };

static const uint32_t special[] = { 0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x7f800000, 0xff800000, 0x7fc00000,
                                    0xffffffff, 0x7f800001, 0x7f7fffff, 0x00800000, 0x3f808000, 0x3f818000, 0x0000ffff,
                                    0x7f7f8000, 0xff7f7fff, 0x00018000, 0x7fff8000, 0xbf800000 };

static float *a, *b, *c, *d, *want[3];
static uint64_t seed = 1;

static uint32_t random_word(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(seed >> 32);
}

static float value(void)
{
    uint32_t r = random_word();

    return fma_float(r % 5 == 0   ? special[r / 5 % (sizeof(special) / sizeof(*special))]
                     : r % 5 == 1 ? r
                                  : (r & 0x83ffffff) | 0x3c000000);
}

static void check(const char *name, enum fma_mode mode, const float *got, const float *expected, size_t n,
                  const char *how)
{
    for (size_t i = 0; i < n; i++)
        if (fma_bits(got[i]) != fma_bits(expected[i]))
            fail_msg("%s %d, %zu values, %s: value %zu is %a, not %a", name, mode, n, how, i, got[i], expected[i]);
    for (size_t i = 1; i <= MARGIN; i++)
        if (fma_bits(got[-(ptrdiff_t)i]) != 0xa5a5a5a5 || fma_bits(got[n - 1 + i]) != 0xa5a5a5a5)
            fail_msg("%s %d, %zu values, %s: wrote outside", name, mode, n, how);
}

static void try_row(const struct fma_impl *im, enum fma_mode mode, size_t n, size_t shift, size_t first)
{
    float *to = d + MARGIN + shift;

    memset(d, 0xa5, (n + 2 * MARGIN + shift) * sizeof(*d));
    im->run(&im->impl, mode, to, a + first, b + first, c + first, n);
    check(im->impl.name, mode, to, want[mode] + first, n, "apart");
}

/* d is one of the operands. */
static void try_in_place(const struct fma_impl *im, enum fma_mode mode, size_t n)
{
    const float *operands[3] = { a, b, c };

    for (int which = 0; which < 3; which++) {
        const float *use[3] = { a, b, c };
        float *to = d + MARGIN;

        memset(d, 0xa5, (n + 2 * MARGIN) * sizeof(*d));
        memcpy(to, operands[which], n * sizeof(*to));
        use[which] = to;
        im->run(&im->impl, mode, to, use[0], use[1], use[2], n);
        check(im->impl.name, mode, to, want[mode], n, "in place");
    }
}

static void all_lengths(void **state)
{
    (void)state;
    for (const struct fma_impl *im = fma_impls; im->impl.name; im++)
        for (enum fma_mode mode = FMA_FP32; impl_is_wanted(&im->impl, IMPL_HOST) && mode <= FMA_BF16; mode++)
            for (size_t n = 0; n <= LONGEST; n++) {
                for (size_t shift = 0; shift < 16; shift += 1 + n % 3)
                    try_row(im, mode, n, shift, 3 * n % 17);
                try_in_place(im, mode, n);
            }
}

static void large(void **state)
{
    (void)state;
    for (const struct fma_impl *im = fma_impls; im->impl.name; im++)
        for (enum fma_mode mode = FMA_FP32; impl_is_wanted(&im->impl, IMPL_HOST) && mode <= FMA_BF16; mode++) {
            try_row(im, mode, FMA_STREAM_MIN - 1, 1, 0);
            try_row(im, mode, FMA_STREAM_MIN, 3, 0);
            try_row(im, mode, LARGE, 0, 0);
            try_in_place(im, mode, LARGE);
        }
}

static void any_number_of_threads(void **state)
{
#ifdef NW_OPENMP
    static const int threads[] = { 1, 2, 3, 8 };
    int before = omp_get_max_threads();

    (void)state;
    for (const struct fma_impl *im = fma_impls; im->impl.name; im++)
        for (size_t t = 0; t < 4 && im->impl.parallel && impl_is_wanted(&im->impl, IMPL_HOST); t++) {
            omp_set_num_threads(threads[t]);
            try_row(im, FMA_BF16, (1 << 14) + 65, 5, 1);
            try_row(im, FMA_MP, LARGE, 7, 0);
        }
    omp_set_num_threads(before);
#else
    (void)state;
    skip();
#endif
}

/* twice: FMA_BF16; once: rounded once. Fractions are of bf16's last place above 1, 2^-7. */
static const struct {
    const char *why;
    float a, b, c;
    uint32_t twice, once;
} roundings[] = {
    { "exact", 3, 5, 1, 0x41800000, 0x41800000 },
    /* 1.203125 * 1.25 = 1.5 + 2^-8, the middle. What c adds is lost in fp32, but it decides. */
    { "just over the middle", 1.203125f, 1.25f, 0x1p-30f, 0x3fc00000, 0x3fc10000 },
    { "the middle", 1.203125f, 1.25f, 0, 0x3fc00000, 0x3fc00000 },
    { "just under the middle", 1.203125f, 1.25f, -0x1p-30f, 0x3fc00000, 0x3fc00000 },
    /* 1.125 * 1.34375 = 1.5 + 3 * 2^-8, between an odd and an even one. */
    { "just under, to even is up", 1.125f, 1.34375f, -0x1p-30f, 0x3fc20000, 0x3fc10000 },
    { "negative", -1.203125f, 1.25f, -0x1p-30f, 0xbfc00000, 0xbfc10000 },
    { "seen by fp32", 1.203125f, 1.25f, 0x1p-22f, 0x3fc10000, 0x3fc10000 },
    { "far apart", 1.203125f, 1.25f, 0x1p-120f, 0x3fc00000, 0x3fc10000 },
    { "operands are rounded first", 0x1.01p0f, 1, 0, 0x3f800000, 0x3f800000 },
    { "past the largest", 0x1.fep127f, 1, 0x1p119f, 0x7f800000, 0x7f800000 },
    { "almost", 0x1.fep127f, 1, 0x1p118f, 0x7f7f0000, 0x7f7f0000 },
    { "denormal", 0x1p-100f, 0x1.8p-33f, 0, 0x00020000, 0x00020000 },
    { "denormal, just under", 0x1p-100f, 0x1.7ep-33f, 0, 0x00010000, 0x00010000 },
    { "denormal, just over", 0x1.02p-67f, 0x1.fep-68f, 0, 0x00010000, 0x00010000 },
    { "nothing is left", 0x1p-100f, 0x1p-100f, 0, 0x00000000, 0x00000000 },
    { "less than nothing", -0x1p-100f, 0x1p-100f, 0, 0x80000000, 0x80000000 },
    { "1 - 1", 1, 1, -1, 0x00000000, 0x00000000 },
    { "-0 - 0", -0.0f, 1, -0.0f, 0x80000000, 0x80000000 },
    { "NaN", NAN, 1, 1, 0x7fc00000, 0x7fc00000 },
    { "inf - inf", INFINITY, 1, -INFINITY, 0x7fc00000, 0x7fc00000 },
    { "-inf", INFINITY, -1, 5, 0xff800000, 0xff800000 },
};

static void one_rounding_and_two(void **state)
{
    size_t differ = 0, n = sizeof(roundings) / sizeof(*roundings);

    (void)state;
    for (size_t i = 0; i < n; i++) {
        float twice = fma_lane(FMA_BF16, roundings[i].a, roundings[i].b, roundings[i].c);
        float once = fma_bf16_once(roundings[i].a, roundings[i].b, roundings[i].c);

        if (fma_bits(twice) != roundings[i].twice || fma_bits(once) != roundings[i].once)
            fail_msg("%s: twice %a, once %a", roundings[i].why, twice, once);
        a[i] = roundings[i].a;
        b[i] = roundings[i].b;
        c[i] = roundings[i].c;
        differ += roundings[i].twice != roundings[i].once;
    }
    assert_int_equal(differ, 4);
    assert_int_equal(fma_rounded_twice(a, b, c, n), 4);
}

/* Where product and sum are exact in double, its rounding to bf16 is the answer: exponents at most 30 apart. */
static float through_double(float x, float y, float z)
{
    double sum = (double)x * (double)y + (double)z;
    int exponent;
    double fraction = frexp(sum, &exponent);

    return (float)ldexp(nearbyint(ldexp(fraction, 8)), exponent - 8);
}

static void once_is_right_where_double_is_exact(void **state)
{
    size_t differ = 0;

    (void)state;
    for (int i = 0; i < 2000000; i++) {
        uint32_t r = random_word();
        float x = (float)(128 + r % 128), y = (float)(128 + r / 128 % 128);
        float z = (float)(128 + (r >> 14) % 128) * ldexpf(r & 1 ? 1 : -1, (int)(r >> 24) % 36 - 26);
        float once = fma_bf16_once(x, y, z);

        if (fma_bits(once) != fma_bits(through_double(x, y, z)))
            fail_msg("%a * %a + %a: %a, not %a", x, y, z, once, through_double(x, y, z));
        differ += fma_bits(once) != fma_bits(fma_lane(FMA_BF16, x, y, z));
    }
    assert_true(differ > 0); /* or the test would not tell the two apart */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_lengths),
        cmocka_unit_test(large),
        cmocka_unit_test(any_number_of_threads),
        cmocka_unit_test(one_rounding_and_two),
        cmocka_unit_test(once_is_right_where_double_is_exact),
    };
    float **arrays[] = { &a, &b, &c, &d, &want[0], &want[1], &want[2] };
    size_t wanted = 0;
    int failed;

    for (const struct fma_impl *im = fma_impls; im->impl.name; im++)
        wanted += impl_is_wanted(&im->impl, IMPL_HOST);
    if (!wanted)
        return impl_none_wanted();
    for (int i = 0; i < 7; i++)
        if (!(*arrays[i] = aligned_alloc(64, (SPACE * sizeof(float) + 63) / 64 * 64)))
            return 1;
    for (size_t i = 0; i < LARGE; i++) {
        a[i] = value(), b[i] = value(), c[i] = value();
        for (enum fma_mode mode = FMA_FP32; mode <= FMA_BF16; mode++)
            want[mode][i] = fma_lane(mode, a[i], b[i], c[i]);
    }
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    for (int i = 0; i < 7; i++)
        free(*arrays[i]);
    return failed;
}
