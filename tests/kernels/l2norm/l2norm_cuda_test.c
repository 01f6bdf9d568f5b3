/* The device's l2 norm gives the bits of the host's reference. Exit 77 without a device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/bench/device.h"
#include "kernels/l2norm/l2norm.h"
#include "tests/kernels/l2norm/l2norm_cases.h"

enum { LARGEST = 8193 * L2NORM_BLOCK + 1234 /* past one turn of every warp */ };

static const struct l2norm_impl *impl;
static float *weights, *device_weights;
static double *device_norm, *device_work;

static void check(const char *why, size_t offset, size_t n, double want)
{
    const char *error;
    double got = -1;

    impl->run(device_norm, device_weights + offset, n, device_work);
    device_read(&got, device_norm, sizeof(got));
    error = device_error();
    if (error)
        fail_msg("%s: %s, %zu weights: %s", impl->impl.name, why, n, error);
    if (memcmp(&got, &want, sizeof(got)))
        fail_msg("%s: %s, %zu weights from float %zu on: %.17g (%a), want %.17g (%a)", impl->impl.name, why, n, offset,
                 got, got, want, want);
}

static void values_by_hand(void **state)
{
    (void)state;
    for (size_t c = 0; c < L2NORM_NCASES; c++) {
        device_write(device_weights, l2norm_cases[c].bits, sizeof(l2norm_cases[c].bits));
        check(l2norm_cases[c].why, 0, l2norm_cases[c].n, l2norm_cases[c].norm);
    }
}

static void all_lengths(void **state)
{
    static const size_t large[] = { 4095, 4096, 4097, 32 * 4096, 33 * 4096 + 17, LARGEST - 16 };

    (void)state;
    device_write(device_weights, weights, LARGEST * sizeof(*weights));
    for (size_t n = 0; n <= 300; n++)
        for (size_t offset = 0; offset < 16; offset++)
            check("differs from the stated order", offset, n, l2norm_as_stated(weights + offset, n));
    for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
        check("differs from the stated order", 3, large[i], l2norm_as_stated(weights + 3, large[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_by_hand),
        cmocka_unit_test(all_lengths),
    };
    const char *why;
    int failed = 1;

    for (impl = l2norm_impls; impl->impl.name && impl->impl.where != IMPL_DEVICE; impl++)
        ;
    if (!device_present(&why) || !impl->impl.name || !impl->impl.usable()) {
        printf("skipped: no device to test on: %s\n", *why ? why : "this build has no code for the device here");
        return 77;
    }
    weights = malloc(LARGEST * sizeof(*weights));
    for (size_t i = 0; weights && i < LARGEST; i++)
        weights[i] = l2norm_weight(i);
    device_weights = device_alloc(LARGEST * sizeof(*weights));
    device_norm = device_alloc(sizeof(*device_norm));
    device_work = device_alloc(l2norm_work(LARGEST) * sizeof(*device_work));
    if (weights && device_weights && device_norm && device_work)
        failed = cmocka_run_group_tests(tests, NULL, NULL);
    device_free(device_weights);
    device_free(device_norm);
    device_free(device_work);
    free(weights);
    return failed;
}
