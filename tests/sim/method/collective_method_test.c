/* A collective by itself: times and bandwidths as nccl-tests prints them, against closed forms; what is refused. */
#include <math.h>
#include <string.h>

#include "model/status.h"
#include "sim/method/method.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

enum { MB = 1000000 };

/* Eight machines of 10 Gbit/s and 5 us, or (gpus) each with so many GPUs on 10 GB/s. */
struct rig {
    struct cluster cluster;
    struct method method;
};

static void rig_make(struct rig *r, int64_t gpus)
{
    cluster_make(&r->cluster, TOPOLOGY_STAR, 8, 0);
    if (gpus)
        cluster_gpus(&r->cluster, gpus, 1);
    r->cluster.platform.collective = (struct measured){
        .launch_s = 10e-6, .latency_s = 1e-6, .bandwidth_Bps = 100e9, .bandwidth_at_bytes = 1e9, .exponent = 1
    };
    r->method = (struct method){ .kind = METHOD_COLLECTIVE,
                                 .collective = { .ranks = 4, .ranks_per_machine = 1, .bytes = 40 * MB } };
}

static int play(const struct rig *r, struct readings *out, char *why, size_t nwhy)
{
    struct job j = { .platform = &r->cluster.platform, .method = &r->method };

    out->n = 0;
    return method_play(&j, out, NULL, why, nwhy);
}

/* 40 MB: a quarter takes 8 ms on a link, and every step 10 us more. */
static void times_and_bandwidths(void **state)
{
    static const struct {
        const char *what;
        enum collective_operation o;
        enum collective_algorithm a;
        int64_t ranks, bytes;
        double us, algbw_GBps, busbw_GBps;
    } cases[] = {
        { "6 steps", COLLECTIVE_ALLREDUCE, COLLECTIVE_RING, 4, 40 * MB, 48060, 40 / 48.06, 60 / 48.06 },
        { "3 steps", COLLECTIVE_ALLGATHER, COLLECTIVE_RING, 4, 40 * MB, 24030, 40 / 24.03, 30 / 24.03 },
        { "3 steps", COLLECTIVE_REDUCE_SCATTER, COLLECTIVE_RING, 4, 40 * MB, 24030, 40 / 24.03, 30 / 24.03 },
        { "16, 8, 8, 16 ms", COLLECTIVE_ALLREDUCE, COLLECTIVE_HALVING_DOUBLING, 4, 40 * MB, 48040, 40 / 48.04,
          60 / 48.04 },
        { "one rank", COLLECTIVE_ALLREDUCE, COLLECTIVE_RING, 1, 40 * MB, 0, 0, 0 },
        { "nothing", COLLECTIVE_ALLREDUCE, COLLECTIVE_RING, 4, 0, 0, 0, 0 },
        { "10 + 6 + 600", COLLECTIVE_ALLREDUCE, COLLECTIVE_MEASURED, 4, 40 * MB, 616, 40 / 0.616, 60 / 0.616 },
        { "10 + 3 + 400", COLLECTIVE_BROADCAST, COLLECTIVE_MEASURED, 4, 40 * MB, 413, 40 / 0.413, 40 / 0.413 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rig r;
        struct readings out;
        char why[512] = "";
        rig_make(&r, 0);
        r.method.collective = (struct lone_collective){ .operation = cases[i].o,
                                                        .algorithm = cases[i].a,
                                                        .ranks = cases[i].ranks,
                                                        .ranks_per_machine = 1,
                                                        .bytes = cases[i].bytes };
        if (play(&r, &out, why, sizeof(why)))
            fail_msg("%s: %s", cases[i].what, why);
        const struct {
            const char *name;
            double want;
        } names[] = { { "time_us", cases[i].us },
                      { "step_ms", cases[i].us / 1e3 },
                      { "algbw_GBps", cases[i].algbw_GBps / 1e0 },
                      { "busbw_GBps", cases[i].busbw_GBps / 1e0 } };
        for (size_t k = 0; k < COUNT(names); k++)
            if (!(fabs(reading_value(&out, names[k].name) - names[k].want) < 1e-6))
                fail_msg("%s (%zu): %s is %.9g, not %.9g", cases[i].what, i, names[k].name,
                         reading_value(&out, names[k].name), names[k].want);
    }
}

/* Bytes that do not divide, over GPUs of two machines: as the closed form says, which the fabric plays. */
static void gpus_of_machines(void **state)
{
    struct rig r;
    struct readings out;
    char why[512] = "";

    (void)state;
    rig_make(&r, 4);
    r.method.collective.ranks = 8;
    r.method.collective.ranks_per_machine = 4;
    r.method.collective.bytes = 8 * MB;
    if (play(&r, &out, why, sizeof(why)))
        fail_msg("%s", why);
    /* The slowest hop leaves a machine: 2 us up, 5 + 5, 2 down, and 1 MB at 1.25 GB/s; 14 times. */
    assert_true(fabs(reading_value(&out, "time_us") - 14 * (14 + 800)) < 1e-6);
    assert_true(reading_value(&out, "link_utilisation") > 0.97);
}

/* As many rings as NICs: each of them has a half of the bytes, and a link of its own out of each machine. */
static void rings_over_nics(void **state)
{
    static const struct {
        int64_t nics, rings, us;
    } cases[] = { { 1, 1, 14 * (14 + 800) },
                  { 1, 2, 14 * (14 + 800) },
                  { 2, 1, 14 * (14 + 800) },
                  { 2, 2, 14 * (14 + 400) },
                  { 4, 4, 14 * (14 + 200) } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct rig r;
        struct readings out;
        char why[512] = "";
        rig_make(&r, 4);
        cluster_link(&r.cluster, r.cluster.platform.gpu.peer_link = "nvlink", 100e9, 1e-6);
        r.cluster.platform.network.nics = cases[i].nics;
        r.method.collective.ranks = 8;
        r.method.collective.ranks_per_machine = 4;
        r.method.collective.rings = cases[i].rings;
        r.method.collective.bytes = 8 * MB;
        if (play(&r, &out, why, sizeof(why)))
            fail_msg("%s", why);
        double us = reading_value(&out, "time_us");
        if (fabs(us - (double)cases[i].us) > 1e-6)
            fail_msg("%lld NICs, %lld rings: %.9g us, not %lld", (long long)cases[i].nics, (long long)cases[i].rings,
                     us, (long long)cases[i].us);
    }
}

/* Four machines of two GPUs: a tree goes one rank along, two levels down, and back. */
static void nccl_says_how_it_sends(void **state)
{
    struct rig r;
    struct readings out;
    char why[512] = "";

    (void)state;
    rig_make(&r, 2);
    r.cluster.platform.collective = (struct measured){ .bandwidth_at_bytes = 1, .exponent = 1 };
    r.cluster.platform.collective.nccl = (struct nccl){ .generation = NCCL_HOPPER, .ll128 = true };
    r.method.collective.algorithm = COLLECTIVE_MEASURED;
    r.method.collective.ranks = 8;
    r.method.collective.ranks_per_machine = 2;
    r.method.collective.bytes = 0;
    if (play(&r, &out, why, sizeof(why)))
        fail_msg("%s", why);
    assert_true(fabs(reading_value(&out, "time_us") - (6.8 + 2 * (0.6 + 2 * 5))) < 1e-6);
    assert_true(reading_value(&out, "sent_as.tree-LL") == 1);

    /* 1.25 GB/s of the link, at 8/14 of it, twice that with two NICs; 14 steps, 6 of them between machines. */
    r.method.collective.bytes = 1250 * MB;
    for (int64_t nics = 1; nics <= 2; nics++) {
        r.cluster.platform.network.nics = nics;
        if (play(&r, &out, why, sizeof(why)))
            fail_msg("%s", why);
        double us = 1.4 * (8.4 + 8 * 3.4 + 6 * 14) + 1.75e6 / (double)nics;
        assert_true(fabs(reading_value(&out, "time_us") - us) < 1e-5);
        assert_true(reading_value(&out, "sent_as.ring-Simple") == 1);
    }
    r.cluster.platform.collective.bandwidth_Bps = 1e9;
    for (int other = 0; other < 2; other++) {
        r.method.collective.algorithm = other ? COLLECTIVE_RING : COLLECTIVE_MEASURED;
        r.cluster.platform.collective.nccl.generation = other ? NCCL_HOPPER : NCCL_UNUSED;
        if (play(&r, &out, why, sizeof(why)))
            fail_msg("%s", why);
        for (size_t i = 0; i < out.n; i++)
            assert_true(strncmp(out.list[i].name, "sent_as.", 8) != 0);
    }
}

static void refused(const struct rig *r, const char *want)
{
    struct readings out;
    char why[512] = "";

    if (play(r, &out, why, sizeof(why)) != E_INVAL || strncmp(why, want, strlen(want)) != 0)
        fail_msg("'%s' does not begin with '%s'", why, want);
}

#define REFUSED(want, ...)                                \
    do {                                                  \
        struct rig r;                                     \
        struct lone_collective *c = &r.method.collective; \
        (void)c;                                          \
        rig_make(&r, 0);                                  \
        __VA_ARGS__;                                      \
        refused(&r, want);                                \
    } while (0)

static void nonsense_is_refused_by_key(void **state)
{
    (void)state;
    REFUSED("method.ranks: expected 1", c->ranks = 0);
    REFUSED("method.ranks: 9 ranks, 1 on a machine, need 9 machines, the platform has 8", c->ranks = 9);
    REFUSED("method.ranks_per_machine: a machine has memory for 1, got 2 ranks", c->ranks_per_machine = 2);
    REFUSED("method.ranks_per_machine: a machine has GPUs for 4, got 5 ranks", cluster_gpus(&r.cluster, 4, 1),
            c->ranks = c->ranks_per_machine = 5);
    REFUSED("method.bytes: expected 0", c->bytes = -1);
    REFUSED("method.operation: how a broadcast travels", c->operation = COLLECTIVE_BROADCAST);
    REFUSED("method.algorithm: expected ring (or measured) for all-gather", c->operation = COLLECTIVE_ALLGATHER,
            c->algorithm = COLLECTIVE_TREE);
    REFUSED("method.algorithm: hierarchical needs machines with as many", cluster_gpus(&r.cluster, 4, 1),
            c->algorithm = COLLECTIVE_HIERARCHICAL, c->ranks = 6, c->ranks_per_machine = 4);
    REFUSED("method.ranks: 2e+08 transfers; at most", r.cluster.platform.machines = c->ranks = 10000);
    REFUSED("platform.collective.bandwidth: expected a rate", c->algorithm = COLLECTIVE_MEASURED,
            r.cluster.platform.collective = (struct measured){ 0 });
    REFUSED("platform.collective.latency: expected 0 or more", c->algorithm = COLLECTIVE_MEASURED,
            r.cluster.platform.collective.latency_s = NAN);
    REFUSED("platform.collective.nccl.channels: expected 0", c->algorithm = COLLECTIVE_MEASURED,
            r.cluster.platform.collective.nccl.channels = -1);
    REFUSED("method.rings: expected 0", c->rings = -1);
    REFUSED("method.rings: only an all-reduce", c->rings = 2, c->algorithm = COLLECTIVE_TREE);
    REFUSED("method.rings: only an all-reduce", c->rings = 2, c->operation = COLLECTIVE_ALLGATHER);
    REFUSED("platform.network.link", r.cluster.platform.network.link = "no");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(times_and_bandwidths),
        cmocka_unit_test(gpus_of_machines),
        cmocka_unit_test(rings_over_nics),
        cmocka_unit_test(nccl_says_how_it_sends),
        cmocka_unit_test(nonsense_is_refused_by_key),
    };

    return cmocka_run_group_tests_name("collective method", tests, NULL, NULL);
}
