/* l2norm_device.h - what is asked of the norm on a device, real (l2norm_cuda_test.c) or emulated
 * (l2norm_emulated_test.c): the bits of the order that l2norm.h states. */
#ifndef NARROWS_TESTS_L2NORM_DEVICE_H
#define NARROWS_TESTS_L2NORM_DEVICE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/device.h"
#include "kernels/l2norm/device.h"
#include "tests/kernels/l2norm/l2norm_cases.h"
#include "tests/test.h"

static float *weights, *device_weights;
static double *device_norm, *device_work;

static void same(const char *what, const char *why, size_t offset, size_t n, double got, double want)
{
    const char *error = device_error();

    if (error)
        fail_msg("cuda %s: %s, %zu weights: %s", what, why, n, error);
    if (memcmp(&got, &want, sizeof(got)))
        fail_msg("cuda %s: %s, %zu weights from float %zu on: %.17g (%a), want %.17g (%a)", what, why, n, offset, got,
                 got, want, want);
}

static void check(const char *why, size_t offset, size_t n, double want)
{
    double got = -1;

    l2norm_cuda(NULL, device_norm, device_weights + offset, n, device_work);
    device_read(&got, device_norm, sizeof(got));
    same("l2norm", why, offset, n, got, want);
}

static void values_by_hand(void **state)
{
    (void)state;
    for (size_t c = 0; c < L2NORM_NCASES; c++) {
        device_write(device_weights, l2norm_cases[c].bits, sizeof(l2norm_cases[c].bits));
        check(l2norm_cases[c].why, 0, l2norm_cases[c].n, l2norm_cases[c].norm);
    }
}

static void lengths(size_t largest, size_t offsets)
{
    const size_t large[] = { 4095, 4096, 4097, 32 * 4096, 33 * 4096 + 17, largest - 16 };

    device_write(device_weights, weights, largest * sizeof(*weights));
    for (size_t n = 0; n <= 300; n++)
        for (size_t offset = 0; offset < offsets; offset++)
            check("differs from the stated order", offset, n, l2norm_as_stated(weights + offset, n));
    for (size_t i = 0; i < sizeof(large) / sizeof(*large); i++)
        check("differs from the stated order", 3, large[i], l2norm_as_stated(weights + 3, large[i]));
}

/* All layers in one launch, twice, since a call leaves its counters as it found them. */
static void all_layers(void **state)
{
    enum { TEAM = L2NORM_TEAM * L2NORM_BLOCK, MOST = 2 * TEAM + 4096 };
    static const size_t sizes[] = { 0, 1, 300, TEAM, TEAM + 1, 0, 4096, MOST, 33, 0 };
    enum { NLAYERS = sizeof(sizes) / sizeof(*sizes), WORK = MOST / L2NORM_BLOCK + 1 };
    struct l2norm_layer table[NLAYERS], *device_table = device_alloc(sizeof(table));
    uint32_t first[NLAYERS + 1], *device_first = device_alloc(sizeof(first));
    unsigned *finished = device_alloc(NLAYERS * sizeof(*finished));
    double *norms = device_alloc(NLAYERS * sizeof(*norms)), *work = device_alloc(NLAYERS * WORK * sizeof(*work));
    double got[NLAYERS];

    (void)state;
    assert_true(device_table && device_first && finished && norms && work);
    device_write(device_weights, weights, (MOST + NLAYERS) * sizeof(*weights));
    for (size_t i = 0; i < NLAYERS; i++)
        table[i] = (struct l2norm_layer){ device_weights + i, norms + i, work + i * WORK, sizes[i] };
    l2norm_layers_plan(first, table, NLAYERS);
    device_write(device_table, table, sizeof(table));
    device_write(device_first, first, sizeof(first));
    device_fill(finished, 0, NLAYERS * sizeof(*finished));
    for (int time = 0; time < 2; time++) {
        device_fill(norms, 0xa5, sizeof(got));
        device_fill(work, 0xa5, NLAYERS * WORK * sizeof(*work));
        l2norm_layers_cuda(device_table, device_first, NLAYERS, first[NLAYERS], finished, NULL);
        device_read(got, norms, sizeof(got));
        for (size_t i = 0; i < NLAYERS; i++)
            same("l2norm_layers", time ? "second call" : "first call", i, sizes[i], got[i],
                 l2norm_as_stated(weights + i, sizes[i]));
    }
    device_free(device_table);
    device_free(device_first);
    device_free(finished);
    device_free(norms);
    device_free(work);
}

/* Runs the tests between making and freeing what they share. */
static int with_buffers(size_t largest, int (*run)(void))
{
    int failed = 1;

    weights = malloc(largest * sizeof(*weights));
    for (size_t i = 0; weights && i < largest; i++)
        weights[i] = l2norm_weight(i);
    device_weights = device_alloc(largest * sizeof(*weights));
    device_norm = device_alloc(sizeof(*device_norm));
    device_work = device_alloc(l2norm_work(largest) * sizeof(*device_work));
    if (weights && device_weights && device_norm && device_work)
        failed = run();
    device_free(device_weights);
    device_free(device_norm);
    device_free(device_work);
    free(weights);
    return failed;
}

#endif
