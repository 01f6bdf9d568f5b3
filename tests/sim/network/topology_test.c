/* topology_test.c - topologies: which channels a route crosses and how long it takes. */

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model/status.h"
#include "sim/network/topology.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

#define HOST(m)       \
    {                 \
        (m), END_HOST \
    }

/* --- the platforms of the table --- */

static void star(struct cluster *c)
{
    cluster_make(c, TOPOLOGY_STAR, 4, 0);
}

static void tree(struct cluster *c) /* 3 + 3 + 1 machines */
{
    cluster_make(c, TOPOLOGY_TREE, 7, 3);
}

static void tree_of_one_kind(struct cluster *c)
{
    cluster_make(c, TOPOLOGY_TREE, 4, 2);
    c->platform.nlinks = 1;
    c->platform.network.uplink = "eth";
}

/* 0 1 2 3
 * 4 5 6 7
 * 8 9 .. : links 0..8 along the rows, 9..16 along the columns */
static void mesh(struct cluster *c)
{
    cluster_make(c, TOPOLOGY_MESH, 12, 4);
}

/* The same with links 0..11 and 12..23. */
static void torus(struct cluster *c)
{
    cluster_make(c, TOPOLOGY_TORUS, 12, 4);
}

static void ring(struct cluster *c)
{
    cluster_make(c, TOPOLOGY_TORUS, 5, 5);
}

static void column(struct cluster *c)
{
    cluster_make(c, TOPOLOGY_TORUS, 2, 1);
}

static void gpus(struct cluster *c)
{
    cluster_gpus(cluster_make(c, TOPOLOGY_STAR, 2, 0), 5, 2);
}

/* Two GPUs on a link, two links on a switch, all switches on one root, and the NIC on the root too. */
static void rooted(struct cluster *c)
{
    gpus(c);
    c->links[1].above = "switch";
    cluster_link(c, "switch", 20e9, 1e-6)->shared_by = 2;
    c->links[2].above = "root";
    cluster_link(c, "root", 30e9, 3e-6)->shared_by = 8;
    c->platform.network.via = "root";
}

/* The NIC has a link of its own, below the root of the GPUs. */
static void nic_below_root(struct cluster *c)
{
    gpus(c);
    c->links[1].above = "root";
    cluster_link(c, "root", 30e9, 3e-6)->shared_by = 2;
    cluster_link(c, "slot", 8e9, 4e-6)->above = "root";
    c->platform.network.via = "slot";
}

static void nvlink(struct cluster *c)
{
    gpus(c);
    cluster_link(c, c->platform.gpu.peer_link = "nvlink", 50e9, 1e-6)->efficiency_to_host = 0.5;
}

static void half(struct cluster *c)
{
    rooted(c);
    c->links[0].duplex = DUPLEX_HALF;
    c->links[3].duplex = DUPLEX_HALF;
}

static void dma(struct cluster *c)
{
    gpus(c);
    c->platform.cpu.dma_read_Bps = 3e9;
    c->platform.cpu.dma_write_Bps = 2e9;
}

static void one(struct cluster *c)
{
    cluster_gpus(cluster_make(c, TOPOLOGY_SINGLE, 1, 0), 2, 1);
}

/* Two links between GPUs 0 and 1, one between 3 and 1. */
static void nvlink_mesh(struct cluster *c)
{
    static struct gpu_pair peers[] = { { 0, 1, 2 }, { 3, 1, 1 } };

    nvlink(c);
    c->platform.gpu.peers = peers;
    c->platform.gpu.npeers = COUNT(peers);
}

/* GPUs 0, 1 and 2 on the first NIC, 3 and 4 on the second, and NICs on the GPUs' links. */
static void rails(struct cluster *c)
{
    gpus(c);
    c->platform.network.nics = 2;
    c->platform.network.via = "pcie";
}

/* Pods of two machines, and the last of one; a leaf for GPUs 0 and 1, and one for 2 and 3. */
static void pods(struct cluster *c)
{
    cluster_gpus(cluster_make(c, TOPOLOGY_RAILS, 5, 0), 4, 1);
    c->platform.network.nics = 2;
    c->platform.network.per_switch = 2;
    c->platform.network.oversubscription = 4;
}

static void pods_with_uplinks(struct cluster *c)
{
    pods(c);
    c->platform.network.oversubscription = 1;
    cluster_link(c, c->platform.network.uplink = "up", 1e9, 3e-6);
}

static void one_pod(struct cluster *c)
{
    pods(c);
    c->platform.network.per_switch = 0;
}

static void pods_of_half(struct cluster *c)
{
    pods(c);
    c->links[0].efficiency_wire = 0.5;
}

/* A root above the GPUs' links, and limits of memory, neither of which what leaves the machine crosses. */
static void gpu_direct(struct cluster *c)
{
    rooted(c);
    c->platform.cpu.dma_read_Bps = 3e9;
    c->platform.cpu.dma_write_Bps = 2e9;
    c->platform.network.gpu_direct = true;
}

static void wire_share(struct cluster *c)
{
    star(c);
    c->links[0].efficiency_wire = 0.5;
}

static void no_latency(struct cluster *c)
{
    star(c);
    c->links[0].latency_s = 0;
}

/* A route, what it crosses (in the order of laying), the sum of its latencies, and the rate of one flow on it. */
static const struct {
    const char *what;
    void (*make)(struct cluster *c);
    struct end from, to;
    const char *crosses;
    double latency_us, rate_GBps;
} routes[] = {
    { "star", star, HOST(0), HOST(3), "eth 0, eth 7", 10, 1.25 },
    { "star, back", star, HOST(3), HOST(0), "eth 1, eth 6", 10, 1.25 },
    { "no latency", no_latency, HOST(0), HOST(3), "eth 0, eth 7", 0, 1.25 },
    { "half of the wire", wire_share, HOST(1), HOST(2), "eth 2, eth 5", 10, 0.625 },
    { "tree, one switch", tree, HOST(3), HOST(5), "eth 6, eth 11", 10, 1.25 },
    { "tree, two switches", tree, HOST(2), HOST(3), "eth 4, eth 7, up 0, up 3", 12, 1.25 },
    { "tree, the last switch", tree, HOST(6), HOST(0), "eth 1, eth 12, up 1, up 4", 12, 1.25 },
    { "uplinks count after machines", tree_of_one_kind, HOST(0), HOST(3), "eth 0, eth 7, eth 8, eth 11", 20, 1.25 },
    { "mesh, neighbours", mesh, HOST(0), HOST(1), "eth 0", 5, 1.25 },
    { "mesh, neighbours, back", mesh, HOST(1), HOST(0), "eth 1", 5, 1.25 },
    { "mesh, below", mesh, HOST(3), HOST(7), "eth 24", 5, 1.25 },
    { "mesh, above", mesh, HOST(11), HOST(7), "eth 33", 5, 1.25 },
    { "mesh, corner to corner", mesh, HOST(0), HOST(11), "eth 0, eth 2, eth 4, eth 24, eth 32", 25, 1.25 },
    { "mesh, and back: rows first again", mesh, HOST(11), HOST(0), "eth 13, eth 15, eth 17, eth 19, eth 27", 25, 1.25 },
    { "torus, round the row", torus, HOST(4), HOST(7), "eth 15", 5, 1.25 },
    { "torus, round the row, back", torus, HOST(7), HOST(4), "eth 14", 5, 1.25 },
    { "torus, half round: forward", torus, HOST(1), HOST(3), "eth 2, eth 4", 10, 1.25 },
    { "torus, half round, forward again", torus, HOST(3), HOST(1), "eth 0, eth 6", 10, 1.25 },
    { "torus, round the column", torus, HOST(1), HOST(9), "eth 43", 5, 1.25 },
    { "torus, both", torus, HOST(0), HOST(11), "eth 7, eth 47", 10, 1.25 },
    { "ring", ring, HOST(1), HOST(3), "eth 2, eth 4", 10, 1.25 },
    { "ring, the other way", ring, HOST(1), HOST(4), "eth 1, eth 9", 10, 1.25 },
    { "two machines above each other", column, HOST(1), HOST(0), "eth 2", 5, 1.25 },
    { "to a GPU", one, HOST(0), { 0, 1 }, "pcie 3", 2, 10 },
    { "from a GPU", one, { 0, 1 }, HOST(0), "pcie 2", 2, 8 },
    { "GPU to GPU, both through the host", one, { 0, 0 }, { 0, 1 }, "pcie 0, pcie 3", 4, 8 },
    { "GPU to its neighbour on the same link", gpus, { 1, 0 }, { 1, 1 }, "pcie 6, pcie 7", 4, 8 },
    { "the last link has one GPU", gpus, { 0, 4 }, { 0, 0 }, "pcie 1, pcie 4", 4, 8 },
    { "GPU to another machine's", gpus, { 0, 3 }, { 1, 4 }, "pcie 2, pcie 11, eth 0, eth 3", 14, 1.25 },
    { "up a tree of PCIe", rooted, { 0, 4 }, HOST(0), "pcie 4, switch 2, root 0", 6, 8 },
    { "down a tree of PCIe", rooted, HOST(1), { 1, 3 }, "pcie 9, switch 5, root 3", 6, 10 },
    { "the network through the root", rooted, HOST(0), HOST(1), "root 1, root 2, eth 0, eth 3", 16, 1.25 },
    { "GPU to GPU over root and network",
      rooted,
      { 0, 0 },
      { 1, 4 },
      "pcie 0, pcie 11, switch 0, switch 7, root 0, root 1, root 2, root 3, eth 0, eth 3",
      28,
      1.25 },
    { "NIC on a slot below the root", nic_below_root, HOST(1), HOST(0), "root 0, root 5, slot 0, slot 3, eth 1, eth 2",
      24, 1.25 },
    { "GPU next to that slot", nic_below_root, { 0, 4 }, HOST(0), "pcie 4, root 2", 5, 8 },
    { "NVLink", nvlink, { 1, 0 }, { 1, 4 }, "nvlink 10, nvlink 19", 2, 25 },
    { "NVLink is not the way to the host", nvlink, { 1, 0 }, HOST(1), "pcie 6", 2, 8 },
    { "a pair of two links", nvlink_mesh, { 1, 0 }, { 1, 1 }, "nvlink 4", 1, 50 },
    { "a pair, the other way", nvlink_mesh, { 0, 1 }, { 0, 3 }, "nvlink 3", 1, 50 },
    { "no pair", nvlink_mesh, { 0, 0 }, { 0, 3 }, "pcie 0, pcie 3", 4, 8 },
    { "pairs of another machine", nvlink_mesh, { 0, 0 }, { 1, 1 }, "pcie 0, pcie 7, eth 0, eth 3", 14, 1.25 },
    { "half duplex, over the wires once",
      half,
      { 0, 0 },
      { 1, 0 },
      "pcie 0, pcie 7, switch 0, switch 5, root 0, root 1, root wire 0, root 2, root 3, root wire 1, eth 0,"
      " eth wire 0, eth 3, eth wire 1",
      28,
      1.25 },
    { "reading memory", dma, HOST(1), { 1, 0 }, "pcie 7, dma-read 1", 2, 3 },
    { "writing memory", dma, { 0, 0 }, HOST(0), "pcie 0, dma-write 0", 2, 2 },
    { "a NIC is no GPU", dma, HOST(0), HOST(1), "eth 0, eth 3", 10, 1.25 },
    { "NIC to NIC", rails, { 0, 2 }, { 1, 4 }, "pcie 1, pcie 2, pcie 8, pcie 11, eth 0, eth 7", 18, 1.25 },
    { "memory uses the first NIC", rails, HOST(1), { 0, 3 }, "pcie 2, pcie 3, pcie 7, eth 3, eth 4", 16, 1.25 },
    { "rails, one leaf", pods, { 0, 0 }, { 1, 1 }, "pcie 0, pcie 11, eth 0, eth 5", 14, 1.25 },
    { "rails, another leaf",
      pods,
      { 2, 1 },
      { 3, 2 },
      "pcie 18, pcie 29, eth 8, eth 15, eth uplink 4, eth uplink 7",
      14,
      0.625 },
    { "rails, another pod",
      pods,
      { 0, 3 },
      { 4, 2 },
      "pcie 6, pcie 37, eth 2, eth 19, eth uplink 2, eth uplink 11",
      14,
      0.625 },
    { "rails, memory", pods, HOST(4), HOST(1), "eth 5, eth 16, eth uplink 1, eth uplink 8", 10, 0.625 },
    { "rails, one machine", pods, { 0, 0 }, { 0, 2 }, "pcie 0, pcie 5", 4, 8 },
    { "rails, wire share", pods_of_half, HOST(4), HOST(1), "eth 5, eth 16, eth uplink 1, eth uplink 8", 10, 0.3125 },
    { "rails, uplinks of their own",
      pods_with_uplinks,
      { 0, 3 },
      { 4, 2 },
      "pcie 6, pcie 37, eth 2, eth 19, up 2, up 11",
      20,
      1 },
    { "rails, a single pod", one_pod, { 0, 3 }, { 4, 2 }, "pcie 6, pcie 37, eth 2, eth 19", 14, 1.25 },
    { "rails, a single pod, another leaf",
      one_pod,
      { 0, 0 },
      { 4, 2 },
      "pcie 0, pcie 37, eth 0, eth 19, eth uplink 0, eth uplink 3",
      14,
      1.25 },
    { "GPUDirect", gpu_direct, { 0, 0 }, { 1, 4 }, "pcie 0, pcie 11, eth 0, eth 3", 14, 1.25 },
    { "GPUDirect, to memory", gpu_direct, { 0, 0 }, HOST(1), "pcie 0, root 2, eth 0, eth 3", 15, 1.25 },
    { "GPUDirect is not the way to the host",
      gpu_direct,
      { 0, 4 },
      HOST(0),
      "pcie 4, switch 2, root 0, dma-write 0",
      6,
      2 },
    { "to itself", star, HOST(2), HOST(2), "", 0, INFINITY },
    { "a GPU to itself", nvlink, { 1, 2 }, { 1, 2 }, "", 0, INFINITY },
};

/* The channels that carried something. */
static void crossed(const struct engine *e, char *text, size_t n)
{
    size_t used = 0;

    *text = 0;
    for (int i = 0; i < engine_nchannels(e); i++) {
        struct channel_state state;
        int number;
        const char *kind = engine_channel_name(e, i, &number);
        engine_channel_state(e, i, &state);
        if (state.sent_bytes)
            used += (size_t)snprintf(text + used, n - used, "%s%s %d", used ? ", " : "", kind, number);
    }
}

static void routes_cross_what_they_should(void **state)
{
    enum { BYTES = 1000000 };

    (void)state;
    for (size_t i = 0; i < COUNT(routes); i++) {
        struct cluster c;
        struct engine *e = engine_new();
        struct topology *t = NULL;
        char why[256] = "", text[512];
        int64_t latency_ps = -1, again_ps = -1, start_ps, end_ps;
        routes[i].make(&c);
        if (topology_new(&c.platform, e, NULL, &t, why, sizeof(why)))
            fail_msg("%s: refused: %s", routes[i].what, why);
        int64_t route = topology_route(t, routes[i].from, routes[i].to, &latency_ps);
        int task = engine_transfer(e, ENGINE_NO_RESOURCE, (int)route, BYTES, latency_ps, 0);
        assert_int_equal(topology_route(t, routes[i].from, routes[i].to, &again_ps), route);
        assert_int_equal(again_ps, latency_ps);
        assert_int_equal(engine_run(e), E_OK);
        crossed(e, text, sizeof(text));
        engine_task(e, task, &start_ps, &end_ps);
        double want_ps = 1e6 * routes[i].latency_us + BYTES / (routes[i].rate_GBps * 1e9) * 1e12;
        if (strcmp(text, routes[i].crosses))
            fail_msg("%s: crosses %s, not %s", routes[i].what, text, routes[i].crosses);
        if (latency_ps != llround(1e6 * routes[i].latency_us) || fabs((double)end_ps - want_ps) > 1)
            fail_msg("%s: latency %lld ps and end %lld ps, not %g us and %.0f ps", routes[i].what,
                     (long long)latency_ps, (long long)end_ps, routes[i].latency_us, want_ps);
        topology_free(t);
        engine_free(e);
    }
}

/* A machine's traffic meets at its NIC, and a rack's at its uplink. */
static void flows_meet_where_they_should(void **state)
{
    static const struct {
        const char *what;
        void (*make)(struct cluster *c);
        struct end from[2], to[2];
        double ms[2]; /* of 10 MB each, latency left out */
    } cases[] = {
        { "one NIC out", star, { HOST(0), HOST(0) }, { HOST(1), HOST(2) }, { 16, 16 } },
        { "one NIC in", star, { HOST(0), HOST(1) }, { HOST(2), HOST(2) }, { 16, 16 } },
        { "full duplex", star, { HOST(0), HOST(1) }, { HOST(1), HOST(0) }, { 8, 8 } },
        { "a switch that never blocks", star, { HOST(0), HOST(1) }, { HOST(2), HOST(3) }, { 8, 8 } },
        { "two NICs", rails, { { 0, 0 }, { 0, 4 } }, { { 1, 0 }, { 1, 4 } }, { 8, 8 } },
        { "two GPUs of a NIC", rails, { { 0, 0 }, { 0, 2 } }, { { 1, 0 }, { 1, 4 } }, { 16, 16 } },
        { "half duplex", half, { HOST(0), HOST(1) }, { HOST(1), HOST(0) }, { 16, 16 } },
        { "one root for GPU and NIC", rooted, { { 0, 0 }, { 0, 2 } }, { HOST(1), HOST(0) }, { 8, 1.25 } },
        { "two GPUs on a link", rooted, { { 0, 0 }, { 0, 1 } }, { HOST(0), HOST(0) }, { 2.5, 2.5 } },
        { "two GPUs on two links of a switch", rooted, { HOST(0), HOST(0) }, { { 0, 1 }, { 0, 2 } }, { 1, 1 } },
        { "two GPUs read memory", dma, { HOST(0), HOST(0) }, { { 0, 0 }, { 0, 4 } }, { 20 / 3.0, 20 / 3.0 } },
        { "two machines read memory", dma, { HOST(0), HOST(1) }, { { 0, 0 }, { 1, 0 } }, { 10 / 3.0, 10 / 3.0 } },
        { "a port of NVLink", nvlink, { { 0, 0 }, { 0, 0 } }, { { 0, 1 }, { 0, 2 } }, { 0.8, 0.8 } },
        { "two ports of NVLink", nvlink, { { 0, 0 }, { 0, 1 } }, { { 0, 2 }, { 0, 3 } }, { 0.4, 0.4 } },
        { "pairs of a mesh", nvlink_mesh, { { 0, 0 }, { 0, 3 } }, { { 0, 1 }, { 0, 1 } }, { 0.2, 0.4 } },
        { "NVLink of two machines", nvlink, { { 0, 0 }, { 1, 0 } }, { { 0, 2 }, { 1, 2 } }, { 0.4, 0.4 } },
        { "a link of a mesh", mesh, { HOST(0), HOST(1) }, { HOST(2), HOST(6) }, { 16, 16 } },
        { "two directions of it", mesh, { HOST(0), HOST(2) }, { HOST(2), HOST(0) }, { 8, 8 } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct cluster c;
        struct engine *e = engine_new();
        struct topology *t = NULL;
        char why[256] = "";
        int task[2];
        cases[i].make(&c);
        for (size_t k = 0; k < c.platform.nlinks; k++)
            c.links[k].latency_s = 0;
        if (topology_new(&c.platform, e, NULL, &t, why, sizeof(why)))
            fail_msg("%s: refused: %s", cases[i].what, why);
        for (int k = 0; k < 2; k++) {
            int64_t latency_ps, route = topology_route(t, cases[i].from[k], cases[i].to[k], &latency_ps);
            task[k] = engine_transfer(e, ENGINE_NO_RESOURCE, (int)route, 10000000, latency_ps, 0);
        }
        assert_int_equal(engine_run(e), E_OK);
        for (int k = 0; k < 2; k++) {
            int64_t start_ps, end_ps;
            engine_task(e, task[k], &start_ps, &end_ps);
            if (fabs((double)end_ps - 1e9 * cases[i].ms[k]) > 2)
                fail_msg("%s: flow %d ends at %lld ps, not %g ms", cases[i].what, k, (long long)end_ps, cases[i].ms[k]);
        }
        topology_free(t);
        engine_free(e);
    }
}

/* Four machines share one uplink, whichever other switch they send to. */
static void a_rack_shares_its_uplink(void **state)
{
    struct cluster c;
    struct engine *e = engine_new();
    struct topology *t = NULL;
    int task[4];

    (void)state;
    cluster_make(&c, TOPOLOGY_TREE, 12, 4);
    c.links[1].bandwidth_Bps = 10.0 * CLUSTER_GBIT;
    assert_int_equal(topology_new(&c.platform, e, NULL, &t, NULL, 0), E_OK);
    for (int i = 0; i < 4; i++) {
        int64_t latency_ps, route = topology_route(t, (struct end)HOST(i), (struct end)HOST(4 + 2 * i), &latency_ps);
        assert_int_equal(latency_ps, 12000000);
        task[i] = engine_transfer(e, ENGINE_NO_RESOURCE, (int)route, 1000000, latency_ps, 0);
    }
    assert_int_equal(engine_run(e), E_OK);
    for (int i = 0; i < 4; i++) {
        int64_t start_ps, end_ps;
        engine_task(e, task[i], &start_ps, &end_ps);
        assert_int_equal(end_ps, 12000000 + 3200000000);
    }
    topology_free(t);
    engine_free(e);
}

/* Routes stay what they were while the table of them grows: every pair of 40 machines and of their GPUs. */
static void routes_keep_their_numbers(void **state)
{
    enum { MACHINES = 8, GPUS = 4, ENDS = MACHINES * (GPUS + 1) };
    struct cluster c;
    struct fabric *f = fabric_new();
    struct topology *t = NULL;
    static int64_t route[ENDS * ENDS];
    static bool seen[ENDS * ENDS];

    (void)state;
    cluster_gpus(cluster_make(&c, TOPOLOGY_STAR, MACHINES, 0), GPUS, 2);
    assert_int_equal(topology_new(&c.platform, NULL, f, &t, NULL, 0), E_OK);
    for (int round = 0; round < 2; round++)
        for (int i = 0; i < ENDS * ENDS; i++) {
            struct end a = { i / ENDS / (GPUS + 1), i / ENDS % (GPUS + 1) - 1 };
            struct end b = { i % ENDS / (GPUS + 1), i % ENDS % (GPUS + 1) - 1 };
            int64_t ps, r = topology_route(t, a, b, &ps);
            assert_in_range(r, 0, ENDS * ENDS - 1);
            if (round)
                assert_int_equal(r, route[i]);
            else
                assert_false(seen[r]);
            route[i] = r;
            seen[r] = 1;
        }
    topology_free(t);
    fabric_free(f);
}

static void ends_that_are_not_there(void **state)
{
    static const struct end ends[] = { HOST(-1), HOST(4), { 0, 2 }, { 1, -2 }, { 4, 0 } };
    struct cluster c;
    struct fabric *f = fabric_new();
    struct topology *t = NULL;
    int64_t ps;

    (void)state;
    cluster_gpus(cluster_make(&c, TOPOLOGY_STAR, 4, 0), 2, 1);
    assert_int_equal(topology_new(&c.platform, NULL, f, &t, NULL, 0), E_OK);
    for (size_t i = 0; i < COUNT(ends); i++) {
        assert_int_equal(topology_route(t, (struct end)HOST(0), ends[i], &ps), E_INVAL);
        assert_int_equal(topology_route(t, ends[i], (struct end)HOST(0), &ps), E_INVAL);
    }
    topology_free(t);
    fabric_free(f);
}

static void nics_and_messages(void **state)
{
    struct cluster c;
    struct fabric *f = fabric_new();
    struct topology *t = NULL;

    (void)state;
    cluster_make(&c, TOPOLOGY_TREE, 7, 3);
    c.links[0].duplex = DUPLEX_HALF;
    c.platform.network.message_bytes = 66.4;
    c.platform.network.message_s = 1.5e-6;
    assert_int_equal(topology_new(&c.platform, NULL, f, &t, NULL, 0), E_OK);
    assert_int_equal(topology_nic_out(t, 0), 0);
    assert_int_equal(topology_nic_in(t, 6), 19);
    assert_int_equal(topology_nic_out(t, 7), -1);
    assert_int_equal(topology_nic_in(t, -1), -1);
    assert_int_equal(topology_message_bytes(t, 1000), 1066);
    assert_int_equal(topology_message_bytes(t, 0), 66);
    assert_int_equal(topology_message_ps(t), 1500000);
    topology_free(t);
    fabric_free(f);

    cluster_make(&c, TOPOLOGY_MESH, 4, 2);
    f = fabric_new();
    assert_int_equal(topology_new(&c.platform, NULL, f, &t, NULL, 0), E_OK);
    assert_int_equal(topology_nic_out(t, 0), -1);
    assert_int_equal(topology_message_bytes(t, 7), 7);
    topology_free(t);
    fabric_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(routes_cross_what_they_should), cmocka_unit_test(flows_meet_where_they_should),
        cmocka_unit_test(a_rack_shares_its_uplink),      cmocka_unit_test(routes_keep_their_numbers),
        cmocka_unit_test(ends_that_are_not_there),       cmocka_unit_test(nics_and_messages),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
