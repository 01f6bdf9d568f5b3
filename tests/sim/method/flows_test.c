/* Traffic as given: exact ends on small networks, what is reported, the timeline, and what is refused. */

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "tests/draw.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

#define HOST(m)       \
    {                 \
        (m), END_HOST \
    }
enum { MOST = 12, US = 1000000, MB = 1000000 };
static const int64_t ms = 1000000000;

/* --- ends, exact --- */

struct traffic {
    const char *what;
    enum topology_kind topology;
    int64_t machines, n; /* as cluster_make() takes them */
    struct {
        struct end src, dst;
        int64_t bytes, start_ps, end_ps;
    } flow[MOST]; /* up to the first without a source: machine -1 */
};

#define NO_MORE                     \
    {                               \
        HOST(-1), HOST(-1), 0, 0, 0 \
    }

/* Links of 10 Gbit/s: a megabyte takes 0.8 ms; two of them on the way take 10 us. */
static const struct traffic traffics[] = {
    { "alone", TOPOLOGY_STAR, 2, 0, { { HOST(0), HOST(1), 10 * MB, 0, 8010 * (int64_t)US }, NO_MORE } },
    { "later", TOPOLOGY_STAR, 2, 0, { { HOST(0), HOST(1), 1, 7, 7 + 10 * US + 800 }, NO_MORE } },
    { "no bytes: the latency", TOPOLOGY_STAR, 2, 0, { { HOST(0), HOST(1), 0, 5 * US, 15 * US }, NO_MORE } },
    { "to itself: no time", TOPOLOGY_STAR, 2, 0, { { HOST(1), HOST(1), 10 * MB, 3, 3 }, NO_MORE } },
    { "one machine", TOPOLOGY_STAR, 1, 0, { { HOST(0), HOST(0), MB, 0, 0 }, NO_MORE } },
    /* A solver that looks again at a flow's first link only lets the third run at twice its rate. */
    { "two share a source and two a sink",
      TOPOLOGY_STAR,
      4,
      0,
      { { HOST(0), HOST(1), 10 * MB, 0, 16010 * (int64_t)US },
        { HOST(0), HOST(2), 10 * MB, 0, 16010 * (int64_t)US },
        { HOST(3), HOST(2), 10 * MB, 0, 16010 * (int64_t)US },
        NO_MORE } },
    /* The first ends at 8.01 ms with 5 MB of the second still to go; the third has half of the sink all along. */
    { "the same, the first half as long",
      TOPOLOGY_STAR,
      4,
      0,
      { { HOST(0), HOST(1), 5 * MB, 0, 8010 * (int64_t)US },
        { HOST(0), HOST(2), 10 * MB, 0, 16010 * (int64_t)US },
        { HOST(3), HOST(2), 10 * MB, 0, 16010 * (int64_t)US },
        NO_MORE } },
    /* 8 ms alone, then both at half rate until the first has its last 10 MB (8 to 24 ms), then the second alone. */
    { "one comes later",
      TOPOLOGY_STAR,
      3,
      0,
      { { HOST(0), HOST(1), 20 * MB, 0, 24010 * (int64_t)US },
        { HOST(0), HOST(2), 20 * MB, 8000 * (int64_t)US, 32010 * (int64_t)US },
        NO_MORE } },
    /* 0 > 1 > 2 > 3, each link of the chain shared by two. Those of one hop set out 5 us before the others. */
    { "a chain",
      TOPOLOGY_MESH,
      4,
      4,
      { { HOST(0), HOST(2), 10 * MB, 0, 16010 * (int64_t)US },
        { HOST(1), HOST(3), 10 * MB, 0, 16010 * (int64_t)US },
        { HOST(0), HOST(1), 10 * MB, 0, 16000 * (int64_t)US },
        { HOST(2), HOST(3), 10 * MB, 0, 16000 * (int64_t)US },
        { HOST(3), HOST(0), 10 * MB, 0, 8015 * (int64_t)US },
        NO_MORE } },
    { "corner to corner of a mesh",
      TOPOLOGY_MESH,
      12,
      4,
      { { HOST(0), HOST(11), 10 * MB, 0, 8025 * (int64_t)US }, NO_MORE } },
    { "the same on a torus",
      TOPOLOGY_TORUS,
      12,
      4,
      { { HOST(0), HOST(11), 10 * MB, 0, 8010 * (int64_t)US }, NO_MORE } },
    /* Six senders of 10 Gbit/s behind an uplink of 40: two thirds each. */
    { "one flow a pair over an uplink",
      TOPOLOGY_TREE,
      12,
      6,
      { { HOST(0), HOST(6), 10 * MB, 0, 12012 * (int64_t)US },
        { HOST(1), HOST(7), 10 * MB, 0, 12012 * (int64_t)US },
        { HOST(2), HOST(8), 10 * MB, 0, 12012 * (int64_t)US },
        { HOST(3), HOST(9), 10 * MB, 0, 12012 * (int64_t)US },
        { HOST(4), HOST(10), 10 * MB, 0, 12012 * (int64_t)US },
        { HOST(5), HOST(11), 10 * MB, 0, 12012 * (int64_t)US },
        NO_MORE } },
    { "four fill it",
      TOPOLOGY_TREE,
      12,
      6,
      { { HOST(0), HOST(6), 10 * MB, 0, 8012 * (int64_t)US },
        { HOST(1), HOST(7), 10 * MB, 0, 8012 * (int64_t)US },
        { HOST(2), HOST(8), 10 * MB, 0, 8012 * (int64_t)US },
        { HOST(3), HOST(9), 10 * MB, 0, 8012 * (int64_t)US },
        { HOST(4), HOST(5), 10 * MB, 0, 8010 * (int64_t)US },
        NO_MORE } },
};

/* The flows of a table's row; their file's ids count down from 900, their lines up from 2. */
static struct flow_spec *list_of(const struct traffic *t, size_t *n)
{
    struct flow_spec *list = calloc(MOST, sizeof(*list));

    for (*n = 0; t->flow[*n].src.machine >= 0; (*n)++)
        list[*n] = (struct flow_spec){ .id = 900 - (int64_t)*n,
                                       .src = t->flow[*n].src,
                                       .dst = t->flow[*n].dst,
                                       .bytes = t->flow[*n].bytes,
                                       .start_ps = t->flow[*n].start_ps,
                                       .line = 2 + (int64_t)*n };
    return list;
}

static void every_end_is_exact(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(traffics); i++) {
        const struct traffic *t = &traffics[i];
        struct cluster c;
        struct flows f = { .file = "f.csv", .digest = "" };
        int64_t end_ps[MOST];
        char why[256] = "";
        f.list = list_of(t, &f.n);
        cluster_make(&c, t->topology, t->machines, t->n);
        if (flows_ends(&c.platform, &f, end_ps, why, sizeof(why)))
            fail_msg("%s: refused: %s", t->what, why);
        for (size_t k = 0; k < f.n; k++)
            if (end_ps[k] != t->flow[k].end_ps)
                fail_msg("%s: flow %zu ends at %lld ps, not %lld", t->what, k, (long long)end_ps[k],
                         (long long)t->flow[k].end_ps);
        free(f.list);
    }
}

/* A step of a ring: every machine sends its neighbour a part of 16 MiB at once. Thirty such steps are the allreduce of
 * 16 ranks that takes 25.465824 ms, where each waits for the one before. */
static void one_step_of_a_ring(void **state)
{
    enum { RANKS = 16, PART = (16 << 20) / RANKS };
    struct cluster c;
    struct flow_spec list[RANKS];
    struct flows f = { .list = list, .n = RANKS };
    int64_t end_ps[RANKS];

    (void)state;
    for (int i = 0; i < RANKS; i++)
        list[i] = (struct flow_spec){ .id = i, .src = HOST(i), .dst = HOST((i + 1) % RANKS), .bytes = PART };
    cluster_make(&c, TOPOLOGY_STAR, RANKS, 0);
    assert_int_equal(flows_ends(&c.platform, &f, end_ps, NULL, 0), E_OK);
    for (int i = 0; i < RANKS; i++)
        assert_int_equal(end_ps[i], 10 * US + PART * 800LL);
    assert_true(fabs(30 * (double)end_ps[0] / 1e9 - 25.465824) < 1e-9);
}

/* Between machines a flow is a message: 1 ms, 10 us of latency, and 500 B of framing behind its 1000 B. Within one it
 * is none. */
static void a_flow_is_a_message(void **state)
{
    struct cluster c;
    struct flow_spec list[] = { { .src = HOST(0), .dst = HOST(1), .bytes = 1000, .start_ps = 7 },
                                { .src = { 2, 0 }, .dst = HOST(2), .bytes = 1000 },
                                { .src = HOST(2), .dst = HOST(2), .bytes = 1000 },
                                { .src = HOST(1), .dst = HOST(0) } };
    struct flows f = { .list = list, .n = COUNT(list) };
    int64_t end_ps[COUNT(list)];

    (void)state;
    cluster_gpus(cluster_make(&c, TOPOLOGY_STAR, 3, 0), 1, 1);
    c.platform.network.message_bytes = 500;
    c.platform.network.message_s = 1e-3;
    assert_int_equal(flows_ends(&c.platform, &f, end_ps, NULL, 0), E_OK);
    assert_int_equal(end_ps[0], 7 + ms + 10 * US + 1500 * 800);
    assert_int_equal(end_ps[1], 2 * US + 125000); /* up the link, at 8 GB/s */
    assert_int_equal(end_ps[2], 0);
    assert_int_equal(end_ps[3], ms + 10 * US + 500 * 800); /* of no bytes but its framing */
}

/* --- through the method --- */

static int play(const struct cluster *c, struct flow_spec *list, size_t n, struct readings *r, struct timeline *t,
                char *why, size_t nwhy)
{
    struct method m = { .kind = METHOD_FLOWS, .flows = { .file = "f.csv", .digest = "", .list = list, .n = n } };
    struct job j = { .platform = &c->platform, .method = &m };

    r->n = 0;
    return flows_play(&j, r, t, why, nwhy);
}

/* Two machines: 0 sends 10 MB at once and 10 MB at 20 ms, GPU 0 of machine 1 sends 30 MB at 2 ms. */
static void gpu_traffic(struct cluster *c, struct flow_spec list[3])
{
    cluster_gpus(cluster_make(c, TOPOLOGY_STAR, 2, 0), 2, 1);
    for (size_t i = 0; i < c->platform.nlinks; i++)
        c->links[i].latency_s = 0;
    list[0] = (struct flow_spec){ .id = 7, .src = HOST(0), .dst = { 1, 1 }, .bytes = 10 * MB, .start_ps = 20 * ms };
    list[1] = (struct flow_spec){ .id = 5, .src = { 1, 0 }, .dst = HOST(0), .bytes = 30 * MB, .start_ps = 2 * ms };
    list[2] = (struct flow_spec){ .id = 6, .src = HOST(0), .dst = HOST(1), .bytes = 10 * MB };
}

static void readings_add_up(void **state)
{
    static const struct {
        const char *name, *unit;
        double value;
    } want[] = {
        { "step_ms", "ms", 28 },
        { "flows", "", 3 },
        { "bytes", "B", 50e6 },
        { "end_ms", "ms", 28 },
        { "mean_ms", "ms", 40 / 3.0 },
        { "longest_ms", "ms", 24 },
        { "rate_GBps", "GB/s", 50 / 28.0 },
        { "link_utilisation", "share", 24 / 28.0 },
    };
    struct cluster c;
    struct flow_spec list[3];
    struct readings r;

    (void)state;
    gpu_traffic(&c, list);
    assert_int_equal(play(&c, list, 3, &r, NULL, NULL, 0), E_OK);
    assert_int_equal(r.n, COUNT(want));
    for (size_t i = 0; i < COUNT(want); i++) {
        if (!(fabs(reading_value(&r, want[i].name) - want[i].value) < 1e-9))
            fail_msg("%s is %.12g, not %.12g", want[i].name, reading_value(&r, want[i].name), want[i].value);
        for (size_t k = 0; k < r.n; k++)
            if (!strcmp(r.list[k].name, want[i].name))
                assert_string_equal(r.list[k].unit, want[i].unit);
    }
}

/* Nothing moves: rates are 0, not the quotient of nothing by nothing. */
static void readings_of_nothing(void **state)
{
    struct cluster c;
    struct flow_spec flow = { .src = HOST(0), .dst = HOST(0), .bytes = 10 };
    struct readings r;

    (void)state;
    cluster_make(&c, TOPOLOGY_STAR, 1, 0);
    assert_int_equal(play(&c, &flow, 1, &r, NULL, NULL, 0), E_OK);
    assert_true(reading_value(&r, "end_ms") == 0 && reading_value(&r, "rate_GBps") == 0);
    assert_true(reading_value(&r, "link_utilisation") == 0);
}

static void check_span(const struct timeline *t, size_t i, const char *track, const char *name, int id,
                       int64_t start_ps, int64_t end_ps)
{
    const struct span *at = &t->spans[i];

    assert_true(i < t->nspans);
    assert_string_equal(t->tracks[at->track].name, track);
    assert_string_equal(at->name, name);
    assert_int_equal(at->id, id);
    assert_int_equal(at->start_ps, start_ps);
    assert_int_equal(at->end_ps, end_ps);
}

static void the_timeline_has_every_flow(void **state)
{
    struct cluster c;
    struct flow_spec list[3];
    struct readings r;
    struct timeline t = { 0 };

    (void)state;
    gpu_traffic(&c, list);
    assert_int_equal(play(&c, list, 3, &r, &t, NULL, 0), E_OK);
    assert_int_equal(t.nspans, 3);
    assert_int_equal(t.ntracks, 2);
    check_span(&t, 0, "machine 0", "to 1", 6, 0, 8 * ms);
    check_span(&t, 1, "machine 1.gpu0", "to 0", 5, 2 * ms, 26 * ms);
    check_span(&t, 2, "machine 0", "to 1.gpu1", 7, 20 * ms, 28 * ms);
    assert_int_equal(t.spans[1].bytes, 30 * MB);
    timeline_free(&t);

    t = (struct timeline){ .from_ps = 9 * ms, .to_ps = 20 * ms };
    assert_int_equal(play(&c, list, 3, &r, &t, NULL, 0), E_OK);
    assert_int_equal(t.nspans, 1);
    assert_int_equal(t.left_out, 0);
    check_span(&t, 0, "machine 1.gpu0", "to 0", 5, 2 * ms, 26 * ms);
    timeline_free(&t);

    t = (struct timeline){ .most = 1 };
    assert_int_equal(play(&c, list, 3, &r, &t, NULL, 0), E_OK);
    assert_int_equal(t.nspans, 1);
    assert_int_equal(t.left_out, 2);
    timeline_free(&t);
}

/* A machine and each of its GPUs have tracks of their own. */
static void every_source_has_a_track(void **state)
{
    static const char *const names[] = { "machine 1", "machine 1.gpu1", "machine 1.gpu0", "machine 0" };
    static const struct end src[] = { HOST(1), { 1, 1 }, { 1, 0 }, HOST(0), { 1, 1 } };
    struct cluster c;
    struct flow_spec list[COUNT(src)];
    struct readings r;
    struct timeline t = { 0 };

    (void)state;
    for (size_t i = 0; i < COUNT(src); i++)
        list[i] = (struct flow_spec){ .id = (int64_t)i, .src = src[i], .dst = HOST(0), .bytes = MB };
    cluster_gpus(cluster_make(&c, TOPOLOGY_STAR, 2, 0), 2, 1);
    assert_int_equal(play(&c, list, COUNT(src), &r, &t, NULL, 0), E_OK);
    assert_int_equal(t.ntracks, COUNT(names));
    for (size_t i = 0; i < COUNT(names); i++)
        assert_string_equal(t.tracks[i].name, names[i]);
    assert_int_equal(t.spans[4].track, 1);
    timeline_free(&t);
}

/* Flows of one machine that overlap lie in different slots, also those that leave at one instant. */
static void overlapping_flows_have_slots(void **state)
{
    enum { N = 40 };
    struct cluster c;
    struct flow_spec list[N];
    struct readings r;
    struct timeline t = { 0 };
    uint64_t seed = 4;

    (void)state;
    for (int i = 0; i < N; i++)
        list[i] = (struct flow_spec){ .id = i,
                                      .src = HOST((int64_t)(draw(&seed) % 3)),
                                      .dst = HOST((int64_t)(draw(&seed) % 3)),
                                      .bytes = (int64_t)(draw(&seed) % 5) * MB,
                                      .start_ps = (int64_t)(draw(&seed) % 8) * ms };
    cluster_make(&c, TOPOLOGY_STAR, 3, 0);
    assert_int_equal(play(&c, list, N, &r, &t, NULL, 0), E_OK);
    assert_int_equal(t.nspans, N);
    for (size_t i = 0; i < N; i++)
        for (size_t k = i + 1; k < N; k++) {
            const struct span *a = &t.spans[i], *b = &t.spans[k];
            assert_true(a->start_ps < b->start_ps || (a->start_ps == b->start_ps && a->id < b->id));
            assert_false(a->track == b->track && a->slot == b->slot && a->end_ps > b->start_ps);
        }
    timeline_free(&t);
}

/* --- refusals --- */

static void faults_are_said(void **state)
{
    static const struct {
        struct flow_spec flow;
        int64_t gpus;
        const char *why;
    } cases[] = {
        { { .src = HOST(0), .dst = HOST(9), .line = 3 }, 0, "" },
        { { .src = HOST(12), .dst = HOST(0), .line = 7 },
          0,
          "method.file: line 7: machine 12: the platform has machines 0..9" },
        { { .src = HOST(0), .dst = HOST(10), .line = 8 },
          0,
          "method.file: line 8: machine 10: the platform has machines 0..9" },
        { { .src = HOST(-1), .dst = HOST(0), .line = 8 },
          0,
          "method.file: line 8: machine -1: the platform has machines 0..9" },
        { { .src = { 3, 0 }, .dst = HOST(0), .line = 9 },
          0,
          "method.file: line 9: GPU 0 of machine 3: the platform has no GPUs" },
        { { .src = { 3, 2 }, .dst = HOST(0), .line = 9 },
          2,
          "method.file: line 9: GPU 2 of machine 3: a machine of the platform has GPUs 0..1" },
        { { .src = { 3, -2 }, .dst = HOST(0), .line = 9 },
          2,
          "method.file: line 9: GPU -2 of machine 3: a machine of the platform has GPUs 0..1" },
        { { .src = HOST(0), .dst = HOST(1), .bytes = -5, .line = 4 },
          0,
          "method.file: line 4: expected bytes and a start of 0 or more, got -5 B at 0 ps" },
        { { .src = HOST(0), .dst = HOST(1), .start_ps = -1, .line = 4 },
          0,
          "method.file: line 4: expected bytes and a start of 0 or more, got 0 B at -1 ps" },
        { { .src = HOST(0), .dst = HOST(1), .bytes = INT64_MAX },
          0,
          "method.file: expected at most 9e+18 bytes in all, framing included, got 9.22337e+18" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cluster c;
        struct readings r;
        struct flow_spec flow = cases[i].flow;
        char why[256] = "";
        cluster_make(&c, TOPOLOGY_STAR, 10, 0);
        if (cases[i].gpus)
            cluster_gpus(&c, cases[i].gpus, 1);
        int rc = play(&c, &flow, 1, &r, NULL, why, sizeof(why));
        if (rc != (*cases[i].why ? E_INVAL : E_OK) || strcmp(why, cases[i].why))
            fail_msg("row %zu: answered %d and said '%s', not '%s'", i, rc, why, cases[i].why);
    }
}

static void the_rest_that_is_refused(void **state)
{
    struct cluster c;
    struct readings r;
    struct flow_spec flow = { .src = HOST(0), .dst = HOST(1), .start_ps = INT64_MAX - US };
    char why[256] = "";

    (void)state;
    cluster_make(&c, TOPOLOGY_STAR, 2, 0);
    assert_int_equal(play(&c, &flow, 0, &r, NULL, why, sizeof(why)), E_INVAL);
    assert_string_equal(why, "method.file: expected 1 to 4294967295 flows, got 0");
    assert_int_equal(play(&c, &flow, 1, &r, NULL, why, sizeof(why)), E_RANGE);
    flow = (struct flow_spec){ .src = HOST(0), .dst = HOST(1), .bytes = 9000000 * (int64_t)1250000000 / 1000 * 999 };
    assert_int_equal(play(&c, &flow, 1, &r, NULL, why, sizeof(why)), E_OK);
    assert_true(reading_value(&r, "end_ms") > 8.9e9);
    flow.bytes = INT64_MAX / 2;
    assert_int_equal(play(&c, &flow, 1, &r, NULL, why, sizeof(why)), E_RANGE);
    c.links[0].bandwidth_Bps = NAN;
    assert_int_equal(play(&c, &flow, 1, &r, NULL, why, sizeof(why)), E_INVAL);
    assert_non_null(strstr(why, "platform.link.eth.bandwidth: "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_end_is_exact),       cmocka_unit_test(one_step_of_a_ring),
        cmocka_unit_test(a_flow_is_a_message),      cmocka_unit_test(readings_add_up),
        cmocka_unit_test(readings_of_nothing),      cmocka_unit_test(the_timeline_has_every_flow),
        cmocka_unit_test(every_source_has_a_track), cmocka_unit_test(overlapping_flows_have_slots),
        cmocka_unit_test(faults_are_said),          cmocka_unit_test(the_rest_that_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
