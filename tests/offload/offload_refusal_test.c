/* offload_refusal_test.c - what is refused, what fails, and what is counted against the rules: nothing is started or
 * leaked by it. */
#include <stdbool.h>

#include "tests/offload/jobs.h"
#include "tests/offload/open.h"
#include "tests/offload/spy_backend.h"

static void what_a_step_may_not_do_is_counted(void **state)
{
    static const struct shape shape = { 2, 1024, 4 };

    (void)state;
    for (int injected = FAULT_ALLOCATES; injected <= FAULT_DRAINS; injected++) {
        struct backend *b = spy_backend_open(lazy_backend_open(EAGER, 0), (enum injected_fault)injected, 0, NULL);
        struct offload *o = open_on(b, &shape);

        assert_int_equal(job_push(&host_machine, o).rc, NW_OK);
        assert_true((injected == FAULT_ALLOCATES) == (offload_counts(o)->step_allocs > 0));
        assert_true((injected == FAULT_DRAINS) == (offload_counts(o)->step_drains > 0));
        offload_begin_step(o);
        assert_null(offload_alloc(o, BACKEND_DEVICE, 64));
        offload_end_step(o);
        offload_close(o);
    }
    all_closed();
}

/* Let call after call fail: the status comes up, stays, and everything is released. */
static void failures_come_up(void **state)
{
    static const struct shape shape = { 2, 512, 2 };

    (void)state;
    for (int at = 0, ended = 0; !ended; at++) {
        struct backend *b;
        struct offload_options options;
        struct offload *o;

        spy_calls = 0;
        b = spy_backend_open(lazy_backend_open(LAZY, 0), FAULT_REFUSES, at, NULL);
        options = (struct offload_options){ b, BOTH, shape.slots, shape.slot_bytes, shape.tickets, NULL };
        if (!offload_open(&options, &o)) {
            static uint32_t weights[500], result[500];
            struct offload_layer l = { weights, result, 500, 2 };
            struct offload_tensor t = { .device = result,
                                        .nbytes = 2000,
                                        .home = offload_alloc(o, BACKEND_PINNED, 2000) };
            struct offload_piece p = { result, weights, 2000 };
            int64_t ticket = 0;
            int rc = t.home ? offload_push(o, &l, 1, &ticket) : NW_ENOMEM;

            rc = rc ? rc : offload_order(o, ticket);
            rc = rc ? rc : offload_launch(o, host_machine.copy, &(struct device_copy){ weights, weights, 0 });
            rc = rc ? rc : offload_evict(o, &t);
            rc = rc ? rc : offload_prefetch(o, &t);
            rc = rc ? rc : offload_pull(o, &p, 1);
            rc = rc ? rc : offload_wait(o, t.ticket);
            ended = !rc;
            if (rc && t.home) {
                assert_int_equal(rc, NW_EENV);
                assert_int_equal(offload_push(o, &l, 1, &ticket), NW_EENV);
                assert_int_equal(offload_pull(o, &p, 1), NW_EENV);
                assert_int_equal(offload_evict(o, &t), NW_EENV);
                assert_int_equal(offload_mark(o, &ticket), NW_EENV);
                assert_int_equal(offload_wait(o, 1), NW_EENV);
                assert_int_equal(offload_done(o, 1), NW_EENV);
                assert_int_equal(offload_launch(o, host_machine.copy, NULL), NW_EENV);
            }
            offload_close(o);
        } else {
            assert_null(o);
        }
        all_closed();
        assert_true(at < 10000);
    }
}

static void wrong_options_are_refused(void **state)
{
    static const struct offload_options bad[] = {
        { .ways = 0, .slots = 2, .slot_bytes = 256, .tickets = 1 },
        { .ways = 4, .slots = 2, .slot_bytes = 256, .tickets = 1 },
        { .ways = BOTH, .slots = 1, .slot_bytes = 256, .tickets = 1 },
        { .ways = BOTH, .slots = 2, .slot_bytes = 255, .tickets = 1 },
        { .ways = BOTH, .slots = 3, .slot_bytes = SIZE_MAX / 2, .tickets = 1 },
        { .ways = BOTH, .slots = 2, .slot_bytes = 256, .tickets = 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(bad); i++) {
        struct offload_options options = bad[i];
        struct offload *o = (struct offload *)&options;

        options.backend = lazy_backend_open(EAGER, 0);
        assert_int_equal(offload_open(&options, &o), NW_EINPUT);
        assert_null(o);
        all_closed();
    }
    offload_close(NULL);
}

static void wrong_arguments_start_nothing(void **state)
{
    static uint32_t w[64], r[64];
    static const struct offload_layer layers[][2] = {
        { { w, r, 4, 2 }, { w, r, 4, 0 } },
        { { w, r, 4, 2 }, { w, r, 4, 5 } },
        { { w, r, 4, 2 }, { NULL, r, 4, 1 } },
        { { w, r, 4, 2 }, { w, NULL, 4, 1 } },
        { { w, r, 4, 2 }, { w, r, SIZE_MAX / 2, 1 } },
    };
    struct offload_piece pieces[] = { { w, r, 4 }, { NULL, r, 4 } };
    struct offload *o = open_on(lazy_backend_open(LAZY, 0), &(struct shape){ 2, 256, 1 });
    uint8_t *home = offload_alloc(o, BACKEND_PINNED, 100);
    struct offload_tensor tensors[] = {
        { home + 1, r, 100, 0 },  /* past its end */
        { home - 1, r, 100, 0 },  /* before it */
        { w, r, 100, 0 },         /* not pinned */
        { home, NULL, 100, 0 },   /* nowhere on the device */
        { home, r, 100, 9 },      /* a ticket of another offload */
        { home, r, SIZE_MAX, 0 }, /* absurd */
    };
    int64_t ticket = -7;

    (void)state;
    for (size_t i = 0; i < COUNT(layers); i++)
        assert_int_equal(offload_push(o, layers[i], 2, &ticket), NW_EINPUT);
    assert_int_equal(offload_pull(o, pieces, 2), NW_EINPUT);
    for (size_t i = 0; i < COUNT(tensors); i++) {
        assert_int_equal(offload_evict(o, &tensors[i]), NW_EINPUT);
        assert_int_equal(offload_prefetch(o, &tensors[i]), NW_EINPUT);
    }
    assert_int_equal(ticket, -7);
    for (int64_t t = -1; t <= 1; t++) {
        assert_int_equal(offload_wait(o, t), NW_EINPUT);
        assert_int_equal(offload_done(o, t), NW_EINPUT);
        assert_int_equal(offload_order(o, t), NW_EINPUT);
    }
    assert_int_equal(offload_counts(o)->bytes_to_device + offload_counts(o)->bytes_to_host, 0);
    /* None of that was a failure of the back end. */
    assert_int_equal(offload_push(o, NULL, 0, &ticket), NW_OK);
    assert_int_equal(offload_pull(o, NULL, 0), NW_OK);
    assert_int_equal(offload_push(o, layers[0], 1, &ticket), NW_OK);
    assert_int_equal(offload_wait(o, ticket), NW_OK);
    offload_close(o);
    all_closed();
}

static void one_direction_alone(void **state)
{
    static uint32_t w[64], r[64];
    struct offload_layer l = { w, r, 64, 3 };
    struct offload_piece p = { w, r, 64 };
    int64_t ticket;

    (void)state;
    for (unsigned way = OFFLOAD_TO_DEVICE; way <= OFFLOAD_TO_HOST; way++) {
        struct offload_options options = { lazy_backend_open(RANDOM, way), way, 2, 256, 1, NULL };
        struct offload_tensor t = { .device = r, .nbytes = 64 };
        struct offload *o;
        bool in = way == OFFLOAD_TO_DEVICE;

        assert_int_equal(offload_open(&options, &o), NW_OK);
        t.home = offload_alloc(o, BACKEND_PINNED, 64);
        assert_int_equal(offload_push(o, &l, 1, &ticket), in ? NW_OK : NW_EINPUT);
        assert_int_equal(offload_prefetch(o, &t), in ? NW_OK : NW_EINPUT);
        assert_int_equal(offload_pull(o, &p, 1), in ? NW_EINPUT : NW_OK);
        assert_int_equal(offload_evict(o, &t), in ? NW_EINPUT : NW_OK);
        offload_close(o);
    }
    all_closed();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_step_may_not_do_is_counted),
        cmocka_unit_test(failures_come_up),
        cmocka_unit_test(wrong_options_are_refused),
        cmocka_unit_test(wrong_arguments_start_nothing),
        cmocka_unit_test(one_direction_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
