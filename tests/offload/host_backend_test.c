/* host_backend_test.c - the host back end: the same jobs with real threads over links of several speeds. What is
 * asked of times holds on any machine: a link is never early. Linked so that this program's own calls for memory are
 * counted. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/offload/host_backend.h"
#include "harness/offload/link.h"
#include "harness/offload/offload.h"
#include "harness/status.h"
#include "tests/offload/jobs.h"
#include "tests/offload/memory_calls.h"
#include "tests/offload/spy_backend.h"
#include "tests/test.h"

enum { BOTH = OFFLOAD_TO_DEVICE | OFFLOAD_TO_HOST, MIB = 1 << 20 };

static double now_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct backend *host(double bytes_per_s, int64_t latency_ns)
{
    struct host_link link = { bytes_per_s, latency_ns };
    struct backend *b = NULL;

    assert_int_equal(host_backend_open(&(struct host_backend_options){ .to_device = link, .to_host = link }, &b),
                     NW_OK);
    return b;
}

static struct offload *open_on(struct backend *b, int slots, size_t slot_bytes, int tickets)
{
    struct offload_options options = { b, BOTH, slots, slot_bytes, tickets, NULL };
    struct offload *o = NULL;

    assert_int_equal(offload_open(&options, &o), NW_OK);
    return o;
}

static const struct {
    double bytes_per_s;
    int64_t latency_ns;
    int slots;
    size_t slot_bytes;
    int tickets;
} set_ups[] = {
    { 0, 0, 2, 256, 1 },         { 0, 0, 4, 4096, 8 },          { 2e9, 0, 3, 1000, 2 },
    { 200e6, 0, 2, 1 << 14, 3 }, { 1e9, 20000, 2, 1 << 16, 2 }, { 0, 1000, 64, 512, 64 },
};

static void right_at_every_speed(void **state)
{
    (void)state;
    for (size_t s = 0; s < COUNT(set_ups); s++)
        for (int j = 0; j < NJOBS; j++) {
            struct backend *b = host(set_ups[s].bytes_per_s, set_ups[s].latency_ns);
            struct offload *o = open_on(b, set_ups[s].slots, set_ups[s].slot_bytes, set_ups[s].tickets);
            struct finding f = jobs[j].run(&host_machine, o);

            if (f.rc || f.wrong)
                fail_msg("%s, set-up %zu: status %d, %ld wrong bytes", jobs[j].name, s, f.rc, f.wrong);
            assert_int_equal(offload_counts(o)->step_allocs + offload_counts(o)->step_drains, 0);
            offload_close(o);
        }
}

/* Which calls are made, and in which order, does not depend on how long anything takes. */
static void the_same_calls_at_every_speed(void **state)
{
    enum { CAPACITY = MIB };
    char *first = malloc(CAPACITY), *text = malloc(CAPACITY);

    (void)state;
    assert_true(first && text);
    for (int j = 0; j < NJOBS; j++)
        for (int again = 0; again < 3; again++) {
            struct diary d = { again ? text : first, CAPACITY, 0 };
            struct backend *b = host(again == 1 ? 100e6 : 0, again == 2 ? 20000 : 0);
            struct offload *o = open_on(spy_backend_open(b, FAULT_NONE, 0, &d), 3, 8192, 4);
            struct finding f = jobs[j].run(&host_machine, o);

            assert_int_equal(f.rc, NW_OK);
            assert_int_equal(f.wrong, 0);
            offload_close(o);
            assert_in_range(d.n, 100, CAPACITY - 1);
            if (again)
                assert_string_equal(first, text);
        }
    free(first);
    free(text);
}

/* Launched work that slows the device queue, so that the copies that follow it have to wait. */
static void stay_busy(void *arg, void *stream)
{
    struct timespec t = { 0, *(long *)arg };

    (void)stream;
    nanosleep(&t, NULL);
}

static void a_link_is_never_early(void **state)
{
    struct offload *o = open_on(host(500e6, 2000000), 2, 65536, 4);
    struct offload_tensor t[] = { { .nbytes = 4 * MIB }, { .nbytes = 4 * MIB } };
    double start, wire = 4 * MIB / 500e6, latency = 2e-3;
    long pause_ns = 5000000;
    int done;

    (void)state;
    for (int i = 0; i < 2; i++) {
        t[i].home = offload_alloc(o, BACKEND_PINNED, t[i].nbytes);
        t[i].device = offload_alloc(o, BACKEND_DEVICE, t[i].nbytes);
        memset(t[i].home, 1, t[i].nbytes);
    }
    start = now_s();
    for (int i = 0; i < 2; i++)
        assert_int_equal(offload_prefetch(o, &t[i]), NW_OK);
    done = offload_done(o, t[1].ticket);
    assert_true(!done || now_s() - start >= 2 * (wire + latency));
    assert_int_equal(offload_wait(o, t[0].ticket), NW_OK);
    assert_true(now_s() - start >= wire + latency);
    assert_int_equal(offload_wait(o, t[1].ticket), NW_OK); /* behind the first one */
    assert_true(now_s() - start >= 2 * (wire + latency));

    start = now_s();
    assert_int_equal(offload_launch(o, stay_busy, &pause_ns), NW_OK);
    assert_int_equal(offload_evict(o, &t[0]), NW_OK); /* after the work */
    assert_int_equal(offload_wait(o, t[0].ticket), NW_OK);
    assert_true(now_s() - start >= 1e-9 * (double)pause_ns + wire + latency);
    offload_close(o);
}

/* Half duplex: what goes there holds up what comes back, whichever began first, by pieces or whole. */
static void a_shared_wire_carries_one_thing_at_a_time(void **state)
{
    static const size_t sizes[][2] = { { 2 * MIB, 2 * MIB }, { 10000, MIB }, { MIB, 10000 }, { 50000, 50000 } };

    (void)state;
    for (size_t k = 0; k < COUNT(sizes); k++) {
        struct host_backend_options options = { { 400e6, 0 }, { 200e6, 0 }, 0, 200e6 };
        struct backend *b = NULL;
        struct offload_tensor t[2];
        struct offload *o;
        double start;

        assert_int_equal(host_backend_open(&options, &b), NW_OK);
        o = open_on(b, 2, 65536, 4);
        for (int i = 0; i < 2; i++) {
            t[i] = (struct offload_tensor){ .nbytes = sizes[k][i] };
            t[i].home = offload_alloc(o, BACKEND_PINNED, t[i].nbytes);
            t[i].device = offload_alloc(o, BACKEND_DEVICE, t[i].nbytes);
            memset(i ? t[i].device : t[i].home, 1 + i, t[i].nbytes);
        }
        start = now_s();
        assert_int_equal(offload_prefetch(o, &t[0]), NW_OK);
        assert_int_equal(offload_evict(o, &t[1]), NW_OK);
        for (int i = 0; i < 2; i++)
            assert_int_equal(offload_wait(o, t[i].ticket), NW_OK);
        assert_true(now_s() - start >= (double)(sizes[k][0] + sizes[k][1]) / options.wire_bytes_per_s);
        assert_memory_equal(t[0].home, t[0].device, sizes[k][0]);
        assert_memory_equal(t[1].home, t[1].device, sizes[k][1]);
        offload_close(o);
    }
}

/* Longer than a clock counts, and still a time. */
static void a_link_slower_than_time(void **state)
{
    static const double rates[] = { 1e-300, 1e-12, 1e-9 };

    (void)state;
    for (size_t i = 0; i < COUNT(rates); i++)
        assert_in_range(link_wire_ns(&(struct host_link){ rates[i], 0 }, (size_t)1 << 40), INT64_MAX / 5,
                        INT64_MAX / 4);
    assert_int_equal(link_wire_ns(&(struct host_link){ 2e9, 0 }, 1000), 500);
    assert_int_equal(link_wire_ns(&(struct host_link){ 0, 0 }, 1000), 0);
}

static void close_finishes_what_is_under_way(void **state)
{
    enum { N = 1 << 17 };
    static uint32_t weights[N], result[N];
    struct offload_layer l = { weights, result, N, 4 };
    struct offload *o = open_on(host(20e6, 0), 64, 16384, 4); /* 26 ms, and space for all of it */
    int64_t ticket;

    (void)state;
    for (size_t i = 0; i < N; i++)
        weights[i] = (uint32_t)(i * 2654435761u + 1);
    assert_int_equal(offload_push(o, &l, 1, &ticket), NW_OK);
    offload_close(o);
    assert_memory_equal(weights, result, sizeof(weights));
}

/* More commands than a queue holds: the caller waits and nothing is lost. */
static void a_full_queue_holds_the_caller_back(void **state)
{
    enum { TIMES = 3000 };
    static uint8_t bytes[TIMES], seen[TIMES];
    static struct device_copy copies[TIMES];
    struct backend *b = host(0, 0);
    long pause_ns = 3000000;

    (void)state;
    assert_int_equal(b->ops->prepare(b, 1), NW_OK);
    assert_int_equal(b->ops->launch(b, stay_busy, &pause_ns), NW_OK);
    for (int i = 0; i < TIMES; i++) {
        bytes[i] = (uint8_t)(i % 251 + 1);
        copies[i] = (struct device_copy){ &seen[i], &bytes[i], 1 };
        assert_int_equal(b->ops->launch(b, host_machine.copy, &copies[i]), NW_OK);
    }
    assert_int_equal(b->ops->record(b, QUEUE_COMPUTE, 0), NW_OK);
    assert_int_equal(b->ops->wait(b, 0), NW_OK);
    assert_memory_equal(bytes, seen, TIMES);
    b->ops->close(b);
}

/* Steps ask for no memory, neither here nor in the kernels: every call of this program is counted. */
static void steps_ask_for_no_memory(void **state)
{
    enum { N = 50000, STEPS = 20 };
    static uint32_t weights[N], result[N];
    static uint8_t pulled[N];
    struct offload_layer layers[] = { { weights, result, N - 100, 3 },
                                      { weights + N - 100, result + N - 100, 100, 1 } };
    struct offload_piece piece = { pulled, result, N };
    struct offload *o = open_on(host(0, 0), 3, 8192, 2);
    struct offload_tensor t = { .home = offload_alloc(o, BACKEND_PINNED, N), .device = result, .nbytes = N };
    int64_t ticket = 0;
    long before, counted, rc = 0;

    (void)state;
    before = memory_calls;
    offload_alloc(o, BACKEND_PINNED, 1);
    assert_true(memory_calls > before); /* the counting works */
    before = memory_calls;
    for (int step = 0; step < STEPS; step++) {
        offload_begin_step(o);
        rc |= offload_push(o, layers, 2, &ticket);
        rc |= offload_order(o, ticket);
        rc |= offload_evict(o, &t);
        rc |= offload_prefetch(o, &t);
        rc |= offload_order(o, t.ticket); /* they share device memory */
        rc |= offload_pull(o, &piece, 1);
        rc |= offload_wait(o, t.ticket);
        offload_end_step(o);
    }
    counted = memory_calls - before;
    assert_int_equal(rc, 0);
    assert_int_equal(counted, 0);
    assert_int_equal(offload_counts(o)->steps, STEPS);
    offload_close(o);
}

/* A program that is stopped in the middle of a step stops: no thread keeps it, whichever signal it is. */
static void killed_in_the_middle(void **state)
{
    static const int signals[] = { SIGTERM, SIGINT, SIGKILL };

    (void)state;
    for (size_t i = 0; i < COUNT(signals); i++) {
        int ready[2], status;
        char byte;
        pid_t child;

        assert_int_equal(pipe(ready), 0);
        child = fork();
        assert_true(child >= 0);
        if (!child) {
            static uint32_t weights[MIB], result[MIB];
            struct offload_layer l = { weights, result, MIB, 4 };
            struct offload *o = open_on(host(1e6, 0), 2, 65536, 2); /* 4 s */
            int64_t ticket;

            offload_begin_step(o);
            if (write(ready[1], "r", 1) == 1)
                offload_push(o, &l, 1, &ticket);
            _exit(1);
        }
        assert_int_equal(read(ready[0], &byte, 1), 1);
        assert_int_equal(kill(child, signals[i]), 0);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == signals[i]);
        close(ready[0]);
        close(ready[1]);
    }
}

/* A signal for the process goes to any thread that does not block it: here the threads have to, so it stays pending. */
static void threads_leave_signals_alone(void **state)
{
    struct backend *b = host(0, 0);
    struct timespec moment = { 0, 20000000 };
    sigset_t one, before, pending;
    int taken;

    (void)state;
    sigemptyset(&one);
    sigaddset(&one, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &one, &before);
    kill(getpid(), SIGUSR1);
    nanosleep(&moment, NULL);
    sigpending(&pending);
    assert_true(sigismember(&pending, SIGUSR1));
    assert_int_equal(sigwait(&one, &taken), 0);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    b->ops->close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(right_at_every_speed),
        cmocka_unit_test(the_same_calls_at_every_speed),
        cmocka_unit_test(a_link_is_never_early),
        cmocka_unit_test(a_shared_wire_carries_one_thing_at_a_time),
        cmocka_unit_test(a_link_slower_than_time),
        cmocka_unit_test(close_finishes_what_is_under_way),
        cmocka_unit_test(a_full_queue_holds_the_caller_back),
        cmocka_unit_test(steps_ask_for_no_memory),
        cmocka_unit_test(threads_leave_signals_alone),
        cmocka_unit_test(killed_in_the_middle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
