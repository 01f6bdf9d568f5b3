/* Plans made by hand, in round numbers: what waits for what is added up here to the picosecond. */

#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/plan/play.h"
#include "tests/test.h"

enum { US = 1000000, MOST = 12 };

/* A GPU whose memory streams a terabyte a second, behind a link of 100 GB/s: 1 byte is 1 ps of memory, 10 of the
 * link. */
struct rig {
    struct link_spec link;
    struct platform platform;
    struct model model;
    struct layer layers[MOST];
    struct operation operations[MOST];
    int64_t ps[MOST];
    struct storage storages[MOST];
    struct transfer transfers[MOST];
    struct tensor tensors[MOST];
    struct memory_plan plan;
    struct play_options options;
    struct plan_played played;
};

static void rig_new(struct rig *r, size_t nforward, size_t nbackward)
{
    memset(r, 0, sizeof(*r));
    r->link = (struct link_spec){
        .name = "nvlink", .bandwidth_Bps = 200e9, .efficiency_to_host = 0.5, .efficiency_to_device = 0.5, .shared_by = 1
    };
    r->platform =
        (struct platform){ .compute_scale = 1,
                           .machines = 1,
                           .gpu = { .count = 1, .memory_Bps = 2e12, .efficiency_memory = 0.5, .link = "nvlink" },
                           .links = &r->link,
                           .nlinks = 1 };
    r->options = (struct play_options){ .streams = 1 };
    r->plan.graph =
        (struct graph){ .operations = r->operations, .noperations = nforward + nbackward, .nforward = nforward };
    r->plan.graph.tensors = r->tensors;
    r->plan.operation_ps = r->ps;
    r->plan.storages.items = r->storages;
    r->plan.transfers.items = r->transfers;
    for (size_t i = 0; i < nforward + nbackward; i++) {
        r->operations[i].compute_bound = 1;
        r->operations[i].patch = NO_PATCH;
        r->ps[i] = 10 * US;
    }
}

static void compute(struct rig *r, size_t i, int64_t ps)
{
    r->ps[i] = ps;
}

static void stream(struct rig *r, size_t i, int64_t ps, double bytes)
{
    r->operations[i].compute_bound = 0;
    r->operations[i].bytes = bytes;
    r->ps[i] = ps;
}

/* A transfer that takes so long over the link, alone. */
static void move(struct rig *r, int64_t ps, int start, int free_after, int back, int need)
{
    size_t k = r->plan.transfers.n++;

    r->storages[k] = (struct storage){ .bytes = ps / 10, .first = start };
    r->transfers[k] = (struct transfer){ (int32_t)k, start, free_after, back, need };
}

static const char *const kinds[] = { "gpu", "memory", "to-host", "to-device", "host", "wait" };

struct times {
    int64_t ps[COUNT(kinds)];
    size_t n;
};

static void keep(void *context, const char *kind, int64_t ps)
{
    struct times *l = context;

    assert_true(l->n < COUNT(kinds));
    assert_string_equal(kind, kinds[l->n]);
    l->ps[l->n++] = ps;
}

static struct times play(struct rig *r)
{
    struct times l = { .n = 0 };
    int64_t sum = 0;

    assert_int_equal(plan_play(&r->plan, &r->platform, &r->options, &r->played, NULL, keep, &l), E_OK);
    assert_int_equal(l.n, COUNT(kinds));
    for (size_t i = 0; i < COUNT(kinds); i++)
        sum += l.ps[i];
    assert_int_equal(sum, r->played.step_ps);
    assert_int_equal(r->played.forward_ps + r->played.backward_ps, r->played.step_ps);
    return l;
}

static void played(const struct rig *r, int64_t forward, int64_t turn, int64_t backward, int64_t step)
{
    assert_int_equal(r->played.stall_forward_ps, forward);
    assert_int_equal(r->played.stall_turn_ps, turn);
    assert_int_equal(r->played.stall_backward_ps, backward);
    assert_int_equal(r->played.step_ps, step);
}

static void what_stays_costs_nothing(void **state)
{
    struct rig r;

    (void)state;
    rig_new(&r, 2, 2);
    stream(&r, 1, 3 * US, 1e6);
    r.platform.nlinks = 0; /* nobody asks for it */
    struct times l = play(&r);
    played(&r, 0, 0, 0, 33 * US);
    assert_int_equal(r.played.forward_ps, 13 * US);
    assert_int_equal(r.played.slowed_ps, 0);
    assert_int_equal(r.played.host_busy_ps, 0);
    assert_true(l.ps[0] == 30 * US && l.ps[1] == 3 * US && l.ps[5] == 0);
    r.plan.transfers.n = 1;
    assert_int_equal(plan_play(&r.plan, &r.platform, &r.options, &r.played, NULL, NULL, NULL), E_INVAL);
}

/* Forward 10 + 10, backward 10 + 10 us. */
static void copies_hide_or_stall(void **state)
{
    static const struct {
        const char *why;
        int64_t copy_ps;
        int start, free_after, back, need;
        int64_t forward, turn, backward;
        int64_t host; /* of the critical path: to the host, to the device */
        int64_t device;
    } cases[] = {
        { "it ends with its operation", 10 * US, 0, 0, 2, 3, 0, 0, 0, 0, 0 },
        { "one microsecond later", 11 * US, 0, 0, 2, 3, 1 * US, 0, 1 * US, 11 * US, 11 * US },
        { "behind the next operation", 20 * US, 0, 1, 2, 3, 0, 0, 10 * US, 0, 20 * US },
        { "under way when forward ends", 15 * US, 1, 1, 2, 3, 0, 5 * US, 5 * US, 15 * US, 15 * US },
        { "needed at once", 4 * US, 0, 0, 2, 2, 0, 4 * US, 0, 0, 4 * US },
        { "needed at once, and still going", 13 * US, 1, 1, 2, 2, 0, 16 * US, 0, 13 * US, 13 * US },
        { "back before it has left", 30 * US, 0, 3, 2, 3, 0, 0, 30 * US, 30 * US, 30 * US },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rig r;
        rig_new(&r, 2, 2);
        move(&r, cases[i].copy_ps, cases[i].start, cases[i].free_after, cases[i].back, cases[i].need);
        struct times l = play(&r);
        int64_t stalls = cases[i].forward + cases[i].turn + cases[i].backward;
        if (r.played.stall_forward_ps != cases[i].forward || r.played.stall_turn_ps != cases[i].turn ||
            r.played.stall_backward_ps != cases[i].backward || r.played.step_ps != 40 * US + stalls)
            fail_msg("%s: %lld, %lld, %lld; step %lld", cases[i].why, (long long)r.played.stall_forward_ps,
                     (long long)r.played.stall_turn_ps, (long long)r.played.stall_backward_ps,
                     (long long)r.played.step_ps);
        if (l.ps[2] != cases[i].host || l.ps[3] != cases[i].device)
            fail_msg("%s: the critical path has %lld to the host, %lld to the device", cases[i].why, (long long)l.ps[2],
                     (long long)l.ps[3]);
        assert_int_equal(r.played.host_busy_ps, cases[i].copy_ps);
        assert_int_equal(r.played.device_busy_ps, cases[i].copy_ps);
    }
}

/* What begins with an operation begins when that does, not when its turn comes. */
static void a_copy_begins_with_its_operation(void **state)
{
    struct rig r;

    (void)state;
    rig_new(&r, 3, 2);
    move(&r, 14 * US, 0, 0, 3, 4); /* operation 1 waits 4 us for it */
    move(&r, 6 * US, 1, 1, 3, 4);  /* sets out at 14 us, hidden */
    move(&r, 7 * US, 2, 2, 3, 4);  /* sets out at 24 us */
    play(&r);
    /* forward: 0..10, 14..24, 24..34; backward 34..44; back 34..48, 48..54, 54..61 */
    played(&r, 4 * US, 0, 17 * US, 71 * US);
    assert_int_equal(r.played.forward_ps, 34 * US);
    assert_int_equal(r.played.host_busy_ps, 27 * US);
}

/* One at a time in the order in which they come; those that come back at one time in the order of their need. */
static void each_direction_is_a_line(void **state)
{
    struct rig r;

    (void)state;
    rig_new(&r, 3, 4);
    move(&r, 8 * US, 0, 2, 3, 6); /* 0..8 */
    move(&r, 8 * US, 0, 1, 3, 5); /* 8..16 */
    move(&r, 8 * US, 1, 1, 3, 4); /* 16..24: operation 2 waits 4 us */
    play(&r);
    /* backward 34..44; back 34..42 for 4, ..50 for 5, ..58 for 6: all in time */
    played(&r, 4 * US, 0, 0, 74 * US);
    r.transfers[2].need = 6; /* then first 5's, 34..42, and in the transfers' order 6's, ..50, ..58 */
    r.transfers[1].need = 4;
    play(&r);
    played(&r, 4 * US, 0, 0, 74 * US);
    r.transfers[0].need = 4; /* of equals the first in the list: 34..42, then 4's other one until 50 */
    play(&r);
    played(&r, 4 * US, 0, 6 * US, 80 * US);
    r.transfers[2].back = 4; /* asked for later, though in the line by then */
    r.transfers[2].need = 4;
    play(&r);
    played(&r, 4 * US, 0, 14 * US, 88 * US);
}

static void directions_do_not_share_a_full_link(void **state)
{
    struct rig r;

    (void)state;
    rig_new(&r, 2, 3);
    move(&r, 10 * US, 0, 0, 1, 2); /* there 0..10, back 10..20 */
    move(&r, 10 * US, 1, 1, 3, 4); /* there 10..20 */
    play(&r);
    played(&r, 0, 0, 0, 50 * US);
    r.link.duplex = DUPLEX_HALF; /* from 10 both go at half the rate, until 30 */
    play(&r);
    played(&r, 0, 10 * US, 0, 60 * US);
    r.link.duplex = DUPLEX_FULL;
    r.platform.cpu.dma_write_Bps = 50e9; /* the host's memory is slower than the link */
    play(&r);
    /* 0..20, and its way back only then; 20..40 */
    played(&r, 10 * US, 10 * US, 0, 70 * US);
    r.platform.cpu.dma_write_Bps = 0;
    r.platform.cpu.dma_read_Bps = 25e9;
    play(&r); /* back 10..50, operation 2 at 50; back from 60..100, operation 4 at 100 */
    played(&r, 0, 30 * US, 30 * US, 110 * US);
}

static void two_streams_share_the_link(void **state)
{
    struct rig r;

    (void)state;
    rig_new(&r, 3, 2);
    move(&r, 6 * US, 0, 0, 3, 4);
    move(&r, 4 * US, 0, 0, 3, 4);
    play(&r); /* 0..6..10 */
    played(&r, 0, 0, 0, 50 * US);
    assert_int_equal(r.played.host_busy_ps, 10 * US);
    move(&r, 6 * US, 1, 1, 3, 4);
    move(&r, 6 * US, 1, 1, 3, 4); /* 10..16..22 */
    r.transfers[2].free_after = 2;
    play(&r);
    played(&r, 2 * US, 0, 12 * US, 64 * US);
    r.options.streams = 2; /* both end at 22 */
    play(&r);
    played(&r, 2 * US, 0, 12 * US, 64 * US);
    r.transfers[3].free_after = 2; /* the first is waited for: alone 16, sharing 22 */
    r.transfers[2].free_after = 1;
    play(&r);
    played(&r, 2 * US, 0, 12 * US, 64 * US);
    r.options.streams = 1;
    play(&r);
    played(&r, 0, 0, 12 * US, 62 * US);
}

static void two_streams_share_the_way_back(void **state)
{
    struct rig r;

    (void)state;
    rig_new(&r, 2, 3);
    move(&r, 6 * US, 0, 0, 2, 4);
    move(&r, 4 * US, 0, 0, 2, 3);
    r.link.efficiency_to_device = 0.25; /* twice as long: 8 us for 3, 12 more for 4 */
    play(&r);
    played(&r, 0, 0, 0, 50 * US);
    assert_int_equal(r.played.host_busy_ps, 10 * US);
    assert_int_equal(r.played.device_busy_ps, 20 * US);
    r.options.streams = 2; /* 16 us for 3, which waits 6 of them, then the rest alone until 20 */
    play(&r);
    played(&r, 0, 0, 6 * US, 56 * US);
}

/* What comes back takes memory that a copy to the host gives free: it begins when that has ended. */
static void a_copy_back_waits_for_its_turn(void **state)
{
    struct rig r;

    (void)state;
    rig_new(&r, 2, 2);
    move(&r, 5 * US, 0, 0, 2, 3);
    move(&r, 15 * US, 1, 1, 3, 3); /* until 25: the turn of operation 2 */
    r.transfers[0].need = 3;
    r.storages[0].bytes = 12 * US / 10;
    r.transfers[0].free_after = 1;
    r.transfers[1].back = 2;
    play(&r);
    /* 0..12, 12..27; back 27..39, 39..54 */
    played(&r, 0, 7 * US, 17 * US, 64 * US);
}

static void latency_belongs_to_each_copy(void **state)
{
    struct rig r;

    (void)state;
    rig_new(&r, 2, 2);
    r.link.latency_s = 2e-6;
    move(&r, 9 * US, 0, 0, 2, 3);
    play(&r);
    played(&r, 1 * US, 0, 1 * US, 42 * US);
    assert_int_equal(r.played.host_busy_ps, 11 * US);
}

static void pinning_holds_compute_up(void **state)
{
    struct rig r;
    struct times l;

    (void)state;
    rig_new(&r, 2, 2);
    r.options.pin_s = 3e-6;
    move(&r, 5 * US, 0, 0, 2, 3);
    move(&r, 5 * US, 0, 0, 2, 3);
    move(&r, 5 * US, 1, 1, 2, 3);
    l = play(&r);
    /* pinned 0..3..6, operation 6..16, copies 6..16; pinned 16..19, operation 19..29; back 29..44 */
    played(&r, 9 * US, 0, 5 * US, 54 * US);
    assert_int_equal(l.ps[4], 9 * US);
    assert_int_equal(l.ps[3], 15 * US);
    r.transfers[2].start = 0; /* one after the other, and none for the second operation */
    play(&r);
    /* pinned 0..9, operation 9..19, copies 9..24: operation 1 at 19 waits for two, until 19 */
    played(&r, 9 * US, 0, 5 * US, 54 * US);
}

/* A stream over all of the memory and a copy that wants a tenth of it: 10 % slower while it lasts. */
static void copies_take_memory_from_streams(void **state)
{
    struct rig r;
    struct times l;

    (void)state;
    rig_new(&r, 2, 2);
    for (size_t i = 0; i < 4; i++)
        stream(&r, i, 9 * US, 9e6);
    move(&r, 30 * US, 0, 1, 2, 3);
    play(&r);
    /* forward 0..18, its copy ..30; back 30..60 */
    played(&r, 0, 12 * US, 21 * US, 69 * US);
    assert_int_equal(r.played.slowed_ps, 0);
    r.options.contention = 1;
    l = play(&r);
    /* 9 us at 90 % last 10: forward 0..20, backward 30..40, then from 60 alone */
    played(&r, 0, 10 * US, 20 * US, 69 * US);
    assert_int_equal(r.played.slowed_ps, 3 * US);
    assert_int_equal(r.played.forward_ps, 20 * US);
    assert_true(l.ps[2] == 30 * US && l.ps[3] == 30 * US && l.ps[1] == 9 * US);
    /* Alone, with a launch: 9 us in all, of which 8 on memory. */
    r.plan.transfers.n = 0;
    for (size_t i = 0; i < 4; i++)
        stream(&r, i, 9 * US, 8e6);
    play(&r);
    played(&r, 0, 0, 0, 36 * US);
    assert_int_equal(r.played.slowed_ps, 0);
    /* The launch is not slowed: 1 + 8 / 0.9. */
    r.plan.transfers.n = 1;
    for (size_t i = 0; i < 4; i++)
        stream(&r, i, 10 * US, 9e6);
    play(&r);
    assert_int_equal(r.played.forward_ps, 22 * US);
    /* What computes is not slowed at all. */
    compute(&r, 0, 9 * US);
    r.operations[0].compute_bound = 1;
    play(&r);
    assert_int_equal(r.played.forward_ps, 20 * US);
    /* A GPU twice as fast streams twice as fast. */
    r.platform.compute_scale = 2;
    r.link.bandwidth_Bps *= 2;
    for (size_t i = 0; i < 4; i++)
        stream(&r, i, 9 * US / 2, 9e6);
    play(&r);
    assert_int_equal(r.played.forward_ps, 10 * US);
}

/* A profile that was measured need not agree with bytes over rate: what is planned is what it takes. */
static void streams_last_what_is_planned(void **state)
{
    static const struct {
        int64_t ps;
        double bytes;
    } cases[] = { { 0, 0 }, { 7, 0 }, { 0, 100 }, { 9 * US, 1e9 }, { 1, 1 }, { 123457, 123456.7 }, { 123456, 123457 } };
    struct rig r;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int scale = 1; scale < 8; scale++) {
            rig_new(&r, 1, 1);
            stream(&r, 0, cases[i].ps, cases[i].bytes);
            compute(&r, 1, 5);
            r.options.contention = 1;
            r.platform.gpu.memory_Bps *= scale / 3.0;
            play(&r);
            if (r.played.step_ps != cases[i].ps + 5 || r.played.slowed_ps)
                fail_msg("%lld ps of %g bytes took %lld", (long long)cases[i].ps, cases[i].bytes,
                         (long long)r.played.step_ps - 5);
        }
}

static const struct span *span_named(const struct timeline *t, const char *name)
{
    for (size_t i = 0; i < t->nspans; i++)
        if (!strcmp(t->spans[i].name, name))
            return &t->spans[i];
    fail_msg("no span is called '%s'", name);
    return NULL;
}

static void a_timeline_names_what_ran(void **state)
{
    struct timeline t = { 0 };
    struct rig r;

    (void)state;
    rig_new(&r, 2, 2);
    strcpy(r.layers[0].name, "conv1");
    strcpy(r.layers[1].name, "pool1");
    r.model.layers = r.layers;
    r.model.nlayers = 2;
    r.plan.model = r.plan.graph.model = &r.model;
    for (int i = 0; i < 4; i++) {
        r.operations[i].layer = i < 2 ? i : 3 - i;
        r.operations[i].backward = i > 1;
    }
    r.options.pin_s = 1e-6;
    move(&r, 4 * US, 1, 1, 2, 3);
    r.storages[0].first = 0;
    assert_int_equal(plan_play(&r.plan, &r.platform, &r.options, &r.played, &t, NULL, NULL), E_OK);
    assert_int_equal(t.nspans, 7);
    assert_int_equal(span_named(&t, "conv1")->start_ps, 0);
    assert_int_equal(span_named(&t, "pool1")->start_ps, 11 * US);
    assert_int_equal(span_named(&t, "pool1 backward")->start_ps, 21 * US);
    assert_int_equal(span_named(&t, "conv1 backward")->end_ps, 41 * US);
    assert_int_equal(span_named(&t, "pin conv1")->start_ps, 10 * US);
    const struct span *out = span_named(&t, "offload conv1"), *in = span_named(&t, "prefetch conv1");
    assert_true(out->start_ps == 11 * US && out->end_ps == 15 * US && out->bytes == 400000);
    assert_true(in->start_ps == 21 * US && in->end_ps == 25 * US && in->bytes == 400000);
    assert_string_equal(t.tracks[out->track].name, "to-host 0");
    assert_string_equal(t.tracks[in->track].name, "to-device 0");
    assert_string_equal(t.tracks[span_named(&t, "conv1")->track].name, "gpu 0");
    timeline_free(&t);
    /* Needed at one time: in the order of the list. */
    move(&r, 4 * US, 1, 1, 2, 3);
    assert_int_equal(plan_play(&r.plan, &r.platform, &r.options, &r.played, &t, NULL, NULL), E_OK);
    assert_int_equal(t.nspans, 10);
    assert_int_equal(span_named(&t, "prefetch conv1")->start_ps, 22 * US);
    assert_int_equal(span_named(&t, "prefetch pool1")->start_ps, 26 * US);
    timeline_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stays_costs_nothing),
        cmocka_unit_test(copies_hide_or_stall),
        cmocka_unit_test(a_copy_begins_with_its_operation),
        cmocka_unit_test(each_direction_is_a_line),
        cmocka_unit_test(directions_do_not_share_a_full_link),
        cmocka_unit_test(two_streams_share_the_link),
        cmocka_unit_test(two_streams_share_the_way_back),
        cmocka_unit_test(a_copy_back_waits_for_its_turn),
        cmocka_unit_test(latency_belongs_to_each_copy),
        cmocka_unit_test(pinning_holds_compute_up),
        cmocka_unit_test(copies_take_memory_from_streams),
        cmocka_unit_test(streams_last_what_is_planned),
        cmocka_unit_test(a_timeline_names_what_ran),
    };

    return cmocka_run_group_tests_name("plan_play", tests, NULL, NULL);
}
