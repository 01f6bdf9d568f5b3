/* offload_cuda_test.c - the same jobs on a CUDA device, and what the runtime was asked for inside the steps. Exit 77
 * without a device. */
#include <stdio.h>

#include "harness/bench/device.h"
#include "harness/offload/cuda_backend.h"
#include "harness/offload/offload.h"
#include "harness/status.h"
#include "tests/offload/cuda_calls.h"
#include "tests/offload/jobs.h"
#include "tests/test.h"

static const struct machine cuda_machine = { device_write, device_read, cuda_copy_on };

static const struct {
    int slots;
    size_t slot_bytes;
    int tickets;
} shapes[] = { { 2, 256, 1 }, { 3, 1000, 2 }, { 5, 4096, 7 }, { 4, 1 << 20, 64 } };

static struct offload *open_shape(size_t s)
{
    struct offload_options options = { .ways = OFFLOAD_TO_DEVICE | OFFLOAD_TO_HOST,
                                       .slots = shapes[s].slots,
                                       .slot_bytes = shapes[s].slot_bytes,
                                       .tickets = shapes[s].tickets };
    struct offload *o = NULL;

    assert_int_equal(cuda_backend_open(&options.backend), NW_OK);
    assert_int_equal(offload_open(&options, &o), NW_OK);
    return o;
}

static void right_on_the_device(void **state)
{
    (void)state;
    for (size_t s = 0; s < sizeof(shapes) / sizeof(*shapes); s++)
        for (int j = 0; j < NJOBS; j++) {
            struct offload *o = open_shape(s);
            struct finding f = jobs[j].run(&cuda_machine, o);

            if (f.rc || f.wrong)
                fail_msg("%s, shape %zu: status %d, %ld wrong bytes", jobs[j].name, s, f.rc, f.wrong);
            assert_int_equal(offload_counts(o)->step_allocs + offload_counts(o)->step_drains, 0);
            offload_close(o);
            assert_null(device_error());
        }
}

/* 200 layers, and tensors both ways, pushed again and again: every call of this program into the runtime is counted
 * (--wrap), and none inside the steps allocates, frees, pins or waits for the device. */
static void steps_neither_allocate_nor_synchronize(void **state)
{
    enum { LAYERS = 200, N = 3000, STEPS = 10 };
    static uint32_t weights[LAYERS * N];
    static uint8_t pulled[N];
    struct offload_layer layers[LAYERS];
    struct offload *o = open_shape(3);
    uint8_t *device = offload_alloc(o, BACKEND_DEVICE, sizeof(weights));
    struct offload_piece piece = { pulled, device, N };
    struct offload_tensor t = { .home = offload_alloc(o, BACKEND_PINNED, N), .device = device, .nbytes = N };
    int64_t ticket = 0;
    long before, rc = 0;

    (void)state;
    assert_true(device && t.home && cuda_forbidden_calls > 0); /* the counting works */
    for (int i = 0; i < LAYERS; i++)
        layers[i] = (struct offload_layer){ weights + i * N, device + 4 * (size_t)(i * N), (size_t)(N - i), 1 + i % 4 };
    before = cuda_forbidden_calls;
    for (int step = 0; step < STEPS; step++) {
        offload_begin_step(o);
        rc |= offload_push(o, layers, LAYERS, &ticket);
        rc |= offload_order(o, ticket);
        rc |= offload_evict(o, &t);
        rc |= offload_prefetch(o, &t);
        rc |= offload_order(o, t.ticket); /* they share device memory */
        rc |= offload_pull(o, &piece, 1);
        rc |= offload_wait(o, t.ticket);
        offload_end_step(o);
    }
    assert_int_equal(rc, 0);
    assert_int_equal(cuda_forbidden_calls - before, 0);
    offload_close(o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_on_the_device),
        cmocka_unit_test(steps_neither_allocate_nor_synchronize),
    };
    const char *why;

    if (!device_present(&why)) {
        printf("skipped: %s\n", why);
        return 77;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
