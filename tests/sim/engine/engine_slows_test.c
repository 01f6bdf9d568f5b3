/* Links that are slower while tasks compute. */
#include "model/status.h"
#include "sim/engine/engine.h"
#include "tests/test.h"

/* 1000 B over a link of 1 B/ps, from 0 on. */
static void transfers_are_slower_meanwhile(void **state)
{
    static const struct {
        int64_t from_ps, lasts_ps, second_ps; /* two tasks that compute; the second one begins there */
        double share;
        int64_t want_ps;
    } rows[] = {
        { 0, 0, 5000, 0.5, 1000 },     /* no time at all */
        { 100, 200, 5000, 0.5, 1100 }, /* one */
        { 100, 200, 300, 0.5, 1200 },  /* without a pause */
        { 100, 200, 600, 0.5, 1200 },  /* with a pause */
        { 100, 200, 200, 0.5, 1150 },  /* at once for a while: as slow as with one */
        { 100, 200, 5000, 0.25, 1150 }, { 0, 4000, 5000, 0.25, 4000 }, { 0, 4000, 5000, 1, 1000 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct engine *e = engine_new();
        int link = engine_channel(e, "pcie", 0, 1e12);
        uint32_t hop = (uint32_t)link;
        int move = engine_transfer(e, ENGINE_NO_RESOURCE, engine_route(e, &hop, 1), 1000, 0, 0);
        for (int k = 0; k < 2; k++) {
            int task = engine_compute(e, ENGINE_NO_RESOURCE, rows[i].lasts_ps, 0);
            engine_not_before(e, task, k ? rows[i].second_ps : rows[i].from_ps);
            engine_slows(e, task, link, rows[i].share);
        }
        assert_int_equal(engine_run(e), E_OK);
        assert_int_equal(engine_ended_ps(e, move), rows[i].want_ps);
        struct channel_state s;
        engine_channel_state(e, link, &s);
        assert_true(s.capacity_Bps == 1e12);
        engine_free(e);
    }
}

static void nonsense_is_refused(void **state)
{
    (void)state;
    for (int i = 0; i < 6; i++) {
        struct engine *e = engine_new();
        int link = engine_channel(e, "pcie", 0, 1e12), task = engine_compute(e, ENGINE_NO_RESOURCE, 10, 0);
        uint32_t hop = (uint32_t)link;
        int move = engine_transfer(e, ENGINE_NO_RESOURCE, engine_route(e, &hop, 1), 1000, 0, 0);
        engine_slows(e, i == 0 ? move : i == 1 ? 7 : task, i == 2 ? 1 : link, i == 3 ? 0 : i == 4 ? 1.5 : 0.5);
        if (i == 5)
            engine_slows(e, task, link, 0.25); /* one share for all */
        assert_int_equal(engine_run(e), E_INVAL);
        engine_free(e);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfers_are_slower_meanwhile),
        cmocka_unit_test(nonsense_is_refused),
    };
    return cmocka_run_group_tests_name("engine_slows", tests, NULL, NULL);
}
