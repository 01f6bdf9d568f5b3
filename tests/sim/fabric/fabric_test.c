/* The fabric against what can be worked out by hand, to the picosecond; fabric_reference_test.c has the random
 * networks. */

#include <inttypes.h>
#include <math.h>

#include "model/status.h"
#include "sim/fabric/flow_player.h"
#include "sim/fabric/private.h"
#include "tests/test.h"

enum { MAX_FLOWS = 8, MAX_CHANNELS = 8, MAX_HOPS = 4 };

/* One flow: its way as a list of channels from 1, 0 for "no more". */
struct leg {
    uint32_t way[MAX_HOPS];
    int64_t bytes, start_ps, end_ps;
};

static const struct {
    const char *why;
    double capacity_Bps[MAX_CHANNELS];
    struct leg flows[MAX_FLOWS];
} cases[] = {
    { "alone", { 1e9 }, { { { 1 }, 10000000, 5, 10000000005 } } },
    { "two share, the second then has all",
      { 1e9 },
      { { { 1 }, 10000000, 0, 20000000000 }, { { 1 }, 30000000, 0, 40000000000 } } },
    { "the slowest channel decides", { 4e9, 1e9, 2e9 }, { { { 1, 2, 3 }, 1000000, 0, 1000000000 } } },
    { "twice as many take half the pace",
      { 1e9 },
      { { { 1 }, 1000, 0, 4000000 },
        { { 1 }, 1000, 0, 4000000 },
        { { 1 }, 1000, 0, 4000000 },
        { { 1 }, 1000, 0, 4000000 } } },
    /* 1 moves 4 MB alone in 4 ms; both move 3 MB in 6 ms; 1 has 1 MB left to move alone from 11 ms. */
    { "a later start", { 1e9 }, { { { 1 }, 8000000, 0, 11000000000 }, { { 1 }, 3000000, 4000000000, 10000000000 } } },
    /* Hosts A..D at 1.25e9 B/s, 5 us a link: all set out after 10 us. Channels: A up, D up, B down, C down.
     * At first A's two flows have 625 MB/s each, and so has D->C: C's link has two flows as well.
     *   A->C  8.75 MB at 625 MB/s: 14 ms.
     *   D->C  8.75 MB until then, 1.25 MB left at 1.25 GB/s: 1 ms, so 15 ms.
     *   A->B  8.75 MB until then, 11.25 MB left at 1.25 GB/s: 9 ms, so 23 ms.
     * A solver that follows only the first link of a flow that starts gives D->C all of C's link: 8.010 ms. */
    { "two share a source, two share a sink",
      { 1.25e9, 1.25e9, 1.25e9, 1.25e9 },
      { { { 1, 3 }, 20000000, 10000000, 23010000000 },
        { { 1, 4 }, 8750000, 10000000, 14010000000 },
        { { 2, 4 }, 10000000, 10000000, 15010000000 } } },
    /* The same with every route reversed, so that the shared link is each flow's last, or its first. */
    { "the order of the links on a way says nothing",
      { 1.25e9, 1.25e9, 1.25e9, 1.25e9 },
      { { { 3, 1 }, 20000000, 10000000, 23010000000 },
        { { 4, 1 }, 8750000, 10000000, 14010000000 },
        { { 4, 2 }, 10000000, 10000000, 15010000000 } } },
    /* Flow 1: 1 GB/s, done at 1 ms. Flow 2: 1 GB/s, then half of channel 2, 1.5 GB/s: 1 + 3 MB, done at 3 ms.
     * Flow 3: what flow 2 leaves it, 2 GB/s, then 1.5, then all of it, 3: 2 + 3 + 3 MB, done at 4 ms. */
    { "more for one is less for the next",
      { 2e9, 3e9 },
      { { { 1 }, 1000000, 0, 1000000000 }, { { 1, 2 }, 4000000, 0, 3000000000 }, { { 2 }, 8000000, 0, 4000000000 } } },
    { "half duplex: both directions cross the wire",
      { 2e9, 2e9, 2e9 },
      { { { 1, 3 }, 10000000, 0, 10000000000 }, { { 2, 3 }, 10000000, 0, 10000000000 } } },
    { "full duplex: they do not meet",
      { 2e9, 2e9 },
      { { { 1 }, 10000000, 0, 5000000000 }, { { 2 }, 10000000, 0, 5000000000 } } },
    { "nothing to move, nowhere to go",
      { 1e9 },
      { { { 1 }, 0, 7, 7 }, { { 0 }, 1000, 8, 8 }, { { 0 }, 0, 9, 9 }, { { 1 }, 1, 7, 1007 } } },
    { "an exact number of picoseconds stays one", { 1.25e9 }, { { { 1 }, 16778, 10000000, 23422400 } } },
    { "another ends at the next one", { 3e9 }, { { { 1 }, 1, 0, 334 } } },
    { "three bytes in one and a half", { 2e12 }, { { { 1 }, 3, 0, 2 } } },
    { "slow", { 1e3 }, { { { 1 }, 1000000, 0, 1000000000000000 } } },
    /* The fast one moves 1e9 - 1 B in the first ms, next to the slow one, and 999e9 B in the other 999. */
    { "slow next to fast",
      { 1e3, 1e12 },
      { { { 1, 2 }, 1, 0, 1000000000 }, { { 2 }, 999999999999, 0, 1000000000000 } } },
};

static struct fabric *make(const double *capacity_Bps)
{
    struct fabric *f = fabric_new();

    for (size_t c = 0; c < MAX_CHANNELS && capacity_Bps[c] > 0; c++)
        assert_int_equal(fabric_channel(f, capacity_Bps[c]), c);
    return f;
}

static uint32_t way(struct fabric *f, const uint32_t *from_1)
{
    uint32_t channels[MAX_HOPS];
    size_t n = 0;

    for (; n < MAX_HOPS && from_1[n]; n++)
        channels[n] = from_1[n] - 1;
    return (uint32_t)fabric_route(f, channels, n);
}

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
        struct fabric *f = make(cases[i].capacity_Bps);
        struct flow_player *p = flow_player_new(f);
        int64_t end_ps[MAX_FLOWS];
        uint32_t n = 0;
        for (; n < MAX_FLOWS && cases[i].flows[n].end_ps; n++) {
            const struct leg *leg = &cases[i].flows[n];
            end_ps[n] = -1;
            assert_int_equal(flow_player_post(p, way(f, leg->way), leg->bytes, leg->start_ps, n), E_OK);
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

/* n flows of 1, 2, .. n units on one channel: the k-th ends when the n - k + 1 then left have each moved one unit
 * more. */
static void thousands_on_one_channel(void **state)
{
    enum { N = 5000 };
    struct fabric *f = make((double[MAX_CHANNELS]){ 1e9 });
    struct flow_player *p = flow_player_new(f);
    uint32_t route = way(f, (uint32_t[MAX_HOPS]){ 1 });
    static int64_t end_ps[N];
    struct channel_state c;

    (void)state;
    for (uint32_t k = N; k-- > 0;) {
        end_ps[k] = -1;
        assert_int_equal(flow_player_post(p, route, 1000 * (int64_t)(k + 1), 0, k), E_OK);
    }
    assert_int_equal(flow_player_run(p, note_end, end_ps), E_OK);
    int64_t want_ps = 0;
    for (int64_t k = 0; k < N; k++)
        assert_int_equal(end_ps[k], want_ps += (N - k) * 1000000);
    fabric_channel_state(f, 0, want_ps, &c);
    assert_int_equal(c.flows, 0);
    assert_int_equal(c.flows_ended, N);
    assert_int_equal(c.sent_bytes, (uint64_t)N * (N + 1) / 2 * 1000);
    assert_int_equal(c.busy_ps, want_ps);
    assert_true(fabs(c.carried_B / (double)c.sent_bytes - 1) < 1e-9);
    flow_player_free(p);
    fabric_free(f);
}

/* Ends of one instant, on channels numbered the other way round and at different clocks: in the order of the starts. */
static void one_instant_in_the_order_of_starts(void **state)
{
    struct fabric *f = make((double[MAX_CHANNELS]){ 1e9, 1e9, 2e9, 3e9 });
    uint32_t route[4], tag;
    int64_t at_ps;

    (void)state;
    for (uint32_t c = 0; c < 4; c++)
        route[c] = way(f, (uint32_t[MAX_HOPS]){ c + 1 });
    static const uint32_t order[] = { 3, 0, 2, 1, 3, 2 }; /* channels; two flows each on 3 and 2 */
    static const int64_t bytes[] = { 1500, 1000, 1000, 1000, 1500, 1000 };
    for (uint32_t i = 0; i < COUNT(order); i++)
        assert_int_equal(fabric_start(f, route[order[i]], bytes[i], 0, 70 + i), E_OK);
    assert_int_equal(fabric_settle(f, 0), E_OK);
    assert_true(fabric_rate_Bps(f, 70) == 1.5e9 && fabric_rate_Bps(f, 71) == 1e9 && fabric_rate_Bps(f, 69) == 0);
    assert_true(fabric_next(f, &at_ps));
    assert_int_equal(at_ps, 1000000);
    assert_false(fabric_end(f, at_ps - 1, &tag));
    for (uint32_t i = 0; i < COUNT(order); i++) {
        assert_true(fabric_end(f, at_ps, &tag));
        assert_int_equal(tag, 70 + i);
    }
    assert_false(fabric_end(f, at_ps, &tag));
    assert_int_equal(fabric_settle(f, at_ps), E_OK);
    assert_false(fabric_next(f, &at_ps));
    fabric_free(f);
}

/* A channel that is never idle has carried 1e15 bytes; what comes then still ends to the picosecond. */
static void a_clock_that_has_run_long(void **state)
{
    struct fabric *f = make((double[MAX_CHANNELS]){ 1e9 });
    uint32_t route = way(f, (uint32_t[MAX_HOPS]){ 1 }), tag;
    int64_t now_ps = 0;

    (void)state;
    fabric_start(f, route, 4000000000000000, 0, 0);
    fabric_start(f, route, 500000000000000, 0, 1);
    fabric_settle(f, 0);
    for (uint32_t i = 1; i < 100; i++) {
        int64_t want_ps = now_ps + (i == 1 ? 1000000000000000000 : (1000 + i) * 2000);
        assert_true(fabric_next(f, &now_ps));
        assert_int_equal(now_ps, want_ps);
        assert_true(fabric_end(f, now_ps, &tag));
        assert_int_equal(tag, i);
        fabric_start(f, route, 1001 + i, now_ps, i + 1);
        fabric_settle(f, now_ps);
    }
    fabric_free(f);
}

/* A route that always has a flow on its way: its clock has run to 5e14 bytes and a fraction when two more come. */
static void a_route_that_is_never_idle(void **state)
{
    struct fabric *f = make((double[MAX_CHANNELS]){ 1e9 });
    uint32_t route = way(f, (uint32_t[MAX_HOPS]){ 1 }), tag;
    int64_t now_ps = 1000000000000000007, at_ps;

    (void)state;
    fabric_start(f, route, 4000000000000000, 0, 0);
    fabric_start(f, route, 4100000000000000, 0, 1);
    fabric_settle(f, 0);
    for (uint32_t i = 2; i < 100; i += 2) {
        fabric_start(f, route, 1000 * i, now_ps, i);
        fabric_start(f, route, 1000 * i + 500, now_ps, i + 1);
        fabric_settle(f, now_ps);
        for (uint32_t k = i; k < i + 2; k++) { /* the second one has 500 bytes left to move at a third of the rate */
            assert_true(fabric_next(f, &at_ps));
            assert_int_equal(at_ps, now_ps + 4000000 * i + (k - i) * 1500000);
            assert_true(fabric_end(f, at_ps, &tag));
            assert_int_equal(tag, k);
            fabric_settle(f, at_ps);
        }
        now_ps = at_ps + 9999937 * i;
    }
    fabric_free(f);
}

/* Three flows at 1 GB/s each, of which one is elsewhere no faster. It ends, and in its place comes one of the other
 * route: the rate is the same, but who ends next is not. */
static void one_for_one_at_the_same_rate(void **state)
{
    struct fabric *f = make((double[MAX_CHANNELS]){ 1e9, 3e9 });
    uint32_t alone = way(f, (uint32_t[MAX_HOPS]){ 2 }), both = way(f, (uint32_t[MAX_HOPS]){ 1, 2 }), tag;
    int64_t at_ps;

    (void)state;
    fabric_start(f, alone, 50000, 0, 1);
    fabric_start(f, alone, 60000, 0, 2);
    fabric_start(f, both, 1000, 0, 3);
    fabric_settle(f, 0);
    assert_true(fabric_next(f, &at_ps) && at_ps == 1000000 && fabric_end(f, at_ps, &tag) && tag == 3);
    fabric_start(f, alone, 2000, at_ps, 4);
    fabric_settle(f, at_ps);
    assert_true(fabric_rate_Bps(f, 1) == 1e9 && fabric_rate_Bps(f, 4) == 1e9);
    assert_true(fabric_next(f, &at_ps) && at_ps == 3000000 && fabric_end(f, at_ps, &tag) && tag == 4);
    fabric_settle(f, at_ps);
    assert_true(fabric_rate_Bps(f, 1) == 1.5e9 && fabric_rate_Bps(f, 4) == 0);
    fabric_free(f);
}

/* An empty flow takes nothing from those that set out with it. */
static void empty_flows_take_nothing(void **state)
{
    struct fabric *f = make((double[MAX_CHANNELS]){ 1e9 });
    uint32_t route = way(f, (uint32_t[MAX_HOPS]){ 1 }), tag;
    int64_t at_ps;

    (void)state;
    fabric_start(f, route, 0, 5, 1);
    fabric_start(f, route, 1000, 5, 2);
    fabric_settle(f, 5);
    assert_true(fabric_rate_Bps(f, 2) == 1e9);
    assert_true(fabric_next(f, &at_ps));
    assert_int_equal(at_ps, 5);
    assert_true(fabric_end(f, 5, &tag));
    assert_int_equal(tag, 1);
    assert_false(fabric_end(f, 5, &tag));
    fabric_free(f);
}

/* What a channel did, asked in between: two flows, one of them from elsewhere for a while. */
static void channels_tell_what_they_did(void **state)
{
    struct fabric *f = make((double[MAX_CHANNELS]){ 1e9, 4e9 });
    struct channel_state c;
    uint32_t tag;

    (void)state;
    uint32_t both = way(f, (uint32_t[MAX_HOPS]){ 1, 2 }), second = way(f, (uint32_t[MAX_HOPS]){ 2 });
    fabric_start(f, both, 1000, 1000, 1);
    fabric_start(f, second, 3000, 1000, 2);
    fabric_settle(f, 1000);
    fabric_channel_state(f, 1, 501000, &c);
    assert_true(c.capacity_Bps == 4e9 && fabs(c.carried_B - 2000) < 1e-6);
    assert_int_equal(c.flows, 2);
    assert_int_equal(c.busy_ps, 500000);
    assert_int_equal(c.sent_bytes, 0);
    assert_true(fabric_end(f, 1001000, &tag) && fabric_end(f, 1001000, &tag));
    fabric_settle(f, 1001000);
    fabric_channel_state(f, 0, 9001000, &c);
    assert_true(fabs(c.carried_B - 1000) < 1e-6);
    assert_int_equal(c.busy_ps, 1000000);
    assert_int_equal(c.flows_ended, 1);
    assert_int_equal(fabric_nchannels(f), 2);
    fabric_close(f, 9001000);
    fabric_free(f);
}

/* A million flows, never more than three at once: no more slots than that are ever made. */
static void slots_are_used_again(void **state)
{
    enum { N = 1000000, AT_ONCE = 3 };
    struct fabric *f = make((double[MAX_CHANNELS]){ 1e12, 1e12 });
    uint32_t routes[] = { way(f, (uint32_t[MAX_HOPS]){ 1, 2 }), way(f, (uint32_t[MAX_HOPS]){ 1 }) };
    uint32_t started = 0, ended = 0, tag;

    (void)state;
    for (int64_t now_ps = 0; ended < N;) {
        while (started < N && started < ended + AT_ONCE) {
            fabric_start(f, routes[started % 2], started % 5 * 100, now_ps, started);
            started++;
        }
        assert_int_equal(fabric_settle(f, now_ps), E_OK);
        assert_true(fabric_next(f, &now_ps));
        while (fabric_end(f, now_ps, &tag))
            ended++;
    }
    assert_true(f->nflows <= AT_ONCE);
    assert_true(f->channels[0].route_capacity <= 16 && f->channels[0].finishes.capacity <= 16);
    fabric_free(f);
}

static void refuses_nonsense(void **state)
{
    static const double capacities[] = { 0, -1, NAN, INFINITY };
    struct fabric *f = fabric_new();
    int64_t at_ps;

    (void)state;
    for (size_t i = 0; i < COUNT(capacities); i++)
        assert_int_equal(fabric_channel(f, capacities[i]), E_INVAL);
    assert_int_equal(fabric_route(f, (uint32_t[]){ 0 }, 1), E_INVAL); /* no such channel yet */
    assert_int_equal(fabric_start(f, 0, 1, 0, 0), E_INVAL);           /* no such route yet */
    assert_int_equal(fabric_channel(f, 1), 0);
    assert_int_equal(fabric_channel(f, 1), 1);
    assert_int_equal(fabric_route(f, (uint32_t[]){ 0, 1, 0 }, 3), E_INVAL);
    assert_int_equal(fabric_route(f, (uint32_t[]){ 0, 2 }, 2), E_INVAL);
    assert_int_equal(fabric_route(f, (uint32_t[]){ 1, 0 }, 2), 0); /* what was refused left no mark */
    assert_int_equal(fabric_route(f, NULL, 0), 1);
    assert_int_equal(fabric_start(f, 2, 1, 0, 0), E_INVAL);
    assert_int_equal(fabric_start(f, 0, -1, 0, 0), E_INVAL);
    assert_false(fabric_next(f, &at_ps));
    assert_int_equal(fabric_start(f, 0, 9000000, 0, 0), E_OK); /* 9e18 ps */
    assert_int_equal(fabric_settle(f, 0), E_OK);
    assert_int_equal(fabric_start(f, 0, 9000001, 0, 0), E_OK);
    assert_int_equal(fabric_settle(f, 0), E_RANGE);
    fabric_free(f);
    fabric_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_to_the_picosecond),
        cmocka_unit_test(thousands_on_one_channel),
        cmocka_unit_test(one_instant_in_the_order_of_starts),
        cmocka_unit_test(a_clock_that_has_run_long),
        cmocka_unit_test(a_route_that_is_never_idle),
        cmocka_unit_test(one_for_one_at_the_same_rate),
        cmocka_unit_test(empty_flows_take_nothing),
        cmocka_unit_test(channels_tell_what_they_did),
        cmocka_unit_test(slots_are_used_again),
        cmocka_unit_test(refuses_nonsense),
    };
    return cmocka_run_group_tests_name("fabric", tests, NULL, NULL);
}
