/* The moments of each schedule on a chain of six operations, by hand; choice, limit and turn; what is refused. */

#include <math.h>
#include <string.h>

#include "model/status.h"
#include "tests/model/transfer_rig.h"
#include "tests/test.h"

enum { N = 6 };

/* Forward  operation    0       1        2        3        4        5
 *          runs       0-100  100-110  110-140  140-210  210-250  250-300
 *          copies              s1: 80   s2: 20   s3: 30   s4: 40   s5: 10
 *          link              100-180  180-200  200-230  230-270  270-280
 * Backward operation    6       7        8        9       10       11
 *          runs       0-30    30-90   90-110  110-160  160-250  250-260
 *          needs       s5      s4       s3       s2       s1 */
static const int64_t chain_bytes[N] = { 1000, 80, 20, 30, 40, 10 };
static const int64_t chain_ps[2 * N] = { 100, 10, 30, 70, 40, 50, 30, 60, 20, 50, 90, 10 };

static struct rig rig;

static void make_chain(void)
{
    rig_chain(&rig, N, chain_bytes, chain_ps);
    assert_int_equal(rig.s.generated_bytes, 180);
}

static struct transfer_list planned(const struct transfer_options *o)
{
    struct transfer_list t = { 0 };
    char why[200] = "";

    if (transfer_plan(&rig.g, &rig.s, rig.ps, o, &t, why, sizeof(why)))
        fail_msg("refused: %s", why);
    return t;
}

static void expect(const char *name, const struct transfer_list *t, const struct transfer *want, size_t n)
{
    int64_t bytes = 0;

    if (t->n != n)
        fail_msg("%s: %zu transfers, not %zu", name, t->n, n);
    for (size_t i = 0; i < n; i++) {
        const struct transfer *a = &t->items[i], *b = &want[i];
        if (memcmp(a, b, sizeof(*a)) != 0)
            fail_msg("%s: transfer %zu is s%d: %d %d %d %d, not s%d: %d %d %d %d", name, i, a->storage, a->start,
                     a->free_after, a->back, a->need, b->storage, b->start, b->free_after, b->back, b->need);
        bytes += rig.storages[a->storage].bytes;
    }
    assert_int_equal(t->offloaded_bytes, bytes);
}

/* The stalls by hand. Algorithm 1: s1 is waited for from 110 to 180, because the 100 of operation 0 were banked. Its
 * later frees then meet copies that are over. Backward, s1 comes back from 110 on where 80 are needed and 50 are there
 * (30), ... */
static void schedules(void **state)
{
    static const struct {
        const char *name;
        enum schedule schedule;
        enum granularity granularity;
        struct transfer want[5];
        int64_t forward_ps, turn_ps, backward_ps;
    } cases[] = {
        { "layer-wise",
          SCHEDULE_LAYER_WISE,
          GRANULARITY_OPERATION,
          { { 1, 1, 1, 9, 10 }, { 2, 2, 2, 8, 9 }, { 3, 3, 3, 7, 8 }, { 4, 4, 4, 6, 7 }, { 5, 5, 5, 6, 6 } },
          70, /* s1 takes 80 besides 10; the others fit */
          0,
          50 }, /* s5 10 before operation 6, s4 40 besides its 30; s3 and s2 fit; s1 80 besides 50 */
        { "algorithm-1",
          SCHEDULE_ALGORITHM_1,
          GRANULARITY_OPERATION,
          { { 1, 1, 1, 9, 10 }, { 2, 2, 2, 8, 9 }, { 3, 3, 3, 7, 8 }, { 4, 4, 4, 6, 7 }, { 5, 5, 5, 6, 6 } },
          70,
          0,
          50 },
        { "clamped",
          SCHEDULE_CLAMPED,
          GRANULARITY_OPERATION,
          { { 1, 1, 5, 7, 10 }, { 2, 2, 5, 7, 9 }, { 3, 3, 5, 7, 8 }, { 4, 4, 5, 6, 7 }, { 5, 5, 5, 6, 6 } },
          0,
          0,
          20 }, /* s5 and s4 take 50 from the beginning on, operation 6 hides 30 of it */
        { "per-object",
          SCHEDULE_PER_OBJECT,
          GRANULARITY_OPERATION,
          { { 1, 1, 3, 7, 10 }, { 2, 2, 3, 7, 9 }, { 3, 3, 4, 7, 8 }, { 4, 4, 5, 6, 7 }, { 5, 5, 5, 6, 6 } },
          0,
          0,
          20 },
    };

    (void)state;
    make_chain();
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct transfer_options o = rig_options(cases[i].schedule);
        o.granularity = cases[i].granularity;
        struct transfer_list t = planned(&o);
        struct replayed got = rig_replay(&rig.g, &rig.s, rig.ps, &o, &t);
        expect(cases[i].name, &t, cases[i].want, 5);
        assert_string_equal(schedule_name(cases[i].schedule), cases[i].name);
        assert_int_equal(t.offloadable_bytes, 300);
        if (got.forward_ps != cases[i].forward_ps || got.turn_ps != cases[i].turn_ps ||
            got.backward_ps != cases[i].backward_ps)
            fail_msg("%s: waits %lld, %lld, %lld", cases[i].name, (long long)got.forward_ps, (long long)got.turn_ps,
                     (long long)got.backward_ps);
        transfer_free(&t);
        assert_null(t.items);
    }
}

static void keep_all(void **state)
{
    struct transfer_options o = rig_options(SCHEDULE_KEEP_ALL);

    (void)state;
    make_chain();
    for (int i = 0; i < 4; i++) {
        static const double rates[] = { 1e12, 0, NAN, -1e12 };
        o.to_host_Bps = rates[i]; /* a link that nothing uses may be anything */
        struct transfer_list t = planned(&o);
        expect("keep-all", &t, NULL, 0);
        assert_int_equal(t.offloadable_bytes, i ? 0 : 300);
        transfer_free(&t);
    }
    assert_string_equal(schedule_name(SCHEDULE_KEEP_ALL), "keep-all");
}

/* Operations 0, 1 | 2, 3, 4 | 5 in groups. */
static void group(int s4_written)
{
    static const int groups[N] = { 0, 0, 1, 1, 1, 2 };

    make_chain();
    for (int i = 0; i < N; i++)
        rig.operations[i].group = rig.operations[2 * N - 1 - i].group = groups[i];
    rig.storages[4].last_write = s4_written;
}

static void groups(void **state)
{
    static const struct transfer want[] = {
        { 1, 1, 1, 7, 10 }, { 2, 2, 4, 6, 9 }, { 3, 3, 4, 6, 8 }, { 4, 4, 4, 6, 7 }, { 5, 5, 5, 6, 6 }
    };
    /* s4 is read by operation 4 only, but was there before its group began: its copy begins with the group, before that
       of s3. */
    static const struct transfer early[] = {
        { 1, 1, 1, 7, 10 }, { 2, 2, 4, 6, 9 }, { 4, 2, 4, 6, 7 }, { 3, 3, 4, 6, 8 }, { 5, 5, 5, 6, 6 }
    };
    struct transfer_options o = rig_options(SCHEDULE_LAYER_WISE);
    struct transfer_list t;

    (void)state;
    o.granularity = GRANULARITY_GROUP;
    group(3);
    t = planned(&o);
    expect("groups", &t, want, COUNT(want));
    transfer_free(&t);

    group(0);
    t = planned(&o);
    expect("groups, early", &t, early, COUNT(early));
    transfer_free(&t);

    /* The last group of forward and the first of backward are neighbours with one number, but two. */
    o.granularity = GRANULARITY_OPERATION;
    t = planned(&o);
    assert_int_equal(t.items[4].free_after, 5);
    assert_int_equal(t.items[1].free_after, 2);
    transfer_free(&t);
}

/* s2 is read again by operation 4: no schedule may free it before, however soon its copy is over. */
static void read_again(void **state)
{
    (void)state;
    make_chain();
    rig.operations[4].x2 = 2;
    rig_settle(&rig);
    for (enum schedule s = SCHEDULE_LAYER_WISE; s < SCHEDULE_KINDS; s++) {
        struct transfer_options o = rig_options(s);
        struct transfer_list t = planned(&o);
        assert_int_equal(t.n, 5);
        assert_int_equal(t.items[1].storage, 2);
        assert_int_equal(t.items[1].start, 2);
        assert_int_equal(t.items[1].free_after, s == SCHEDULE_CLAMPED ? 5 : 4);
        transfer_free(&t);
    }
}

/* Operation 2 writes over s2 in place, and only operation 3 may send it. What nobody reads any more is not sent. */
static void written_again(void **state)
{
    static const struct transfer want[] = {
        { 1, 1, 3, 7, 10 }, { 2, 3, 3, 7, 8 }, { 4, 4, 4, 6, 7 }, { 5, 5, 5, 6, 6 }
    };
    struct transfer_options o = rig_options(SCHEDULE_PER_OBJECT);
    struct transfer_list t;

    (void)state;
    make_chain();
    rig.tensors[3].storage = 2;
    rig.operations[9].x = NO_TENSOR; /* such an operation's backward needs what it wrote */
    rig.storages[2].bytes = 30;
    rig_settle(&rig);
    assert_int_equal(rig.storages[2].last_write, 2);
    t = planned(&o);
    expect("in place", &t, want, COUNT(want));
    transfer_free(&t);

    make_chain();
    rig.operations[6].y = 6; /* backward wants the last output: generated, but read by no forward operation */
    rig.storages[6].bytes = 7;
    rig_settle(&rig);
    assert_true(rig.storages[6].generated);
    t = planned(&o);
    assert_int_equal(t.n, 5);
    assert_int_equal(t.offloaded_bytes, 180);
    transfer_free(&t);
}

/* Both inputs of a sum are sent as it begins, the lower storage first; one that it reads twice once. */
static void two_inputs(void **state)
{
    static const struct transfer want[] = {
        { 1, 1, 3, 7, 10 }, { 2, 3, 3, 7, 9 }, { 3, 3, 4, 7, 8 }, { 4, 4, 5, 6, 7 }, { 5, 5, 5, 6, 6 }
    };
    struct transfer_options o = rig_options(SCHEDULE_PER_OBJECT);
    struct transfer_list t;

    (void)state;
    make_chain();
    rig.operations[2].x = 1;
    rig.operations[3].x2 = 2; /* reads 3, then 2 */
    rig_settle(&rig);
    t = planned(&o);
    expect("a sum", &t, want, COUNT(want));
    transfer_free(&t);

    make_chain();
    rig.operations[3].x2 = 3;
    rig_settle(&rig);
    t = planned(&o);
    assert_int_equal(t.n, 5);
    assert_int_equal(t.offloaded_bytes, 180);
    transfer_free(&t);
}

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
        cmocka_unit_test(schedules),      cmocka_unit_test(keep_all),       cmocka_unit_test(groups),
        cmocka_unit_test(read_again),     cmocka_unit_test(written_again),  cmocka_unit_test(two_inputs),
        cmocka_unit_test(limits),         cmocka_unit_test(limit_in_bytes), cmocka_unit_test(hidden_by_groups),
        cmocka_unit_test(limit_by_link),  cmocka_unit_test(turn),           cmocka_unit_test(directions),
        cmocka_unit_test(cliff),          cmocka_unit_test(refusals),       cmocka_unit_test(nothing_to_move),
        cmocka_unit_test(endless_copies), cmocka_unit_test(rounded_up),
    };
    return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
