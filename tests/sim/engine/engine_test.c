/* Tasks, dependencies and resources on hand-worked graphs. */

#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/engine/engine.h"
#include "sim/engine/timeline.h"
#include "tests/test.h"

static void check(const struct engine *e, int task, int64_t start_ps, int64_t end_ps)
{
    int64_t start, end;

    engine_task(e, task, &start, &end);
    assert_int_equal(start, start_ps);
    assert_int_equal(end, end_ps);
}

static void stream_serves_in_order_of_arrival(void **state)
{
    struct engine *e = engine_new();
    int stream = engine_resource(e, "gpu", 0, 1);
    int a = engine_compute(e, stream, 10, 0), b = engine_compute(e, stream, 5, 0), c = engine_compute(e, stream, 7, 0);
    int late = engine_compute(e, stream, 1, 0);

    (void)state;
    engine_after(e, b, a); /* b is ready only when a has ended: c, ready from the start, goes first */
    engine_after(e, late, a);
    assert_int_equal(engine_run(e), E_OK);
    check(e, a, 0, 10);
    check(e, c, 10, 17);
    check(e, b, 17, 22);
    check(e, late, 22, 23);
    assert_int_equal(engine_end_ps(e), 23);
    engine_free(e);
}

static void pool_runs_as_many_as_it_has_slots(void **state)
{
    struct engine *e = engine_new();
    int pool = engine_resource(e, "cpu", 0, 2), task[5];

    (void)state;
    for (int i = 0; i < 5; i++)
        task[i] = engine_compute(e, pool, 10 * (i + 1), 0);
    assert_int_equal(engine_run(e), E_OK);
    check(e, task[0], 0, 10);
    check(e, task[1], 0, 20);
    check(e, task[2], 10, 40);
    check(e, task[3], 20, 60);
    check(e, task[4], 40, 90);
    engine_free(e);
}

static void copy_engine_serialises_and_latency_counts(void **state)
{
    struct engine *e = engine_new();
    int copies = engine_resource(e, "gpu", 0, 1);
    uint32_t link = (uint32_t)engine_channel(e, "pcie", 0, 1e9); /* a byte is 1000 ps */
    int route = engine_route(e, &link, 1);
    int a = engine_transfer(e, copies, route, 1000, 5000, 3), b = engine_transfer(e, copies, route, 2000, 5000, 3);
    int done = engine_sync(e);
    struct channel_state carried;
    int64_t row_ps;

    (void)state;
    engine_after(e, done, a);
    engine_after(e, done, b);
    assert_int_equal(engine_run(e), E_OK);
    check(e, a, 0, 5000 + 1000000);
    check(e, b, 1005000, 1005000 + 5000 + 2000000);
    check(e, done, 3010000, 3010000);
    assert_int_equal(engine_row_ps(e, 3, &row_ps), E_OK);
    assert_int_equal(row_ps, 3010000);
    engine_channel_state(e, (int)link, &carried);
    assert_int_equal(carried.busy_ps, 3000000);
    assert_int_equal(carried.sent_bytes, 3000);
    assert_int_equal(engine_resource_busy_ps(e, copies), 3010000);
    engine_free(e);
}

static void row_is_a_union_of_intervals(void **state)
{
    struct engine *e = engine_new();
    int one = engine_resource(e, "gpu", 0, 1), two = engine_resource(e, "gpu", 0, 1),
        gap = engine_resource(e, "gpu", 0, 1);
    int64_t row_ps;

    (void)state;
    engine_compute(e, one, 10, 1);
    engine_compute(e, two, 6, 1); /* inside the first */
    int wait = engine_compute(e, gap, 30, 0);
    int later = engine_compute(e, one, 4, 1);
    engine_after(e, later, wait); /* 30 to 34 */
    int last = engine_compute(e, one, 7, 3);
    engine_after(e, last, later);
    engine_compute(e, two, 5, 3); /* added later, and earlier: 6 to 11, before 34 to 41 */
    assert_int_equal(engine_run(e), E_OK);
    assert_int_equal(engine_row_ps(e, 1, &row_ps), E_OK);
    assert_int_equal(row_ps, 14);
    assert_int_equal(engine_row_ps(e, 3, &row_ps), E_OK);
    assert_int_equal(row_ps, 12);
    assert_int_equal(engine_row_ps(e, 2, &row_ps), E_OK);
    assert_int_equal(row_ps, 0);
    engine_free(e);
}

/* Three pushes of 10, 20 and 100 ps; the update waits for all but one of them. */
static void quorum_does_not_wait_for_the_last(void **state)
{
    (void)state;
    for (int missing = 0; missing <= 4; missing++) {
        static const int64_t starts[] = { 100, 20, 10, 0, 0 };
        struct engine *e = engine_new();
        int update = engine_sync(e), straggler = -1;
        for (int i = 0; i < 3; i++) {
            static const int64_t lasts[] = { 20, 100, 10 };
            int push = engine_compute(e, engine_resource(e, "gpu", i, 1), lasts[i], 0);
            engine_after(e, update, push);
            straggler = i == 1 ? push : straggler;
        }
        engine_all_but(e, update, missing);
        assert_int_equal(engine_run(e), E_OK);
        check(e, update, starts[missing], starts[missing]);
        check(e, straggler, 0, 100); /* it still runs to its end */
        engine_free(e);
    }
}

static void nothing_starts_before_its_time(void **state)
{
    struct engine *e = engine_new();
    int gpu = engine_resource(e, "gpu", 0, 1);
    int early = engine_compute(e, gpu, 10, 0), dated = engine_compute(e, gpu, 5, 0),
        past = engine_compute(e, gpu, 1, 0);

    (void)state;
    engine_not_before(e, dated, 40);
    engine_not_before(e, past, 3);
    engine_after(e, past, early);
    assert_int_equal(engine_run(e), E_OK);
    check(e, early, 0, 10);
    check(e, past, 10, 11);
    check(e, dated, 40, 45);
    engine_free(e);
}

struct shares {
    int64_t gpu, eth, wait, other;
};

static void count(void *context, const char *kind, int64_t ps)
{
    struct shares *s = context;

    *(!strcmp(kind, "gpu")    ? &s->gpu
      : !strcmp(kind, "eth")  ? &s->eth
      : !strcmp(kind, "wait") ? &s->wait
                              : &s->other) += ps;
}

/* gpu 0..10, transfer 10..(10 + 3 + 20), a task that another keeps waiting for its slot, and a pause. */
static void critical_path_lays_every_picosecond_once(void **state)
{
    struct engine *e = engine_new();
    int gpu = engine_resource(e, "gpu", 0, 1), nic = engine_resource(e, "sender", 0, 1);
    uint32_t link = (uint32_t)engine_channel(e, "eth", 0, 1e12);
    int route = engine_route(e, &link, 1);
    int forward = engine_compute(e, gpu, 10, 0);
    int push = engine_transfer(e, nic, route, 20, 3, 1);
    int blocker = engine_compute(e, gpu, 50, 0); /* takes the GPU from 10 to 60 */
    int update = engine_compute(e, gpu, 5, 2);
    int late = engine_compute(e, gpu, 7, 2);
    struct shares s = { 0 };
    struct task_view v;

    (void)state;
    engine_after(e, push, forward);
    engine_after(e, update, push);
    engine_after(e, late, update);
    engine_not_before(e, late, 100);
    engine_item(e, push, 4);
    assert_int_equal(engine_run(e), E_OK);
    check(e, push, 10, 33);
    check(e, update, 60, 65);
    check(e, late, 100, 107);

    engine_view(e, update, &v);
    assert_int_equal(v.cause, blocker); /* ready at 33, but the GPU was given back at 60 */
    engine_view(e, push, &v);
    assert_int_equal(v.cause, forward);
    assert_int_equal(v.channel, (int)link);
    assert_int_equal(v.bytes, 20);
    assert_int_equal(v.item, 4);

    assert_int_equal(engine_critical(e, 0, 107, count, &s), E_OK);
    assert_int_equal(s.gpu, 10 + 50 + 5 + 7);
    assert_int_equal(s.eth, 0); /* hidden behind the blocker */
    assert_int_equal(s.wait, 35);
    assert_int_equal(s.other, 0);

    s = (struct shares){ 0 };
    assert_int_equal(engine_critical(e, 5, 33, count, &s), E_OK);
    assert_int_equal(s.eth, 23);
    assert_int_equal(s.gpu, 5);
    engine_free(e);
}

/* A transfer over no channels, and one of no bytes: as long as their latency. */
static void empty_transfers_take_their_latency(void **state)
{
    struct engine *e = engine_new();
    uint32_t link = (uint32_t)engine_channel(e, "eth", 0, 1e9);
    int none = engine_route(e, NULL, 0), one = engine_route(e, &link, 1);
    int within = engine_transfer(e, ENGINE_NO_RESOURCE, none, 1000000, 8, 0);
    int empty = engine_transfer(e, ENGINE_NO_RESOURCE, one, 0, 9, 0);

    (void)state;
    assert_int_equal(engine_run(e), E_OK);
    check(e, within, 0, 8);
    check(e, empty, 0, 9);
    engine_free(e);
}

static void name_conv(const void *context, size_t item, char *name, size_t size)
{
    (void)context;
    snprintf(name, size, "conv%zu", item + 1);
}

static void timeline_has_every_task_that_took_time(void **state)
{
    static const char *const rows[] = { "forward", "push" };
    struct engine *e = engine_new();
    int pool = engine_resource(e, "cpu", 3, 2);
    uint32_t link = (uint32_t)engine_channel(e, "eth", 1, 1e9);
    int route = engine_route(e, &link, 1);
    struct timeline t = { 0 }, window = { .from_ps = 12, .to_ps = 20, .most = 1 };

    (void)state;
    engine_item(e, engine_compute(e, pool, 10, 0), 0);
    engine_compute(e, pool, 15, 0);
    int push = engine_transfer(e, ENGINE_NO_RESOURCE, route, 10, 0, 1);
    engine_after(e, push, engine_compute(e, pool, 4, 7));
    engine_sync(e);
    assert_int_equal(engine_run(e), E_OK);
    assert_int_equal(timeline_take(&t, e, rows, 2, name_conv, NULL), E_OK);
    assert_int_equal(t.nspans, 4);
    assert_string_equal(t.spans[0].name, "forward conv1");
    assert_string_equal(t.spans[1].name, "forward");
    assert_int_equal(t.spans[1].slot, 1);
    assert_string_equal(t.spans[2].name, "task 3");
    assert_int_equal(t.spans[2].slot, 0);
    assert_int_equal(t.spans[2].start_ps, 10);
    assert_string_equal(t.spans[3].name, "push");
    assert_string_equal(t.tracks[t.spans[3].track].name, "eth 1");
    assert_string_equal(t.tracks[t.spans[0].track].name, "cpu 3");
    assert_int_equal(t.spans[3].bytes, 10);
    assert_int_equal(timeline_take(&window, e, rows, 2, name_conv, NULL), E_OK);
    assert_int_equal(window.nspans, 1);
    assert_int_equal(window.left_out, 2);
    assert_int_equal(window.spans[0].end_ps, 15);
    timeline_free(&t);
    timeline_free(&window);
    engine_free(e);
}

static void errors_are_remembered(void **state)
{
    struct engine *cycle = engine_new(), *bad = engine_new(), *long_ = engine_new();

    (void)state;
    int a = engine_sync(cycle), b = engine_sync(cycle);
    engine_after(cycle, a, b);
    engine_after(cycle, b, a);
    assert_int_equal(engine_run(cycle), E_CYCLE);

    engine_compute(bad, 9, 1, 0); /* no such resource */
    assert_int_equal(engine_sync(bad), -1);
    assert_int_equal(engine_run(bad), E_INVAL);

    int stream = engine_resource(long_, "gpu", 0, 1);
    engine_compute(long_, stream, INT64_MAX, 0);
    engine_compute(long_, stream, INT64_MAX, 0);
    assert_int_equal(engine_run(long_), E_RANGE);
    engine_free(cycle);
    engine_free(bad);
    engine_free(long_);
}

/* A group of three in a line for one slot: the first has begun when the gate ends, the others are void; who stands
 * behind them has the slot at once, and what comes after them waits for nothing. A gate that ends before 'over' voids
 * nothing. */
static void a_group_comes_to_nothing(void **state)
{
    (void)state;
    for (int soon = 0; soon < 2; soon++) {
        struct engine *e = engine_new();
        int stream = engine_resource(e, "gpu", 0, 1), group = engine_group(e), task[3], behind, later;
        uint32_t link = (uint32_t)engine_channel(e, "nic", 0, 1e9);
        int route = engine_route(e, &link, 1);
        int gate = engine_compute(e, ENGINE_NO_RESOURCE, 5, 7),
            over = engine_compute(e, ENGINE_NO_RESOURCE, soon ? 4 : 6, 7);

        for (int i = 0; i < 2; i++)
            task[i] = engine_compute(e, stream, 10, 1);
        task[2] = engine_transfer(e, ENGINE_NO_RESOURCE, route, 1000, 3, 1);
        for (int i = 0; i < 3; i++)
            engine_in_group(e, task[i], group);
        engine_after(e, task[2], task[1]);
        behind = engine_compute(e, stream, 10, 2);
        later = engine_compute(e, ENGINE_NO_RESOURCE, 1, 3);
        engine_after(e, later, task[2]);
        engine_void_if(e, gate, group, over);
        assert_int_equal(engine_run(e), E_OK);
        int64_t start_ps, end_ps;
        engine_task(e, task[0], &start_ps, &end_ps);
        assert_true(start_ps == 0 && end_ps == 10 && !engine_was_void(e, task[0]));
        engine_task(e, task[1], &start_ps, &end_ps);
        assert_true(start_ps == 10 && end_ps == (soon ? 10 : 20) && engine_was_void(e, task[1]) == soon);
        engine_task(e, task[2], &start_ps, &end_ps);
        assert_true(end_ps == (soon ? 10 : 20 + 3 + 1000000) && engine_was_void(e, task[2]) == soon);
        engine_task(e, behind, &start_ps, &end_ps);
        assert_true(start_ps == (soon ? 10 : 20));
        engine_task(e, later, &start_ps, &end_ps);
        assert_true(end_ps == (soon ? 11 : 1000024));
        assert_int_equal(engine_resource_busy_ps(e, stream), soon ? 20 : 30);
        struct channel_state state_of_link;
        engine_channel_state(e, (int)link, &state_of_link);
        assert_int_equal(state_of_link.sent_bytes, soon ? 0 : 1000);
        engine_free(e);
    }
    /* One decision for a group, one group for a task. */
    struct engine *e = engine_new();
    int group = engine_group(e), a = engine_sync(e), b = engine_sync(e);
    engine_in_group(e, a, group);
    engine_in_group(e, a, engine_group(e));
    assert_int_equal(engine_run(e), E_INVAL);
    engine_free(e);
    e = engine_new();
    group = engine_group(e), a = engine_sync(e), b = engine_sync(e);
    engine_void_if(e, a, group, b);
    engine_void_if(e, b, group, a);
    assert_int_equal(engine_run(e), E_INVAL);
    engine_free(e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_serves_in_order_of_arrival),
        cmocka_unit_test(pool_runs_as_many_as_it_has_slots),
        cmocka_unit_test(copy_engine_serialises_and_latency_counts),
        cmocka_unit_test(row_is_a_union_of_intervals),
        cmocka_unit_test(quorum_does_not_wait_for_the_last),
        cmocka_unit_test(nothing_starts_before_its_time),
        cmocka_unit_test(critical_path_lays_every_picosecond_once),
        cmocka_unit_test(empty_transfers_take_their_latency),
        cmocka_unit_test(timeline_has_every_task_that_took_time),
        cmocka_unit_test(errors_are_remembered),
        cmocka_unit_test(a_group_comes_to_nothing),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
