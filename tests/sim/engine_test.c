/* Tasks, dependencies and resources on hand-worked graphs. */
#include "tests/sim/test.h"

#include "sim/engine.h"
#include "sim/status.h"

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
    int stream = engine_resource(e, 1);
    int a = engine_compute(e, stream, 10, 0), b = engine_compute(e, stream, 5, 0), c = engine_compute(e, stream, 7, 0);
    int late = engine_compute(e, stream, 1, 0);

    (void)state;
    engine_after(e, b, a); /* b is ready only when a has ended: c, ready from the start, goes first */
    engine_after(e, late, a);
    assert_int_equal(engine_run(e), SIM_OK);
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
    int pool = engine_resource(e, 2), task[5];

    (void)state;
    for (int i = 0; i < 5; i++)
        task[i] = engine_compute(e, pool, 10 * (i + 1), 0);
    assert_int_equal(engine_run(e), SIM_OK);
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
    int copies = engine_resource(e, 1);
    uint32_t link = (uint32_t)engine_channel(e, 1e9); /* a byte is 1000 ps */
    int a = engine_transfer(e, copies, &link, 1, 1000, 5000, 3),
        b = engine_transfer(e, copies, &link, 1, 2000, 5000, 3);
    int done = engine_sync(e);
    int64_t row_ps;

    (void)state;
    engine_after(e, done, a);
    engine_after(e, done, b);
    assert_int_equal(engine_run(e), SIM_OK);
    check(e, a, 0, 5000 + 1000000);
    check(e, b, 1005000, 1005000 + 5000 + 2000000);
    check(e, done, 3010000, 3010000);
    assert_int_equal(engine_row_ps(e, 3, &row_ps), SIM_OK);
    assert_int_equal(row_ps, 3010000);
    assert_int_equal(engine_channel_state(e, (int)link)->busy_ps, 3000000);
    engine_free(e);
}

static void row_is_a_union_of_intervals(void **state)
{
    struct engine *e = engine_new();
    int one = engine_resource(e, 1), two = engine_resource(e, 1), gap = engine_resource(e, 1);
    int64_t row_ps;

    (void)state;
    engine_compute(e, one, 10, 1);
    engine_compute(e, two, 6, 1); /* inside the first */
    int wait = engine_compute(e, gap, 30, 0);
    int later = engine_compute(e, one, 4, 1);
    engine_after(e, later, wait); /* 30 to 34 */
    assert_int_equal(engine_run(e), SIM_OK);
    assert_int_equal(engine_row_ps(e, 1, &row_ps), SIM_OK);
    assert_int_equal(row_ps, 14);
    assert_int_equal(engine_row_ps(e, 2, &row_ps), SIM_OK);
    assert_int_equal(row_ps, 0);
    engine_free(e);
}

static void errors_are_remembered(void **state)
{
    struct engine *cycle = engine_new(), *bad = engine_new(), *long_ = engine_new();

    (void)state;
    int a = engine_sync(cycle), b = engine_sync(cycle);
    engine_after(cycle, a, b);
    engine_after(cycle, b, a);
    assert_int_equal(engine_run(cycle), SIM_ECYCLE);

    engine_compute(bad, 9, 1, 0); /* no such resource */
    assert_int_equal(engine_sync(bad), -1);
    assert_int_equal(engine_run(bad), SIM_EINVAL);

    int stream = engine_resource(long_, 1);
    engine_compute(long_, stream, INT64_MAX, 0);
    engine_compute(long_, stream, INT64_MAX, 0);
    assert_int_equal(engine_run(long_), SIM_ERANGE);
    engine_free(cycle);
    engine_free(bad);
    engine_free(long_);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stream_serves_in_order_of_arrival),
        cmocka_unit_test(pool_runs_as_many_as_it_has_slots),
        cmocka_unit_test(copy_engine_serialises_and_latency_counts),
        cmocka_unit_test(row_is_a_union_of_intervals),
        cmocka_unit_test(errors_are_remembered),
    };
    return cmocka_run_group_tests_name("engine", tests, NULL, NULL);
}
