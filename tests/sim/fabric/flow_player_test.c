/* Flows that lead to flows: order, refusals, and rings of them against their closed form. */

#include <inttypes.h>

#include "model/status.h"
#include "sim/fabric/flow_player.h"
#include "tests/draw.h"
#include "tests/test.h"

enum { MOST_ENDED = 16, MOST_RANKS = 1000 };

struct play {
    struct flow_player *p;
    uint32_t ended[MOST_ENDED];
    int64_t at_ps[MOST_ENDED];
    int n;
};

static int note(struct play *play, uint32_t tag, int64_t at_ps)
{
    assert_true(play->n < MOST_ENDED);
    assert_int_equal(flow_player_now_ps(play->p), at_ps);
    play->ended[play->n] = tag;
    play->at_ps[play->n++] = at_ps;
    return E_OK;
}

/* Flow 1 leads to 10, empty and at once, and to 11, a nanosecond later; 10 leads to 20, at once. */
static int lead_on(void *context, uint32_t tag, int64_t at_ps)
{
    struct play *play = context;
    int rc = note(play, tag, at_ps);

    if (!rc && tag == 1)
        rc = flow_player_post(play->p, 0, 0, at_ps, 10);
    if (!rc && tag == 1)
        rc = flow_player_post(play->p, 0, 1000, at_ps + 1000, 11);
    if (!rc && tag == 10)
        rc = flow_player_post(play->p, 1, 1000, at_ps, 20);
    return rc;
}

static void told_in_the_order_of_setting_out(void **state)
{
    /* 0 and 1 share channel 0 and end with 2, which was posted before them and sets out after them. */
    static const struct {
        uint32_t tag;
        int64_t at_ps;
    } want[] = { { 0, 2000000 }, { 1, 2000000 }, { 2, 2000000 }, { 10, 2000000 }, { 20, 2000000 }, { 11, 3001000 } };
    struct fabric *f = fabric_new();
    struct play play = { .p = flow_player_new(f) };

    (void)state;
    for (uint32_t c = 0; c < 2; c++) {
        fabric_channel(f, 1e9);
        assert_int_equal(fabric_route(f, &c, !c), c); /* route 1 goes nowhere */
    }
    assert_int_equal(fabric_route(f, (uint32_t[]){ 1 }, 1), 2);
    assert_int_equal(flow_player_post(play.p, 2, 1500, 500000, 2), E_OK);
    assert_int_equal(flow_player_post(play.p, 0, 1000, 0, 0), E_OK);
    assert_int_equal(flow_player_post(play.p, 0, 1000, 0, 1), E_OK);
    assert_int_equal(flow_player_run(play.p, lead_on, &play), E_OK);
    assert_int_equal(play.n, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        assert_int_equal(play.ended[i], want[i].tag);
        assert_int_equal(play.at_ps[i], want[i].at_ps);
    }
    flow_player_free(play.p);
    fabric_free(f);
}

/* A ring allreduce over a switch: each rank passes on what it has been passed, 2 (n - 1) times, two links a hop. */
struct ring {
    struct flow_player *p;
    uint32_t nranks, passed[MOST_RANKS];
    int64_t bytes, latency_ps;
    uint64_t ended;
};

static int pass_on(void *context, uint32_t from, int64_t at_ps)
{
    struct ring *r = context;
    uint32_t rank = (from + 1) % r->nranks;

    r->ended++;
    if (++r->passed[rank] >= 2 * (r->nranks - 1))
        return E_OK;
    return flow_player_post(r->p, rank, r->bytes, at_ps + r->latency_ps, rank);
}

static void rings_take_their_closed_form(void **state)
{
    /* 2 (n - 1) steps of 10 us and of 16 MiB / n, rounded up to bytes, at 1.25e9 B/s: 800 ps a byte. */
    static const struct {
        uint32_t nranks;
        int64_t end_ps;
    } rings[] = {
        { 2, 2 * (10000000LL + 8388608 * 800LL) },
        { 3, 4 * (10000000LL + 5592406 * 800LL) },
        { 16, 25465824000 },
        { 1000, 46797955200 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rings); i++) {
        uint32_t n = rings[i].nranks;
        struct fabric *f = fabric_new();
        struct ring r = {
            .p = flow_player_new(f), .nranks = n, .bytes = (16777216 + n - 1) / n, .latency_ps = 10000000
        };
        for (uint32_t c = 0; c < 2 * n; c++)
            fabric_channel(f, 1.25e9);
        for (uint32_t rank = 0; rank < n; rank++) {
            fabric_route(f, (uint32_t[]){ 2 * rank, 2 * ((rank + 1) % n) + 1 }, 2);
            flow_player_post(r.p, rank, r.bytes, r.latency_ps, rank);
        }
        assert_int_equal(flow_player_run(r.p, pass_on, &r), E_OK);
        assert_int_equal(flow_player_now_ps(r.p), rings[i].end_ps);
        assert_int_equal(r.ended, (uint64_t)n * 2 * (n - 1));
        for (uint32_t c = 0; c < 2 * n; c++) {
            struct channel_state s;
            fabric_channel_state(f, c, rings[i].end_ps, &s);
            assert_int_equal(s.flows_ended, 2 * (n - 1));
            assert_int_equal(s.busy_ps, rings[i].end_ps - 2 * (n - 1) * r.latency_ps);
        }
        flow_player_free(r.p);
        fabric_free(f);
    }
}

/* Sixty hosts, each its flows one after another, and the same bits from every compiler at every optimization level. */
struct loop {
    struct flow_player *p;
    uint64_t digest;
};

enum { LOOP_HOSTS = 60, LOOP_EACH = 20 };

static int post_loop(struct loop *l, uint32_t i, int64_t at_ps)
{
    uint64_t seed = i;
    uint32_t from = i / LOOP_EACH, to = (uint32_t)(draw(&seed) % (LOOP_HOSTS - 1));

    return flow_player_post(l->p, from * LOOP_HOSTS + to + (to >= from), (int64_t)(65536 + draw(&seed) % 16711681),
                            at_ps, i);
}

static int next_of_loop(void *context, uint32_t tag, int64_t at_ps)
{
    struct loop *l = context;

    l->digest = ((l->digest ^ tag) * 0x100000001b3 ^ (uint64_t)at_ps) * 0x100000001b3;
    return (tag + 1) % LOOP_EACH ? post_loop(l, tag + 1, at_ps) : E_OK;
}

static void same_bits_everywhere(void **state)
{
    (void)state;
    for (int again = 0; again < 2; again++) {
        struct fabric *f = fabric_new();
        struct loop l = { .p = flow_player_new(f) };
        for (uint32_t c = 0; c < 2 * LOOP_HOSTS; c++)
            fabric_channel(f, 1e9 / (3 + c % 7));
        for (uint32_t r = 0; r < LOOP_HOSTS * LOOP_HOSTS; r++)
            fabric_route(f, (uint32_t[]){ r / LOOP_HOSTS, LOOP_HOSTS + r % LOOP_HOSTS }, 2);
        for (uint32_t i = 0; i < LOOP_HOSTS; i++)
            post_loop(&l, i * LOOP_EACH, 0);
        assert_int_equal(flow_player_run(l.p, next_of_loop, &l), E_OK);
        if (l.digest != 0x3c41da4e2ecc3887)
            fail_msg("digest of the ends %016" PRIx64, l.digest);
        flow_player_free(l.p);
        fabric_free(f);
    }
}

static int stop_at_1(void *context, uint32_t tag, int64_t at_ps)
{
    note(context, tag, at_ps);
    return tag == 1 ? E_CYCLE : E_OK;
}

static int nothing_ends(void *context, uint32_t tag, int64_t at_ps)
{
    (void)context;
    (void)at_ps;
    fail_msg("flow %u ended", tag);
    return E_OK;
}

static void stops_and_refuses(void **state)
{
    struct fabric *f = fabric_new();
    struct play play = { .p = flow_player_new(f) };

    (void)state;
    assert_int_equal(flow_player_run(play.p, nothing_ends, NULL), E_OK); /* nothing posted */
    assert_int_equal(flow_player_now_ps(play.p), 0);
    assert_int_equal(fabric_channel(f, 1e9), 0);
    assert_int_equal(fabric_route(f, (uint32_t[]){ 0 }, 1), 0);
    assert_int_equal(flow_player_post(play.p, 0, -1, 0, 0), E_INVAL);
    assert_int_equal(flow_player_post(play.p, 0, 1, -1, 0), E_INVAL);
    for (uint32_t i = 0; i < 3; i++)
        assert_int_equal(flow_player_post(play.p, 0, 1000, i * 1000000, i), E_OK);
    assert_int_equal(flow_player_run(play.p, stop_at_1, &play), E_CYCLE);
    assert_int_equal(play.n, 2);
    assert_int_equal(flow_player_now_ps(play.p), 2000000);
    assert_int_equal(flow_player_post(play.p, 0, 1, 1999999, 0), E_INVAL); /* the past */
    assert_int_equal(flow_player_post(play.p, 1, 1, 2000000, 0), E_OK);    /* no such route: ended when it sets out */
    assert_int_equal(flow_player_run(play.p, nothing_ends, NULL), E_INVAL);
    flow_player_free(play.p);
    flow_player_free(NULL);
    fabric_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(told_in_the_order_of_setting_out),
        cmocka_unit_test(rings_take_their_closed_form),
        cmocka_unit_test(same_bits_everywhere),
        cmocka_unit_test(stops_and_refuses),
    };
    return cmocka_run_group_tests_name("flow_player", tests, NULL, NULL);
}
