/* The fabric against the brute-force reference, which has the same clock of picoseconds: every flow's end, over
 * networks and traffic of many shapes. */

#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/fabric/flow_player.h"
#include "tests/draw.h"
#include "tests/sim/fabric/maxmin_reference.h"
#include "tests/test.h"

enum { MAX_CHANNELS = 2048, MAX_FLOWS = 10000, MAX_HOPS = 64 };

/* A network and its traffic, for both. */
struct net {
    double capacity_Bps[MAX_CHANNELS];
    int nchannels;
    struct ref_flow flows[MAX_FLOWS];
    int path[MAX_FLOWS][MAX_HOPS];
    int64_t end_ps[MAX_FLOWS];
    uint32_t route[MAX_FLOWS];
    int nflows;
    int ended, most; /* play until so many have ended; 0: all */
    bool shared;     /* flows of one path have one route, not each its own */
    struct flow_player *p;
};

static int channel(struct net *n, double capacity_Bps)
{
    assert_true(n->nchannels < MAX_CHANNELS);
    n->capacity_Bps[n->nchannels] = capacity_Bps;
    return n->nchannels++;
}

/* A flow that starts at start_ps, or (-1) when the one before it has ended. */
static struct ref_flow *flow(struct net *n, int64_t bytes, int64_t start_ps)
{
    assert_true(n->nflows < MAX_FLOWS);
    struct ref_flow *f = &n->flows[n->nflows];
    *f = (struct ref_flow){ .path = n->path[n->nflows],
                            .bytes = (double)bytes,
                            .start_s = start_ps < 0 ? INFINITY : (double)start_ps / 1e12 };
    n->nflows++;
    return f;
}

/* Once only: a channel that the flow crosses already is left out. */
static void cross(struct net *n, struct ref_flow *f, int c)
{
    int *path = n->path[f - n->flows];

    for (int k = 0; k < f->npath; k++)
        if (path[k] == c)
            return;
    assert_true(f->npath < MAX_HOPS);
    path[f->npath++] = c;
}

static int64_t uniform(uint64_t *seed, int64_t from, int64_t to)
{
    return from + (int64_t)(draw(seed) % (uint64_t)(to - from + 1));
}

/* Hosts on one switch, an up and a down channel each: each host so many flows to random others. */
static void star(struct net *n, uint64_t seed, int hosts, int each, bool one_after_another)
{
    for (int c = 0; c < 2 * hosts; c++)
        channel(n, 1.25e9);
    for (int i = 0; i < hosts * each; i++) {
        int from = i / each, to = (int)uniform(&seed, 0, hosts - 2);
        int64_t bytes = uniform(&seed, 65536, 16777216);
        struct ref_flow *f = flow(n, bytes, one_after_another && i % each ? -1 : 0);
        cross(n, f, 2 * from);
        cross(n, f, 2 * (to < from ? to : to + 1) + 1);
    }
}

static void burst_10x4(struct net *n, uint64_t seed)
{
    star(n, seed, 10, 4, 0);
}

static void burst_100x10(struct net *n, uint64_t seed)
{
    star(n, seed, 100, 10, 0);
}

static void burst_1000x10(struct net *n, uint64_t seed)
{
    star(n, seed, 1000, 10, 0);
    n->most = 150; /* of 10,000: the reference takes milliseconds for each */
}

static void closed_loop(struct net *n, uint64_t seed)
{
    star(n, seed, 20, 8, 1);
}

/* From everyone to everyone: up to 63 flows in every channel, and at first all channels alike. */
static void all_to_all(struct net *n, uint64_t seed)
{
    int hosts = (int)uniform(&seed, 4, 40);

    for (int c = 0; c < 2 * hosts; c++)
        channel(n, 1e9);
    for (int i = 0; i < hosts * hosts; i++) {
        if (i / hosts == i % hosts)
            continue;
        struct ref_flow *f = flow(n, uniform(&seed, 1000000, 2000000), 0);
        cross(n, f, 2 * (i / hosts));
        cross(n, f, 2 * (i % hosts) + 1);
    }
}

/* A binary tree of switches over 32 hosts, the links twice as wide at every other level, starts spread over 20 ms. */
static void tree(struct net *n, uint64_t seed)
{
    enum { HOSTS = 32 };

    for (int c = 0; c < 4 * HOSTS; c++) { /* node i has channel 2i up, 2i + 1 down; the root is node 1 */
        int node = c / 2, width = 1;
        for (int k = node + !node; k < HOSTS; k *= 4)
            width *= 2;
        channel(n, 1e9 * width);
    }
    for (int i = 0; i < 400; i++) {
        int from = HOSTS + (int)uniform(&seed, 0, HOSTS - 1), to = HOSTS + (int)uniform(&seed, 0, HOSTS - 1);
        struct ref_flow *f = flow(n, uniform(&seed, 1000000, 20000000), uniform(&seed, 0, 20000) * 1000000);
        for (int a = from, b = to; a != b; a /= 2, b /= 2) {
            cross(n, f, 2 * a);
            cross(n, f, 2 * b + 1);
        }
    }
}

/* A 12 x 12 mesh, routed first along the row, then along the column: up to 22 channels a route; all start at once. */
static void mesh(struct net *n, uint64_t seed)
{
    enum { SIDE = 12, EAST, WEST, SOUTH, NORTH, DIRECTIONS = 4 };

    for (int c = 0; c < SIDE * SIDE * DIRECTIONS; c++)
        channel(n, 1e9 * (double)uniform(&seed, 1, 4));
    for (int i = 0; i < 300; i++) {
        int x = (int)uniform(&seed, 0, SIDE - 1), y = (int)uniform(&seed, 0, SIDE - 1);
        int to_x = (int)uniform(&seed, 0, SIDE - 1), to_y = (int)uniform(&seed, 0, SIDE - 1);
        struct ref_flow *f = flow(n, uniform(&seed, 1000000, 20000000), 0);
        for (; x != to_x; x += to_x > x ? 1 : -1)
            cross(n, f, (y * SIDE + x) * DIRECTIONS + (to_x > x ? EAST : WEST) - EAST);
        for (; y != to_y; y += to_y > y ? 1 : -1)
            cross(n, f, (y * SIDE + x) * DIRECTIONS + (to_y > y ? SOUTH : NORTH) - EAST);
    }
}

/* Any channels in any order, capacities from 1e3 to 1e12 B/s, many equal, sizes to match; starts at once and spread. */
static void anything(struct net *n, uint64_t seed)
{
    int channels = (int)uniform(&seed, 1, 24), flows = (int)uniform(&seed, 1, 80);
    double unit = pow(10, (double)uniform(&seed, 3, 9));

    for (int c = 0; c < channels; c++)
        channel(n, unit * pow(10, (double)uniform(&seed, 0, 3)) * (double)uniform(&seed, 1, 3));
    for (int i = 0; i < flows; i++) {
        int64_t start_ps = draw(&seed) % 2 ? 0 : uniform(&seed, 0, 20) * 100000000000;
        struct ref_flow *f = flow(n, uniform(&seed, (int64_t)unit / 10, (int64_t)unit * 10), start_ps);
        for (int64_t hops = uniform(&seed, 1, 10); hops; hops--)
            cross(n, f, (int)uniform(&seed, 0, channels - 1));
    }
}

/* The same with few ways, each for many flows. */
static void anything_often(struct net *n, uint64_t seed)
{
    int channels = (int)uniform(&seed, 1, 8), ways = (int)uniform(&seed, 1, 8), flows = (int)uniform(&seed, 1, 100);

    for (int c = 0; c < channels; c++)
        channel(n, 1e6 * (double)uniform(&seed, 1, 30));
    for (int i = 0; i < flows; i++) {
        int like = i < ways ? i : (int)uniform(&seed, 0, ways - 1);
        struct ref_flow *f = flow(n, uniform(&seed, 100000, 9000000), uniform(&seed, 0, 5) * 1000000000000);
        if (i < ways)
            for (int64_t hops = uniform(&seed, 1, 4); hops; hops--)
                cross(n, f, (int)uniform(&seed, 0, channels - 1));
        for (int k = 0; i >= ways && k < n->flows[like].npath; k++)
            cross(n, f, n->path[like][k]);
    }
}

/* Channels all alike, few sizes, long ways: many levels are equal, many flows end at once. */
static void alike(struct net *n, uint64_t seed)
{
    int channels = (int)uniform(&seed, 4, 30), flows = (int)uniform(&seed, 20, 150);

    for (int c = 0; c < channels; c++)
        channel(n, 1e9);
    for (int i = 0; i < flows; i++) {
        struct ref_flow *f = flow(n, uniform(&seed, 1, 3) * 3000000, uniform(&seed, 0, 3) / 3 * 1000000000);
        for (int64_t hops = uniform(&seed, 2, 8); hops; hops--)
            cross(n, f, (int)uniform(&seed, 0, channels - 1));
    }
}

/* All over one channel, and each over one of its own that some fill first: a server and its workers. */
static void server(struct net *n, uint64_t seed)
{
    int wire = channel(n, 1e10);

    for (int i = 0; i < 500; i++) {
        struct ref_flow *f = flow(n, uniform(&seed, 100000, 5000000), i % 3 ? 0 : uniform(&seed, 0, 300) * 1000000000);
        cross(n, f, channel(n, 1e7 * (double)uniform(&seed, 1, 9)));
        cross(n, f, wire);
    }
}

/* Few routes and many flows on each, as tensors have between workers and servers: at once, spread, one after another,
 * and of sizes so unlike that some routes' flows move terabytes while hundreds come and go next to them. */
static void tensors(struct net *n, uint64_t seed)
{
    int workers = (int)uniform(&seed, 1, 8), servers = (int)uniform(&seed, 1, 3);
    int each = (int)uniform(&seed, 1, 40);
    int64_t spread = uniform(&seed, 0, 2) * 10000;

    for (int c = 0; c < 2 * (workers + servers); c++)
        channel(n, 1e8 * (double)uniform(&seed, 5, 10));
    for (int i = 0; i < workers * servers * each; i++) {
        int worker = i / each % workers, server = workers + i / each / workers, up = (int)uniform(&seed, 0, 4) > 0;
        int64_t start_ps = draw(&seed) % 3 ? uniform(&seed, 0, spread) * 1000000 : 0;
        int64_t bytes = draw(&seed) % 8 ? uniform(&seed, 1, 3) * 100000 : uniform(&seed, 1, 20000000000);
        struct ref_flow *f = flow(n, bytes, i % each && draw(&seed) % 3 == 0 ? -1 : start_ps);
        cross(n, f, 2 * (up ? worker : server));
        cross(n, f, 2 * (up ? server : worker) + 1);
    }
}

static int ended(void *context, uint32_t tag, int64_t at_ps)
{
    struct net *n = context;
    uint32_t next = tag + 1;

    assert_int_equal(n->end_ps[tag], -1);
    n->end_ps[tag] = at_ps;
    if (n->most && ++n->ended >= n->most)
        return E_CYCLE; /* enough */
    if ((int)next == n->nflows || !isinf(n->flows[next].start_s))
        return E_OK;
    return flow_player_post(n->p, n->route[next], (int64_t)n->flows[next].bytes, at_ps, next);
}

/* The route of an earlier flow with the same path, or a new one. */
static uint32_t route(const struct net *n, struct fabric *f, int flow)
{
    const struct ref_flow *r = &n->flows[flow];
    uint32_t hops[MAX_HOPS];

    for (int i = 0; n->shared && i < flow; i++)
        if (n->flows[i].npath == r->npath && !memcmp(n->path[i], r->path, (size_t)r->npath * sizeof(int)))
            return n->route[i];
    for (int k = 0; k < r->npath; k++)
        hops[k] = (uint32_t)r->path[k];
    return (uint32_t)fabric_route(f, hops, (size_t)r->npath);
}

static void play(struct net *n)
{
    struct fabric *f = fabric_new();

    n->p = flow_player_new(f);
    for (int c = 0; c < n->nchannels; c++)
        assert_int_equal(fabric_channel(f, n->capacity_Bps[c]), c);
    for (int i = 0; i < n->nflows; i++) {
        const struct ref_flow *r = &n->flows[i];
        n->route[i] = route(n, f, i);
        n->end_ps[i] = -1;
        if (!isinf(r->start_s))
            assert_int_equal(
                flow_player_post(n->p, n->route[i], (int64_t)r->bytes, llround(r->start_s * 1e12), (uint32_t)i), E_OK);
    }
    assert_int_equal(flow_player_run(n->p, ended, n), n->most ? E_CYCLE : E_OK);
    flow_player_free(n->p);
    fabric_free(f);
}

static const struct {
    const char *name;
    void (*make)(struct net *n, uint64_t seed);
    int trials;
} shapes[] = {
    { "burst 10 x 4", burst_10x4, 50 },
    { "burst 100 x 10", burst_100x10, 2 },
    { "burst 1000 x 10", burst_1000x10, 1 },
    { "closed loop 20 x 8", closed_loop, 20 },
    { "tree", tree, 10 },
    { "mesh", mesh, 10 },
    { "anything", anything, 400 },
    { "anything often", anything_often, 300 },
    { "server", server, 3 },
    { "tensors", tensors, 200 },
    { "all to all", all_to_all, 6 },
    { "alike", alike, 200 },
};

/* How far apart, of the whole, two ends are that ought to be the same. Ends are rounded up to a picosecond, and so is
 * what the flows before were waited for: a few picoseconds are no difference. */
static double apart(int64_t ours_ps, double theirs_s)
{
    enum { ROUNDED_PS = 8 };
    double off_ps = fabs((double)ours_ps - theirs_s * 1e12);

    return off_ps <= ROUNDED_PS ? 0 : off_ps / (double)ours_ps;
}

static void every_end_is_the_reference_s(void **state)
{
    struct net *n = malloc(sizeof(*n));

    (void)state;
    assert_non_null(n);
    for (size_t s = 0; s < COUNT(shapes); s++) {
        double worst = 0;
        int compared = 0;
        for (int trial = 0; trial < shapes[s].trials; trial++) {
            n->nchannels = n->nflows = n->ended = n->most = 0;
            n->shared = trial % 2 == 0;
            shapes[s].make(n, 42 + (uint64_t)trial);
            play(n);
            assert_true(ref_run(n->capacity_Bps, n->nchannels, n->flows, n->nflows, n->most));
            for (int i = 0; i < n->nflows; i++) {
                if (n->most && (n->end_ps[i] < 0 || isnan(n->flows[i].end_s)))
                    continue;
                double off = apart(n->end_ps[i], n->flows[i].end_s);
                if (!(off <= 1e-9))
                    fail_msg("%s, trial %d, flow %d: %" PRId64 " ps, reference %.15g s", shapes[s].name, trial, i,
                             n->end_ps[i], n->flows[i].end_s);
                worst = fmax(worst, off);
                compared++;
            }
        }
        assert_true(compared >= (n->most ? n->most : shapes[s].trials));
        printf("%-20s %6d ends, at most %.1e apart\n", shapes[s].name, compared, worst);
    }
    free(n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_end_is_the_reference_s),
    };
    return cmocka_run_group_tests_name("fabric_reference", tests, NULL, NULL);
}
