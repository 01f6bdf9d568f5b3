/* The shipped platforms of today: peaks against clocks and operations a clock, bandwidths against links times lanes. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/scenario/scenario.h"
#include "model/status.h"
#include "sim/network/topology.h"
#include "tests/test.h"

/* Of one multiprocessor and clock: FP32 operations, and those of its tensor cores in FP16, of which TF32 has half and
 * FP8 twice as many, where a GPU has them. Boost clocks as published; of some, tensor cores are counted at a lower one.
 */
struct chip {
    const char *name;
    int64_t multiprocessors, fp32, fp16;
    double fp32_GHz, tensor_GHz;
    bool tf32, fp8;
};

static const struct chip v100 = { "V100", 80, 128, 1024, 1.53, 1.53, false, false };
static const struct chip a100 = { "A100", 108, 128, 2048, 1.41, 1.41, true, false };
static const struct chip h100 = { "H100", 132, 256, 4096, 1.98, 1.83, true, true };
static const struct chip b200 = { "B200", 148, 256, 8192, 1.98, 1.86, true, true };
static const struct chip l40s = { "L40S", 142, 256, 1024, 2.52, 2.52, true, true };
static const struct chip rtx4090 = { "RTX 4090", 128, 256, 512, 2.52, 2.52, true, true };

static const struct {
    const char *file;
    const struct chip *chip;
    int64_t machines, gpus, nics;
    enum topology_kind topology;
    double memory_GB;
    double peers_GBps;   /* NVLinks of one GPU together, each direction */
    double machine_Gbps; /* NICs of a machine together */
} known[] = {
    { "dgx-1-v100", &v100, 1, 8, 4, TOPOLOGY_STAR, 32, 6 * 25, 4 * 100 },
    { "dgx-a100", &a100, 1, 8, 8, TOPOLOGY_RAILS, 80, 12 * 25, 8 * 200 },
    { "dgx-h100", &h100, 1, 8, 8, TOPOLOGY_RAILS, 80, 18 * 25, 8 * 400 },
    { "hgx-b200", &b200, 1, 8, 8, TOPOLOGY_RAILS, 180, 18 * 50, 8 * 400 },
    { "l40s-pcie", &l40s, 1, 8, 1, TOPOLOGY_STAR, 48, 0, 200 },
    { "rtx-4090-10gbe", &rtx4090, 4, 1, 1, TOPOLOGY_STAR, 24, 0, 10 },
    { "gh200", &h100, 1, 1, 1, TOPOLOGY_STAR, 96, 0, 400 },
    { "ec2-p4d", &a100, 1, 8, 4, TOPOLOGY_STAR, 40, 12 * 25, 4 * 100 },
    { "ec2-p5", &h100, 1, 8, 8, TOPOLOGY_STAR, 80, 18 * 25, 32 * 100 },
};

static struct platform *load(const char *file)
{
    struct platform *p;
    char path[256];

    snprintf(path, sizeof(path), "scenarios/platforms/%s.yaml", file);
    assert_int_equal(scenario_load_platform(path, stderr, &p), 0);
    return p;
}

/* 'off' is what vendors round by: L40S's tensor cores are 1.2 % slower in its datasheet than their clock says. */
static void check_near(const char *file, const char *what, double is, double want, double off)
{
    if (!(fabs(is - want) <= off * want))
        fail_msg("%s: %s is %g, not %g", file, what, is, want);
}

static void check_peaks(const char *file, const struct platform *p, const struct chip *c)
{
    double n = (double)c->multiprocessors, tensor = n * (double)c->fp16 * c->tensor_GHz * 1e9;
    const double want[COMPUTE_PRECISIONS] = {
        [COMPUTE_FP32] = n * (double)c->fp32 * c->fp32_GHz * 1e9,
        [COMPUTE_TF32] = c->tf32 ? tensor / 2 : 0,
        [COMPUTE_BF16] = c->tf32 ? tensor : 0, /* they came together */
        [COMPUTE_FP16] = tensor,
        [COMPUTE_FP8] = c->fp8 ? 2 * tensor : 0,
    };

    if (p->gpu.multiprocessors) /* 0: waves of tiles are not counted */
        assert_int_equal(p->gpu.multiprocessors, c->multiprocessors);
    for (int i = 0; i < COMPUTE_PRECISIONS; i++)
        check_near(file, compute_precision_names[i], platform_peak_flops(p, i), want[i], 0.013);
    check_near(file, "peak", p->peak_flops, (double)(p->machines * p->gpu.count) * p->gpu.peak_flops, 1e-9);
}

/* What one GPU's NVLinks carry: of pairs, all that it is in. */
static double peers_Bps(const struct platform *p)
{
    const struct link_spec *link = platform_link(p, p->gpu.peer_link);
    double links = p->gpu.npeers ? 0 : 1;

    for (size_t i = 0; i < p->gpu.npeers; i++)
        if (p->gpu.peers[i].from == 3 || p->gpu.peers[i].to == 3)
            links += (double)p->gpu.peers[i].links;
    return link ? links * link->bandwidth_Bps : 0;
}

static void platforms_are_as_published(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        struct platform *p = load(known[i].file);
        const struct link_spec *nic = platform_link(p, p->network.link);

        check_peaks(known[i].file, p, known[i].chip);
        assert_non_null(strstr(p->gpu.name, known[i].chip->name));
        assert_true(p->machines == known[i].machines && p->gpu.count == known[i].gpus);
        assert_true(p->network.topology == known[i].topology && p->network.nics == known[i].nics);
        check_near(known[i].file, "memory", (double)p->gpu.memory_bytes, known[i].memory_GB * 1e9, 0.08);
        check_near(known[i].file, "NVLink", peers_Bps(p), known[i].peers_GBps * 1e9, 1e-9);
        check_near(known[i].file, "network", (double)p->network.nics * nic->bandwidth_Bps,
                   known[i].machine_Gbps * 1e9 / 8, 1e-9);
        scenario_free_platform(p);
    }
}

/* One machine or several: every route between the first and the last is there. */
static void machines_may_be_many(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++)
        for (int64_t machines = 1; machines <= 64; machines *= 8) {
            struct platform *p = load(known[i].file);
            struct fabric *f = fabric_new();
            struct topology *t = NULL;
            char why[256] = "";
            int64_t ps;

            p->machines = machines;
            if (topology_new(p, NULL, f, &t, why, sizeof(why)))
                fail_msg("%s of %d machines: refused: %s", known[i].file, (int)machines, why);
            assert_int_equal(topology_nics(t), machines * known[i].nics);
            for (int64_t k = 0; k < known[i].gpus * known[i].gpus; k++)
                assert_true(topology_route(t, (struct end){ 0, k % known[i].gpus },
                                           (struct end){ machines - 1, k / known[i].gpus }, &ps) >= 0);
            topology_free(t);
            fabric_free(f);
            scenario_free_platform(p);
        }
}

/* Eight machines send from the first GPU of each to the next one's: at the rate of a NIC. */
static void nics_limit_what_leaves(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(known); i++) {
        struct platform *p = load(known[i].file);
        struct engine *e = engine_new();
        struct topology *t = NULL;
        const struct link_spec *nic = platform_link(p, p->network.link);
        double want_ps = 1e12 * 1e9 / (nic->bandwidth_Bps * nic->efficiency_wire);
        int task[8];

        p->machines = 8;
        assert_int_equal(topology_new(p, e, NULL, &t, NULL, 0), E_OK);
        for (int k = 0; k < 8; k++) {
            int64_t ps, route = topology_route(t, (struct end){ k, 0 }, (struct end){ (k + 1) % 8, 0 }, &ps);
            task[k] = engine_transfer(e, ENGINE_NO_RESOURCE, (int)route, 1000000000, 0, 0);
        }
        assert_int_equal(engine_run(e), E_OK);
        for (int k = 0; k < 8; k++)
            check_near(known[i].file, "a gigabyte to the next", (double)engine_ended_ps(e, task[k]), want_ps, 1e-6);
        topology_free(t);
        engine_free(e);
        scenario_free_platform(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(platforms_are_as_published),
        cmocka_unit_test(machines_may_be_many),
        cmocka_unit_test(nics_limit_what_leaves),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
