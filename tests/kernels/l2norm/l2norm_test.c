/* The l2 norm: every implementation of the host gives the reference's bits, and the reference is right. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef NW_OPENMP
#include <omp.h>
#endif

#include "kernels/l2norm/l2norm.h"
#include "tests/kernels/impl_wanted.h"
#include "tests/kernels/l2norm/l2norm_cases.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/test.h"

enum { LARGEST = 37 * L2NORM_BLOCK + 1234 };

static float *weights;
static double work[LARGEST / L2NORM_BLOCK + 1];

static double norm_of(const struct l2norm_impl *im, const float *w, size_t n)
{
    double norm = -1;

    im->run(&im->impl, &norm, w, n, work);
    return norm;
}

static double reference(const float *w, size_t n)
{
    const struct l2norm_impl *last = l2norm_impls;

    while (last[1].impl.name)
        last++;
    return norm_of(last, w, n);
}

static void same_bits(const char *impl, const char *why, size_t n, size_t offset, double got, double want)
{
    if (memcmp(&got, &want, sizeof(got)))
        fail_msg("%s: %s, %zu weights from float %zu on: %.17g (%a), want %.17g (%a)", impl, why, n, offset, got, got,
                 want, want);
}

#define EACH_USABLE(im)                                                    \
    for (const struct l2norm_impl *im = l2norm_impls; im->impl.name; im++) \
        if (impl_is_wanted(&im->impl, IMPL_HOST))

static void values_by_hand(void **state)
{
    (void)state;
    EACH_USABLE(im)
    for (size_t c = 0; c < L2NORM_NCASES; c++) {
        const struct l2norm_case *k = &l2norm_cases[c];
        float w[8];

        memcpy(w, k->bits, sizeof(w));
        same_bits(im->impl.name, k->why, k->n, 0, norm_of(im, w, k->n), k->norm);
    }
}

/* A NaN or an infinity in any lane, also in the tail. */
static void one_bad_weight(void **state)
{
    static const struct {
        uint32_t bits;
        double norm;
    } bad[] = { { 0x7f800000, INFINITY }, { 0xff800000, INFINITY }, { 0xffc00001, NAN }, { 0x7f800001, NAN } };
    float w[100];

    (void)state;
    EACH_USABLE(im)
    for (size_t b = 0; b < 4; b++)
        for (size_t at = 0; at < 100; at++) {
            memset(w, 0, sizeof(w));
            memcpy(&w[at], &bad[b].bits, 4);
            same_bits(im->impl.name, "one infinity or NaN among zeros", 100, at, norm_of(im, w, 100), bad[b].norm);
        }
}

static void all_lengths(void **state)
{
    (void)state;
    EACH_USABLE(im)
    for (size_t n = 0; n <= 300; n++)
        for (size_t offset = 0; offset < 16; offset++)
            same_bits(im->impl.name, "differs from the reference", n, offset, norm_of(im, weights + offset, n),
                      reference(weights + offset, n));
}

static const size_t large[] = { 4095, 4096, 4097, 8191, 31 * 4096 + 1, 32 * 4096, 33 * 4096 + 17, LARGEST - 16 };

static void large_and_any_number_of_threads(void **state)
{
    (void)state;
    EACH_USABLE(im)
    for (int threads = 1; threads <= (im->impl.parallel ? 5 : 1); threads++) {
#ifdef NW_OPENMP
        omp_set_num_threads(threads);
#endif
        for (size_t n = L2NORM_BLOCK - 1; n <= LARGEST - 16; n += n % 3 ? L2NORM_BLOCK : 1)
            same_bits(im->impl.name, "differs from the reference", n, 3, norm_of(im, weights + 3, n),
                      reference(weights + 3, n));
    }
}

/* The order of l2norm.h, spelled out a second time: the reference could drift together with the rest. */
static void the_stated_order(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
        same_bits("scalar", "not the order that l2norm.h states", large[i], 0, reference(weights, large[i]),
                  l2norm_as_stated(weights, large[i]));
}

static void accurate(void **state)
{
    (void)state;
    for (size_t n = 1; n <= LARGEST - 16; n = n * 3 + 1) {
        long double sum = 0;
        double got = reference(weights, n);

        for (size_t i = 0; i < n; i++)
            sum += (long double)weights[i] * weights[i];
        if (!(fabsl(got - sqrtl(sum)) <= 1e-12L * sqrtl(sum)))
            fail_msg("%zu weights: %.17g, want %.20Lg", n, got, sqrtl(sum));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand),   cmocka_unit_test(one_bad_weight),
        cmocka_unit_test(all_lengths),      cmocka_unit_test(large_and_any_number_of_threads),
        cmocka_unit_test(the_stated_order), cmocka_unit_test(accurate),
    };
    size_t wanted = 0;
    int failed;

    EACH_USABLE(im)
    wanted++;
    if (!wanted)
        return impl_none_wanted();
    weights = malloc(LARGEST * sizeof(*weights));
    for (size_t i = 0; weights && i < LARGEST; i++)
        weights[i] = l2norm_weight(i);
    failed = weights ? cmocka_run_group_tests(tests, NULL, NULL) : 1;
    free(weights);
    return failed;
}
