/* What a lab's token buckets are set to, and which platforms are refused, with the reason. */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lab/calibration/rounds.h"
#include "harness/lab/plan.h"
#include "harness/scenario/scenario.h"
#include "harness/status.h"

enum { SETS = 6 };

static int plan_of(const char *const *sets, int64_t queue_bytes, struct lab_plan *out, char *why, size_t nwhy)
{
    struct platform *p = NULL;
    char path[4096];
    size_t n = 0;

    snprintf(path, sizeof(path), "%s/scenarios/platforms/3lc-gtx980-cluster.yaml", getenv("NARROWS_HOME"));
    while (n < SETS && sets[n])
        n++;
    assert_int_equal(scenario_load_platform_set(path, sets, n, stderr, &p), NW_OK);
    int rc = lab_plan_make(p, queue_bytes, out, why, nwhy);
    scenario_free_platform(p);
    return rc;
}

static void test_refusals(void **state)
{
    static const struct {
        const char *sets[SETS], *why;
    } cases[] = {
        { { "network.topology=mesh", "network.width=3" }, "network.topology: expected star or tree" },
        { { "network.topology=torus", "network.width=3" }, "got torus" },
        { { "network.topology=single", "machines=1" }, "got single" },
        { { "machines=1" }, "machines: expected 2 to 250, got 1" },
        { { "machines=251" }, "machines: expected 2 to 250, got 251" },
        { { "link.eth.duplex=half" }, "link.eth.duplex: a lab shapes each direction by itself" },
        { { "link.eth.bandwidth=63 kbit/s" }, "link.eth: expected 64 kbit/s to 100 Gbit/s" },
        { { "link.eth.bandwidth=101 Gbit/s" }, "got 101000 Mbit/s" },
        { { "network.unshaped=1 kbit/s" }, "network.unshaped: expected 64 kbit/s" },
        { { "network.via=pcie", "link.eth.bandwidth=100 Gbit/s", "link.pcie.bandwidth=1 GB/s" },
          "network.via: 'pcie'" },
    };
    struct lab_plan *plan = malloc(sizeof(*plan));
    char why[512];

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        *why = '\0';
        assert_int_equal(plan_of(cases[i].sets, 0, plan, why, sizeof(why)), NW_EINPUT);
        if (!strstr(why, cases[i].why))
            fail_msg("expected '%s', got '%s'", cases[i].why, why);
    }
    free(plan);
}

static void test_buckets(void **state)
{
    static const struct {
        double Bps;
        int64_t burst, queue, burst_expected, queue_expected;
    } cases[] = {
        { 10e6 / 8, 0, 0, 4096, 1000000 },    { 100e6 / 8, 0, 0, 25600, 1000000 },
        { 1e9 / 8, 0, 0, 256000, 10000000 },  { 10e9 / 8, 0, 0, 2560000, 100000000 },
        { 1e9 / 8, 0, 48000, 256000, 48000 }, { 1e8 / 8, 3200, 0, 3200, 1000000 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct lab_rate r = lab_rate_of(cases[i].Bps, cases[i].burst, cases[i].queue);
        assert_int_equal(r.burst_bytes, cases[i].burst_expected);
        assert_int_equal(r.queue_bytes, cases[i].queue_expected);
        assert_true(r.Bps == cases[i].Bps);
    }
}

static void test_directions(void **state)
{
    static const char *const wide[SETS] = { "network.unshaped=10 Gbit/s", "network.unshaped_machines=2",
                                            "link.eth.latency=2 ms" };
    static const char *const tree[SETS] = { "network.topology=tree", "network.per_switch=4", "network.uplink=eth",
                                            "link.eth.latency=100 us" };
    struct lab_plan *plan = malloc(sizeof(*plan));
    char why[512] = "";

    (void)state;
    assert_int_equal(plan_of(wide, 0, plan, why, sizeof(why)), NW_OK);
    assert_string_equal(plan->platform, "3lc-gtx980-cluster");
    assert_int_equal(plan->machines, 6);
    assert_int_equal(plan->switches, 1);
    for (int i = 0; i < 6; i++) {
        assert_true(plan->links[i].up.Bps == (i < 2 ? 1.25e9 : 125e6));
        assert_true(plan->links[i].down.Bps == 1.25e9);
    }
    assert_true(lab_plan_latency(plan) == 2e-3);
    assert_true(lab_plan_payload_Bps(plan, 3, 0) == 125e6 * LAB_PAYLOAD_SHARE);
    assert_int_equal(plan_of(tree, 0, plan, why, sizeof(why)), NW_OK);
    assert_int_equal(plan->switches, 2);
    assert_true(lab_plan_latency(plan) == 0); /* as veth has it */
    plan->uplinks[1].down.Bps = 50e6;
    assert_true(lab_plan_payload_Bps(plan, 0, 1) == 125e6 * LAB_PAYLOAD_SHARE);
    assert_true(lab_plan_payload_Bps(plan, 0, 4) == 50e6 * LAB_PAYLOAD_SHARE);
    assert_true(lab_plan_payload_Bps(plan, 4, 0) == 125e6 * LAB_PAYLOAD_SHARE);
    free(plan);
}

/* Both directions of every link are measured, and nobody sends and receives at a time. */
static void check_rounds(const struct lab_plan *p)
{
    bool out[LAB_MACHINES] = { false }, in[LAB_MACHINES] = { false };
    bool up[LAB_MACHINES] = { false }, down[LAB_MACHINES] = { false };
    struct round *r = malloc(sizeof(*r));

    for (int k = 0; round_of(p, k, r); k++) {
        bool sends[LAB_MACHINES] = { false }, receives[LAB_MACHINES] = { false };
        for (int i = 0; i < r->n; i++) {
            struct pair x = r->pairs[i];
            assert_in_range(x.from, 0, p->machines - 1);
            assert_in_range(x.to, 0, p->machines - 1);
            assert_false(sends[x.from] || receives[x.to]);
            out[x.from] = in[x.to] = sends[x.from] = receives[x.to] = true;
            if (r->together)
                up[x.from / p->per_switch] = down[x.to / p->per_switch] = true;
        }
        for (int i = 0; i < p->machines; i++)
            assert_false(sends[i] && receives[i] && !r->together);
    }
    for (int i = 0; i < p->machines; i++)
        assert_true(out[i] && in[i]);
    for (int i = 0; p->per_switch && p->switches > 1 && i < p->switches; i++)
        assert_true(up[i] && down[i]);
    free(r);
}

static void test_rounds(void **state)
{
    struct lab_plan *p = calloc(1, sizeof(*p));

    (void)state;
    for (int i = 0; i < LAB_MACHINES; i++)
        p->links[i].up.Bps = p->links[i].down.Bps = p->uplinks[i].up.Bps = p->uplinks[i].down.Bps = 1e6;
    for (p->machines = 2; p->machines <= 17; p->machines++)
        for (p->per_switch = 0; p->per_switch <= p->machines; p->per_switch++) {
            p->switches = p->per_switch ? (p->machines + p->per_switch - 1) / p->per_switch : 1;
            check_rounds(p);
        }
    free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_buckets),
        cmocka_unit_test(test_directions),
        cmocka_unit_test(test_rounds),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
