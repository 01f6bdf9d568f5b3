/* Token buckets against what can be worked out by hand, to the picosecond. */

#include <inttypes.h>
#include <math.h>

#include "model/status.h"
#include "sim/fabric/flow_player.h"
#include "tests/test.h"

enum { MAX_FLOWS = 4, MAX_CHANNELS = 2 };

/* One flow: its way as a list of channels from 1, 0 for "no more". */
struct leg {
    uint32_t way[MAX_CHANNELS];
    int64_t bytes, start_ps, end_ps;
};

static const struct {
    const char *why;
    double capacity_Bps[MAX_CHANNELS], burst_B[MAX_CHANNELS];
    struct leg flows[MAX_FLOWS];
} cases[] = {
    { "no bucket", { 1e9 }, { 0 }, { { { 1 }, 1000, 5, 1000005 } } },
    { "all of it passes", { 1e9 }, { 1000 }, { { { 1 }, 1000, 5, 5 } } },
    { "the burst passes, the rest takes the rate", { 1e9 }, { 4000 }, { { { 1 }, 10000, 5, 6000005 } } },
    { "a part of a byte passes", { 1e9 }, { 999.5 }, { { { 1 }, 1000, 0, 500 } } },
    { "nothing to move", { 1e9 }, { 10 }, { { { 1 }, 0, 7, 7 }, { { 0 }, 1000, 8, 8 } } },
    { "half a microsecond fills half of the bucket",
      { 1e9 },
      { 1000 },
      { { { 1 }, 1000, 0, 0 }, { { 1 }, 1000, 500000, 1000000 } } },
    { "it fills up to the burst", { 1e9 }, { 1000 }, { { { 1 }, 1000, 0, 0 }, { { 1 }, 3000, 10000000, 12000000 } } },
    { "what is left stays in it", { 1e9 }, { 1000 }, { { { 1 }, 400, 0, 0 }, { { 1 }, 1000, 0, 400000 } } },
    { "a channel that is full fills no bucket",
      { 1e9 },
      { 1000 },
      { { { 1 }, 5000, 0, 4000000 }, { { 1 }, 1000, 4000000, 5000000 } } },
    { "who starts first takes all", { 1e9 }, { 2000 }, { { { 1 }, 2000, 0, 0 }, { { 1 }, 2000, 0, 2000000 } } },
    /* 1000 and 3000 B are left to move: half of the rate each for 2 us, then 2000 B at all of it. */
    { "the rest is shared", { 1e9 }, { 2000 }, { { { 1 }, 3000, 0, 2000000 }, { { 1 }, 3000, 0, 4000000 } } },
    /* 1000 of 2000 B pass, and 2000 tokens stay in the second bucket. */
    { "the emptiest bucket limits",
      { 1e9, 1e9 },
      { 1000, 3000 },
      { { { 1, 2 }, 2000, 0, 1000000 }, { { 2 }, 2000, 1000000, 1000000 } } },
    { "a channel without a bucket does not limit",
      { 1e6, 1e9 },
      { 0, 3000 },
      { { { 1, 2 }, 3000, 0, 0 }, { { 1 }, 1, 0, 1000000 } } },
    /* The first leaves 3 GB/s of the second channel unused: 600 B in 200 ns; then 3000 B take 1 us at these 3 GB/s. */
    { "what is not used fills the bucket",
      { 1e9, 4e9 },
      { 0, 1000 },
      { { { 1, 2 }, 10000, 0, 9000000 }, { { 2 }, 3600, 200000, 1200000 } } },
};

static int note_end(void *context, uint32_t tag, int64_t at_ps)
{
    int64_t *end_ps = context;

    assert_int_equal(end_ps[tag], -1);
    end_ps[tag] = at_ps;
    return E_OK;
}

static void ends_to_the_picosecond(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fabric *f = fabric_new();
        struct flow_player *p = flow_player_new(f);
        int64_t end_ps[MAX_FLOWS];
        uint32_t n = 0;
        for (uint32_t c = 0; c < MAX_CHANNELS && cases[i].capacity_Bps[c] > 0; c++) {
            assert_int_equal(fabric_channel(f, cases[i].capacity_Bps[c]), c);
            assert_int_equal(fabric_bucket(f, c, cases[i].burst_B[c]), E_OK);
        }
        for (; n < MAX_FLOWS && (cases[i].flows[n].way[0] || cases[i].flows[n].bytes); n++) {
            const struct leg *leg = &cases[i].flows[n];
            size_t hops = !leg->way[0] ? 0 : leg->way[1] ? 2 : 1;
            int64_t route = fabric_route(f, (uint32_t[]){ leg->way[0] - 1, leg->way[1] - 1 }, hops);
            end_ps[n] = -1;
            assert_int_equal(flow_player_post(p, (uint32_t)route, leg->bytes, leg->start_ps, n), E_OK);
        }
        assert_int_equal(flow_player_run(p, note_end, end_ps), E_OK);
        for (uint32_t k = 0; k < n; k++)
            if (end_ps[k] != cases[i].flows[k].end_ps)
                fail_msg("%s: flow %u ended at %" PRId64 " ps, not %" PRId64, cases[i].why, k + 1, end_ps[k],
                         cases[i].flows[k].end_ps);
        flow_player_free(p);
        fabric_free(f);
    }
}

/* What passed at once was carried, and took no time. */
static void what_passes_is_carried(void **state)
{
    struct fabric *f = fabric_new();
    struct channel_state c;
    int64_t at_ps;
    uint32_t tag;

    (void)state;
    assert_int_equal(fabric_channel(f, 1e9), 0);
    assert_int_equal(fabric_bucket(f, 0, 1000), E_OK);
    assert_int_equal(fabric_route(f, (uint32_t[]){ 0 }, 1), 0);
    assert_int_equal(fabric_start(f, 0, 600, 0, 1), E_OK);
    assert_int_equal(fabric_start(f, 0, 900, 0, 2), E_OK);
    assert_int_equal(fabric_settle(f, 0), E_OK);
    assert_true(fabric_rate_Bps(f, 1) == 0 && fabric_rate_Bps(f, 2) == 1e9);
    fabric_channel_state(f, 0, 0, &c);
    assert_true(c.carried_B == 1000);
    assert_true(fabric_next(f, &at_ps) && at_ps == 0 && fabric_end(f, 0, &tag) && tag == 1);
    assert_int_equal(fabric_settle(f, 0), E_OK);
    assert_true(fabric_next(f, &at_ps) && at_ps == 500000 && fabric_end(f, at_ps, &tag) && tag == 2);
    assert_int_equal(fabric_settle(f, at_ps), E_OK);
    fabric_channel_state(f, 0, 9000000, &c);
    assert_true(fabs(c.carried_B - 1500) < 1e-6);
    assert_int_equal(c.sent_bytes, 1500);
    assert_int_equal(c.busy_ps, 500000);
    fabric_close(f, 9000000);
    fabric_free(f);
}

static void refuses_nonsense(void **state)
{
    static const double bursts[] = { -1, NAN, INFINITY };
    struct fabric *f = fabric_new();

    (void)state;
    assert_int_equal(fabric_channel(f, 1), 0);
    for (size_t i = 0; i < COUNT(bursts); i++)
        assert_int_equal(fabric_bucket(f, 0, bursts[i]), E_INVAL);
    assert_int_equal(fabric_bucket(f, 1, 1), E_INVAL);
    assert_int_equal(fabric_route(f, (uint32_t[]){ 0 }, 1), 0);
    assert_int_equal(fabric_start(f, 0, 1, 0, 0), E_OK);
    assert_int_equal(fabric_bucket(f, 0, 1), E_INVAL); /* a flow has crossed it */
    fabric_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_to_the_picosecond),
        cmocka_unit_test(what_passes_is_carried),
        cmocka_unit_test(refuses_nonsense),
    };
    return cmocka_run_group_tests_name("fabric_bucket", tests, NULL, NULL);
}
