/* Limits, directions and refusals of transfers. */
#include "tests/model/transfer/transfer_cases.h"

#include <math.h>
#include <string.h>

#include "model/status.h"
#include "tests/draw.h"
#include "tests/model/transfer/transfer_rig.h"
#include "tests/test.h"

/* Which storages go, as bits. */
static unsigned chosen(const struct transfer_options *o)
{
    struct transfer_list t = planned(o);
    unsigned bits = 0;

    for (size_t i = 0; i < t.n; i++)
        bits |= 1u << t.items[i].storage;
    transfer_free(&t);
    return bits;
}

#define S(i) (1u << (i))

/* 180 bytes generated: 80, 20, 30, 40, 10. Of their copies the own operations hide 10/80, 30/20, 70/30, 40/40,
 * 50/10. */
static void limits(void **state)
{
    static const struct {
        const char *why;
        enum transfer_choice choice;
        double limit;
        unsigned want;
    } cases[] = {
        { "all", CHOICE_IN_ORDER, 1, S(1) | S(2) | S(3) | S(4) | S(5) },
        { "none", CHOICE_IN_ORDER, 0, 0 },
        { "exactly the first two", CHOICE_IN_ORDER, 100. / 180, S(1) | S(2) },
        { "the next may still fit", CHOICE_IN_ORDER, 90. / 180, S(1) | S(5) },
        { "the first does not", CHOICE_IN_ORDER, 79. / 180, S(2) | S(3) | S(5) },
        { "one byte short", CHOICE_IN_ORDER, 9.9 / 180, 0 },
        { "the smallest", CHOICE_IN_ORDER, 10. / 180, S(5) },
        { "largest", CHOICE_LARGEST, 130. / 180, S(1) | S(4) | S(5) },
        { "largest, then what fits", CHOICE_LARGEST, 75. / 180, S(4) | S(3) },
        { "best hidden", CHOICE_BEST_HIDDEN, 60. / 180, S(5) | S(3) | S(2) },
        { "best hidden, then what fits", CHOICE_BEST_HIDDEN, 59. / 180, S(5) | S(3) },
        { "best hidden, all but the worst", CHOICE_BEST_HIDDEN, 100. / 180, S(5) | S(3) | S(2) | S(4) },
        { "spread: 40 of 80, 50 of 100, 65 of 130, 85 of 170, 90 of 180", CHOICE_SPREAD, 0.5, S(2) | S(3) | S(5) },
        { "spread: 60 of 80, 75 of 100, 97 of 130, 127 of 170, 135 of 180", CHOICE_SPREAD, 0.75,
          S(2) | S(3) | S(4) | S(5) },
        { "spread, nothing left out", CHOICE_SPREAD, 1, S(1) | S(2) | S(3) | S(4) | S(5) },
    };

    (void)state;
    make_chain();
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (enum schedule s = SCHEDULE_LAYER_WISE; s < SCHEDULE_KINDS; s++) {
            struct transfer_options o = rig_options(s);
            o.choice = cases[i].choice, o.limit = cases[i].limit;
            unsigned got = chosen(&o);
            if (got != cases[i].want)
                fail_msg("%s, %s: %x, not %x", cases[i].why, schedule_name(s), got, cases[i].want);
        }
    }
}

/* A share of n bytes is as many as the share says, whatever its product with n rounds to. */
static void limit_in_bytes(void **state)
{
    struct transfer_options o = rig_options(SCHEDULE_PER_OBJECT);
    int64_t bytes[3] = { 0, 0, 0 };

    (void)state;
    for (int64_t share = 1; share < 100; share++) {
        bytes[1] = share, bytes[2] = 100 - share;
        rig_chain(&rig, 3, bytes, chain_ps);
        o.limit = (double)share / 100;
        o.choice = share < 50 ? CHOICE_IN_ORDER : CHOICE_LARGEST;
        struct transfer_list t = planned(&o);
        if (t.offloaded_bytes != share)
            fail_msg("%g of 100 bytes: %lld", o.limit, (long long)t.offloaded_bytes);
        transfer_free(&t);
    }
}

/* In groups what hides a copy is the whole group from its start on: 10/80, 140/20, 110/30, 40/40 and 50/10. */
static void hidden_by_groups(void **state)
{
    struct transfer_options o = rig_options(SCHEDULE_LAYER_WISE);

    (void)state;
    group(3);
    o.choice = CHOICE_BEST_HIDDEN, o.limit = 20. / 180;
    assert_int_equal(chosen(&o), S(5) | 0);
    o.granularity = GRANULARITY_GROUP;
    assert_int_equal(chosen(&o), S(2));
    o.schedule = SCHEDULE_CLAMPED; /* groups are layer-wise's alone */
    assert_int_equal(chosen(&o), S(5));
}

/* The link carries 300 bytes at 1 byte/ps, and by the limit of the link no more than that may go. */
static void limit_by_link(void **state)
{
    struct transfer_options o = rig_options(SCHEDULE_PER_OBJECT);

    (void)state;
    make_chain();
    o.limit_by_link = 1;
    assert_int_equal(chosen(&o), S(1) | S(2) | S(3) | S(4) | S(5));
    o.to_host_Bps = 0.5e12; /* 150 of 180 bytes */
    assert_int_equal(chosen(&o), S(1) | S(2) | S(3) | S(5));
    o.limit = 100. / 180; /* the smaller of the two */
    assert_int_equal(chosen(&o), S(1) | S(2));
    o.limit = 1, o.to_host_Bps = 0.25e12; /* 75 */
    assert_int_equal(chosen(&o), S(2) | S(3) | S(5));
    o.limit_by_link = 0;
    assert_int_equal(chosen(&o), S(1) | S(2) | S(3) | S(4) | S(5));
}

/* Copies at 1 byte/ps are over at 280 of 300. */
static void turn(void **state)
{
    static const struct {
        const char *why;
        int64_t keep_last;
        double Bps;
        int64_t latency_ps;
        enum transfer_choice choice;
        unsigned want;
    } cases[] = {
        { "all are over", 0, 1e12, 0, CHOICE_IN_ORDER, S(1) | S(2) | S(3) | S(4) | S(5) },
        { "the first of backward", 1, 1e12, 0, CHOICE_IN_ORDER, S(1) | S(2) | S(3) | S(4) },
        { "the first three", 3, 1e12, 0, CHOICE_IN_ORDER, S(1) | S(2) },
        { "all of backward", 100, 1e12, 0, CHOICE_IN_ORDER, 0 },
        { "just over: 100 + 180 + 20", 0, 1e12, 4, CHOICE_IN_ORDER, S(1) | S(2) | S(3) | S(4) | S(5) },
        { "one ps late", 0, 1e12, 5, CHOICE_IN_ORDER, S(1) | S(2) | S(3) | S(4) },
        { "half the rate: s1 100-260, s2 260-300", 0, 0.5e12, 0, CHOICE_IN_ORDER, S(1) | S(2) },
        { "the same, largest first: s4 to 340, s3 to 320, s2 to 300", 0, 0.5e12, 0, CHOICE_LARGEST, S(1) | S(2) },
        { "best hidden first: s5 250-270, s3 140-200, s2 110-150, s4 210-290, s5 290-310", 0, 0.5e12, 0,
          CHOICE_BEST_HIDDEN, S(5) | S(3) | S(2) },
        { "a fifth: s1 would last 400; s2 110-210, then s3 210-360; s5 250-300", 0, 0.2e12, 0, CHOICE_IN_ORDER,
          S(2) | S(5) },
        { "offload all the same", -1, 0.2e12, 0, CHOICE_IN_ORDER, S(1) | S(2) | S(3) | S(4) | S(5) },
    };

    (void)state;
    make_chain();
    for (size_t i = 0; i < COUNT(cases); i++) {
        for (enum schedule s = SCHEDULE_ALGORITHM_1; s < SCHEDULE_KINDS; s++) {
            struct transfer_options o = rig_options(s);
            o.keep_last = cases[i].keep_last, o.to_host_Bps = cases[i].Bps, o.latency_ps = cases[i].latency_ps;
            o.choice = cases[i].choice;
            unsigned got = chosen(&o);
            if (got != cases[i].want)
                fail_msg("%s, %s: %x, not %x", cases[i].why, schedule_name(s), got, cases[i].want);
        }
    }

    /* Layer by layer forward waits for each copy, so that all are over; what is needed first stays all the same. */
    struct transfer_options o = rig_options(SCHEDULE_LAYER_WISE);
    o.to_host_Bps = 0.2e12, o.keep_last = 0;
    assert_int_equal(chosen(&o), S(1) | S(2) | S(3) | S(4) | S(5));
    o.keep_last = 2;
    assert_int_equal(chosen(&o), S(1) | S(2) | S(3));
}

/* 10 bytes at 3 bytes/ps are over after 4 ps, not after 3. */
static void rounded_up(void **state)
{
    static const int64_t bytes[] = { 0, 10 };

    (void)state;
    for (int64_t last = 3; last <= 4; last++) {
        struct transfer_options o = rig_options(SCHEDULE_PER_OBJECT);
        rig_chain(&rig, 2, bytes, (int64_t[]){ 100, last, 100, 100 });
        o.to_host_Bps = 3e12, o.keep_last = 0;
        assert_int_equal(chosen(&o), last == 4 ? S(1) : 0);
    }
}

/* The two directions have their own rates, and each copy its latency. */
static void directions(void **state)
{
    struct transfer_options o = rig_options(SCHEDULE_PER_OBJECT);
    struct transfer_list t;

    (void)state;
    make_chain();
    o.to_host_Bps = 4e12; /* s1 100-120 ... */
    t = planned(&o);
    assert_int_equal(t.items[0].free_after, 2);
    assert_int_equal(t.items[0].back, 7);
    transfer_free(&t);

    o = rig_options(SCHEDULE_PER_OBJECT);
    o.to_device_Bps = 4e12; /* s1 140-160 */
    t = planned(&o);
    assert_int_equal(t.items[0].free_after, 3);
    assert_int_equal(t.items[0].back, 9);
    transfer_free(&t);

    o.latency_ps = 31; /* s1 100-211 and 109-160 */
    t = planned(&o);
    assert_int_equal(t.items[0].free_after, 4);
    assert_int_equal(t.items[0].back, 8);
    transfer_free(&t);
}

/* Residual networks that the link cannot follow: nothing is freed by the balance before the end of forward, much by
 * itself. */
static void cliff(void **state)
{
    enum { LENGTH = 20 };
    int64_t bytes[LENGTH], ps[2 * LENGTH], live[2 * LENGTH], peak[SCHEDULE_KINDS] = { 0 };

    (void)state;
    for (int i = 0; i < LENGTH; i++) {
        bytes[i] = i ? 20 : 0;
        ps[i] = i ? 10 : 0, ps[LENGTH + i] = 40;
    }
    rig_chain(&rig, LENGTH, bytes, ps);
    for (enum schedule s = SCHEDULE_KEEP_ALL; s < SCHEDULE_KINDS; s++) {
        struct transfer_options o = rig_options(s);
        struct transfer_list t = planned(&o);
        rig_live(&rig.g, &rig.s, &t, live);
        for (int i = 0; i < 2 * LENGTH; i++)
            peak[s] = live[i] > peak[s] ? live[i] : peak[s];
        transfer_free(&t);
    }
    assert_int_equal(peak[SCHEDULE_KEEP_ALL], 19 * 20);
    assert_int_equal(peak[SCHEDULE_ALGORITHM_1], 19 * 20);
    assert_int_equal(peak[SCHEDULE_CLAMPED], 19 * 20);
    assert_int_equal(peak[SCHEDULE_PER_OBJECT],
                     11 * 20); /* a copy lasts two operations, so that every second one lives on */
    assert_int_equal(peak[SCHEDULE_LAYER_WISE], 2 * 20);
}

static void refusals(void **state)
{
    struct transfer_options o;
    const struct {
        double *figure, bad;
        const char *want;
    } cases[] = {
        { &o.to_host_Bps, 0, "link: expected a bandwidth to the host above 0 to offload anything over, got 0 bytes/s" },
        { &o.to_host_Bps, -1, "link: expected a bandwidth to the host" },
        { &o.to_host_Bps, NAN, "link: expected a bandwidth to the host" },
        { &o.to_host_Bps, INFINITY, "link: expected a bandwidth to the host" },
        { &o.to_device_Bps, 0, "link: expected a bandwidth to the device above 0" },
        { &o.limit, -0.1, "limit: expected a share of 0 to 1, got -0.1" },
        { &o.limit, 1.1, "limit: expected a share of 0 to 1, got 1.1" },
        { &o.limit, NAN, "limit: expected a share of 0 to 1, got nan" },
    };
    struct transfer_list t = { .n = 77 };
    char why[200];

    (void)state;
    make_chain();
    for (enum schedule s = SCHEDULE_LAYER_WISE; s < SCHEDULE_KINDS; s++) {
        for (size_t i = 0; i < COUNT(cases); i++) {
            o = rig_options(s);
            *cases[i].figure = cases[i].bad;
            int rc = transfer_plan(&rig.g, &rig.s, rig.ps, &o, &t, why, sizeof(why));
            if (rc != E_INVAL || strncmp(why, cases[i].want, strlen(cases[i].want)) != 0)
                fail_msg("%s: status %d, '%s'", cases[i].want, rc, why);
            assert_int_equal(t.n, 77);
        }
        o = rig_options(s);
        o.latency_ps = -1;
        assert_int_equal(transfer_plan(&rig.g, &rig.s, rig.ps, &o, &t, why, sizeof(why)), E_INVAL);
        assert_string_equal(why, "link: expected a latency of 0 or more, got -1 ps");
        assert_int_equal(t.n, 77);
    }
    o = rig_options(SCHEDULE_KEEP_ALL);
    o.limit = 2;
    assert_int_equal(transfer_plan(&rig.g, &rig.s, rig.ps, &o, &t, why, sizeof(why)), E_INVAL);
}

/* Where nothing is to move the link may be dead: a limit of 0, nothing generated, empty objects. */
static void nothing_to_move(void **state)
{
    static const int64_t empty[N];
    struct transfer_options o = rig_options(SCHEDULE_CLAMPED);

    (void)state;
    make_chain();
    o.to_host_Bps = o.to_device_Bps = 0, o.limit = 0;
    assert_int_equal(chosen(&o), 0);
    o.limit = 1;
    rig_chain(&rig, N, empty, chain_ps);
    assert_int_equal(chosen(&o), 0);
    rig_chain(&rig, 1, chain_bytes, chain_ps);
    assert_int_equal(chosen(&o), 0);
    rig.g.noperations = rig.g.nforward = 0;
    assert_int_equal(chosen(&o), 0);

    /* What backward only keeps, and never reads, need not come back. */
    make_chain();
    rig.storages[2].first_backward = NO_OPERATION;
    o = rig_options(SCHEDULE_CLAMPED);
    o.keep_last = -100;
    assert_int_equal(chosen(&o), S(1) | S(3) | S(4) | S(5));

    /* Empty ones among others stay where they are. */
    make_chain();
    rig.storages[2].bytes = 0;
    rig_settle(&rig);
    o = rig_options(SCHEDULE_CLAMPED);
    assert_int_equal(chosen(&o), S(1) | S(3) | S(4) | S(5));
}

/* A byte a second: copies that last for months do not overflow, they are just never over. */
static void endless_copies(void **state)
{
    static const int64_t bytes[N] = { 0, 1LL << 40, 1LL << 40, 1LL << 40, 1LL << 40, 1LL << 40 };

    (void)state;
    rig_chain(&rig, N, bytes, chain_ps);
    for (enum schedule s = SCHEDULE_ALGORITHM_1; s < SCHEDULE_KINDS; s++) {
        struct transfer_options o = rig_options(s);
        o.to_host_Bps = o.to_device_Bps = 1;
        struct transfer_list t = planned(&o);
        assert_int_equal(t.n, 5);
        for (size_t i = 0; i < t.n; i++) {
            assert_int_equal(t.items[i].free_after, N - 1);
            assert_int_equal(t.items[i].back, N);
        }
        transfer_free(&t);
        o.keep_last = 0;
        assert_int_equal(chosen(&o), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits),         cmocka_unit_test(limit_in_bytes), cmocka_unit_test(hidden_by_groups),
        cmocka_unit_test(limit_by_link),  cmocka_unit_test(turn),           cmocka_unit_test(directions),
        cmocka_unit_test(cliff),          cmocka_unit_test(refusals),       cmocka_unit_test(nothing_to_move),
        cmocka_unit_test(endless_copies), cmocka_unit_test(rounded_up),
    };

    return cmocka_run_group_tests_name("transfer_limits", tests, NULL, NULL);
}
