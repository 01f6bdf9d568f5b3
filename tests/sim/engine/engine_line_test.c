/* Who goes first in line for a resource, and what holds a slot longer than one task. */

#include "model/status.h"
#include "sim/engine/engine.h"
#include "tests/test.h"

static void check(const struct engine *e, int task, int64_t start_ps, int64_t end_ps)
{
    int64_t start, end;

    engine_task(e, task, &start, &end);
    assert_int_equal(start, start_ps);
    assert_int_equal(end, end_ps);
}

/* All come while the first runs; equals in the order in which they came. */
static void lowest_priority_goes_first(void **state)
{
    static const int priorities[] = { 0, 3, 0, -1, 3, 2, -1, 0, 5, 2 };
    static const int order[] = { 0, 3, 6, 2, 7, 5, 9, 1, 4, 8 };
    struct engine *e = engine_new();
    int stream = engine_resource(e, "gpu", 0, 1), task[COUNT(priorities)];

    (void)state;
    for (size_t i = 0; i < COUNT(priorities); i++) {
        task[i] = engine_compute(e, stream, 10, 0);
        engine_priority(e, task[i], priorities[i]);
    }
    assert_int_equal(engine_run(e), E_OK);
    for (size_t i = 0; i < COUNT(order); i++)
        check(e, task[order[i]], 10 * (int64_t)i, 10 * (int64_t)i + 10);
    engine_free(e);
}

/* Who comes later may still overtake those that wait, but not the one that runs. */
static void latecomers_overtake(void **state)
{
    struct engine *e = engine_new();
    int stream = engine_resource(e, "gpu", 0, 1);
    int a = engine_compute(e, stream, 10, 0), b = engine_compute(e, stream, 10, 0),
        c = engine_compute(e, stream, 10, 0);
    int urgent = engine_compute(e, stream, 1, 0), last = engine_compute(e, stream, 1, 0);

    (void)state;
    engine_not_before(e, urgent, 15);
    engine_priority(e, urgent, -1);
    engine_not_before(e, last, 16);
    assert_int_equal(engine_run(e), E_OK);
    check(e, a, 0, 10);
    check(e, b, 10, 20);
    check(e, urgent, 20, 21);
    check(e, c, 21, 31);
    check(e, last, 31, 32);
    engine_free(e);
}

/* Two chains at once through two slots; the third begins when the first of them is over, whichever that is. */
static void a_chain_holds_its_slot(void **state)
{
    struct engine *e = engine_new();
    int places = engine_resource(e, "place", 0, 2), first[3], last[3];
    static const int64_t lasts[] = { 50, 20, 5 };
    struct task_view v;

    (void)state;
    for (int i = 0; i < 3; i++) {
        first[i] = engine_compute(e, places, 1, 0);
        last[i] = engine_compute(e, ENGINE_NO_RESOURCE, lasts[i], 0);
        engine_after(e, last[i], first[i]);
        engine_hold(e, first[i], last[i]);
    }
    assert_int_equal(engine_run(e), E_OK);
    check(e, first[0], 0, 1);
    check(e, first[1], 0, 1);
    check(e, last[1], 1, 21);
    check(e, first[2], 21, 22);
    check(e, last[2], 22, 27);
    check(e, last[0], 1, 51);
    engine_view(e, first[2], &v);
    assert_int_equal(v.cause, last[1]);
    assert_int_equal(engine_resource_busy_ps(e, places), 51 + 21 + 6);
    engine_free(e);
}

/* The task that is waited for may end before the holder does. */
static void both_must_have_ended(void **state)
{
    struct engine *e = engine_new();
    int places = engine_resource(e, "place", 0, 1), brief = engine_compute(e, ENGINE_NO_RESOURCE, 3, 0);
    int holder = engine_compute(e, places, 10, 0), next = engine_compute(e, places, 1, 0);

    (void)state;
    engine_hold(e, holder, brief);
    assert_int_equal(engine_run(e), E_OK);
    check(e, next, 10, 11);
    engine_free(e);
}

static void holding_needs_a_slot(void **state)
{
    (void)state;
    for (int i = 0; i < 4; i++) {
        struct engine *e = engine_new();
        int places = engine_resource(e, "place", 0, 1), a = engine_compute(e, places, 1, 0),
            b = engine_compute(e, places, 1, 0), none = engine_sync(e);
        switch (i) {
        case 0: engine_hold(e, none, a); break;
        case 1: engine_hold(e, a, a); break;
        case 2: engine_hold(e, a, none), engine_hold(e, b, none); break;
        default: engine_hold(e, a, none), engine_hold(e, a, b); break;
        }
        assert_int_equal(engine_run(e), E_INVAL);
        engine_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lowest_priority_goes_first), cmocka_unit_test(latecomers_overtake),
        cmocka_unit_test(a_chain_holds_its_slot),     cmocka_unit_test(both_must_have_ended),
        cmocka_unit_test(holding_needs_a_slot),
    };
    return cmocka_run_group_tests_name("engine_line", tests, NULL, NULL);
}
