/* The roundings that the BF16 tiles use, against the definition of bf16, over all 2^32 words (1 of 1021 under
 * sanitizers); and where the guard lets the fast ones be used. */
#include <stdio.h>
#include <string.h>

#include "kernels/cast/bf16_lane.h"
#include "kernels/gemm/range.h"
#include "kernels/shared/usable.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/sanitized.h"
#include "tests/test.h"

enum { STRIDE = SANITIZED ? 1021 : 1 };

enum { CHUNK = 4096, NCHUNKS = 1 << 20 };

/* Which words the arithmetic is exact for: range.h. */
static bool adds_exact(uint32_t word)
{
    uint32_t exponent = word >> 23 & 255;

    return (exponent >= 1 && exponent <= 237) || !(word & 0x7fffffff);
}

static bool fma_exact(uint32_t word)
{
    return adds_exact(word) && word != 0x80000000;
}

/* All numbers, and the NaN that rounding or an operation makes: quiet, the lower half 0. */
static bool careful_exact(uint32_t word)
{
    return (word & 0x7fffffff) <= 0x7f800000 || (word & 0x40ffff) == 0x400000;
}

static const struct rounding {
    const char *name;
    bool (*usable)(void);
    gemm_round_fn *run;
    bool (*exact)(uint32_t word);
} roundings[] = {
#ifdef NW_X86
    { "avx2", usable_avx2_fma, gemm_round_avx2, adds_exact },
    { "avx512", usable_avx512, gemm_round_avx512, fma_exact },
    { "avx512_adds", usable_avx512, gemm_round_avx512_adds, adds_exact },
    { "avx2, careful", usable_avx2_fma, gemm_careful_avx2, careful_exact },
    { "avx512, careful", usable_avx512, gemm_careful_avx512, careful_exact },
#endif
    { 0 },
};

/* The number of words of this chunk that one of the roundings gets wrong. */
static size_t wrong_in(uint32_t first)
{
    uint32_t in[CHUNK], want[CHUNK], got[CHUNK];
    size_t wrong = 0;

    for (uint32_t i = 0; i < CHUNK; i++) {
        in[i] = first + i;
        want[i] = bf16_round_f32_bits(in[i]);
    }
    for (const struct rounding *r = roundings; r->name; r++) {
        if (!r->usable())
            continue;
        r->run((float *)(void *)got, (const float *)(const void *)in, CHUNK);
        if (memcmp(got, want, sizeof(got)))
            for (size_t i = 0; i < CHUNK; i++)
                wrong += got[i] != want[i] && r->exact(in[i]);
    }
    return wrong;
}

static void all_words(void **state)
{
    size_t wrong = 0, usable = 0;

    (void)state;
    for (const struct rounding *r = roundings; r->name; r++)
        usable += r->usable();
    if (!usable)
        skip();
#ifdef NW_OPENMP
#pragma omp parallel for schedule(static) reduction(+ : wrong)
#endif
    for (int chunk = 0; chunk < NCHUNKS; chunk += STRIDE)
        wrong += wrong_in((uint32_t)chunk * CHUNK);
    assert_int_equal(wrong, 0);
}

static struct gemm_range range_of(int bottom, int top)
{
    return (struct gemm_range){ (uint32_t)(top + 127) << 23, ((uint32_t)(bottom + 127) << 23) - 1, 0 };
}

static void the_guard(void **state)
{
    struct gemm_range none = gemm_range_empty(), one = range_of(0, 0), a, b, c;

    (void)state;
    assert_true(gemm_range_exact(&one, &one, NULL));
    assert_true(gemm_range_exact(&none, &none, &none));
    a = range_of(-56, 48);
    b = range_of(-56, 47);
    assert_true(gemm_range_exact(&a, &b, NULL));
    b = range_of(-57, 47);
    assert_false(gemm_range_exact(&a, &b, NULL));
    b = range_of(-56, 48);
    assert_false(gemm_range_exact(&a, &b, NULL));
    c = range_of(-119, 109);
    assert_true(gemm_range_exact(&a, &one, &c));
    c = range_of(-119, 110);
    assert_false(gemm_range_exact(&a, &one, &c));
    c = range_of(-120, 109);
    assert_false(gemm_range_exact(&a, &one, &c));
    c = one;
    c.minus_zero = 1;
    assert_false(gemm_range_exact(&one, &one, &c));
    a.most = 0x7f800000; /* infinity next to zeros */
    assert_false(gemm_range_exact(&a, &none, NULL));
    assert_false(gemm_range_exact(&none, &a, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_guard),
        cmocka_unit_test(all_words),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
