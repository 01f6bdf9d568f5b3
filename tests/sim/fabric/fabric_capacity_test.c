/* Capacities that change while flows are under way: rates are those of links that had them from the start. */
#include "tests/draw.h"
#include "tests/test.h"

#include <math.h>

#include "model/status.h"
#include "sim/fabric/fabric.h"

enum { CHANNELS = 12, ROUTES = 24, FLOWS = 40 };

/* One flow on a link that halves and recovers: 400 B at 1 B/ps, 200 B in 400 ps, 400 B. */
static void a_flow_follows_its_link(void **state)
{
    struct fabric *f = fabric_new();
    const uint32_t channel = 0;
    int64_t at_ps = 0;
    struct channel_state s;

    (void)state;
    assert_int_equal(fabric_channel(f, 1e12), 0);
    assert_int_equal(fabric_route(f, &channel, 1), 0);
    assert_int_equal(fabric_start(f, 0, 1000, 0, 7), E_OK);
    assert_int_equal(fabric_settle(f, 0), E_OK);
    assert_int_equal(fabric_capacity(f, 0, 0.5e12, 400), E_OK);
    assert_int_equal(fabric_settle(f, 400), E_OK);
    assert_true(fabric_next(f, &at_ps));
    assert_int_equal(at_ps, 1600);
    assert_int_equal(fabric_capacity(f, 0, 1e12, 800), E_OK);
    assert_int_equal(fabric_settle(f, 800), E_OK);
    assert_true(fabric_next(f, &at_ps));
    assert_int_equal(at_ps, 1200);
    uint32_t tag;
    assert_true(fabric_end(f, at_ps, &tag));
    assert_int_equal(fabric_settle(f, at_ps), E_OK);
    fabric_channel_state(f, 0, at_ps, &s);
    assert_true(fabs(s.carried_B - 1000) < 1e-6 && s.sent_bytes == 1000);
    fabric_close(f, at_ps);
    fabric_free(f);
}

static void nonsense_is_refused(void **state)
{
    struct fabric *f = fabric_new();

    (void)state;
    assert_int_equal(fabric_channel(f, 1e9), 0);
    assert_int_equal(fabric_channel(f, 1e9), 1);
    assert_int_equal(fabric_bucket(f, 1, 10), E_OK);
    assert_int_equal(fabric_capacity(f, 0, 0, 0), E_INVAL);
    assert_int_equal(fabric_capacity(f, 0, NAN, 0), E_INVAL);
    assert_int_equal(fabric_capacity(f, 1, 1e9, 0), E_INVAL);
    assert_int_equal(fabric_capacity(f, 2, 1e9, 0), E_INVAL);
    fabric_free(f);
}

static struct fabric *cluster(const double capacity_Bps[], const uint64_t crossed[])
{
    struct fabric *f = fabric_new();

    for (size_t i = 0; i < CHANNELS; i++)
        assert_int_equal(fabric_channel(f, capacity_Bps[i]), i);
    for (size_t r = 0; r < ROUTES; r++) {
        uint32_t hops[CHANNELS];
        size_t n = 0;
        for (uint32_t i = 0; i < CHANNELS; i++)
            if (crossed[r] >> i & 1)
                hops[n++] = i;
        assert_int_equal(fabric_route(f, hops, n), r);
    }
    return f;
}

static void start(struct fabric *f, const uint32_t route[])
{
    for (uint32_t i = 0; i < FLOWS; i++)
        assert_int_equal(fabric_start(f, route[i], (int64_t)1 << 40, 0, i), E_OK);
    assert_int_equal(fabric_settle(f, 0), E_OK);
}

static void changes_end_where_a_start_would(void **state)
{
    uint64_t seed = 20;

    (void)state;
    for (int round = 0; round < 300; round++) {
        double capacity_Bps[CHANNELS];
        uint64_t crossed[ROUTES];
        uint32_t route[FLOWS];
        for (size_t i = 0; i < CHANNELS; i++)
            capacity_Bps[i] = 1e9 * (1 + (double)(draw(&seed) % 20));
        for (size_t i = 0; i < ROUTES; i++)
            crossed[i] = (uint64_t)1 << draw(&seed) % CHANNELS | (uint64_t)1 << draw(&seed) % CHANNELS;
        for (size_t i = 0; i < FLOWS; i++)
            route[i] = (uint32_t)(draw(&seed) % ROUTES);
        struct fabric *f = cluster(capacity_Bps, crossed);
        start(f, route);
        for (int64_t change = 1; change <= 12; change++) {
            for (uint64_t k = draw(&seed) % 4; k < 4; k++) {
                uint32_t channel = (uint32_t)(draw(&seed) % CHANNELS);
                capacity_Bps[channel] = 1e9 * (1 + (double)(draw(&seed) % 20));
                assert_int_equal(fabric_capacity(f, channel, capacity_Bps[channel], change), E_OK);
            }
            assert_int_equal(fabric_settle(f, change), E_OK);
            struct fabric *fresh = cluster(capacity_Bps, crossed);
            start(fresh, route);
            for (uint32_t i = 0; i < FLOWS; i++) {
                double got = fabric_rate_Bps(f, i), want = fabric_rate_Bps(fresh, i);
                if (!(fabs(got - want) <= 1e-12 * want))
                    fail_msg("round %d, change %d, flow %u: %.17g, want %.17g", round, (int)change, i, got, want);
            }
            fabric_free(fresh);
        }
        fabric_free(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_flow_follows_its_link),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(changes_end_where_a_start_would),
    };
    return cmocka_run_group_tests_name("fabric_capacity", tests, NULL, NULL);
}
