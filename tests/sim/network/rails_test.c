/* rails_test.c - rails: all GPUs send at once, to the same rail of another machine or anywhere, against arithmetic. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "model/status.h"
#include "sim/network/topology.h"
#include "tests/sim/network/clusters.h"
#include "tests/test.h"

enum { BYTES = 5000000, GPUS = 4, MOST = 64 };

struct shape {
    int64_t machines, per_switch, nics;
    double over;
};

/* The platform, without latencies: GPUs' links are wider than what they can send. */
static void rails(struct cluster *c, const struct shape *s)
{
    cluster_gpus(cluster_make(c, TOPOLOGY_RAILS, s->machines, 0), GPUS, 1);
    c->platform.network.nics = s->nics;
    c->platform.network.per_switch = s->per_switch;
    c->platform.network.oversubscription = s->over;
    for (size_t i = 0; i < c->platform.nlinks; i++)
        c->links[i].latency_s = 0;
}

/* All GPUs send at once, each to the GPU of its number that is 'by' machines further on in its pod, or of all machines.
 * ends_ps has a place for each GPU. */
static void play(const struct shape *s, bool in_pod, int64_t by, int64_t ends_ps[])
{
    struct cluster c;
    struct engine *e = engine_new();
    struct topology *t = NULL;
    char why[256] = "";
    int task[MOST];

    rails(&c, s);
    if (topology_new(&c.platform, e, NULL, &t, why, sizeof(why)))
        fail_msg("refused: %s", why);
    for (int64_t i = 0; i < s->machines * GPUS; i++) {
        int64_t m = i / GPUS, pod = m - m % s->per_switch, latency_ps;
        int64_t to = in_pod ? pod + (m - pod + by) % s->per_switch : (m + by) % s->machines;
        int64_t route = topology_route(t, (struct end){ m, i % GPUS }, (struct end){ to, i % GPUS }, &latency_ps);
        assert_true(route >= 0);
        task[i] = engine_transfer(e, ENGINE_NO_RESOURCE, (int)route, BYTES, latency_ps, 0);
    }
    assert_int_equal(engine_run(e), E_OK);
    for (int64_t i = 0; i < s->machines * GPUS; i++) {
        int64_t start_ps;
        engine_task(e, task[i], &start_ps, &ends_ps[i]);
    }
    topology_free(t);
    engine_free(e);
}

static const struct shape shapes[] = {
    { 8, 4, 4, 1 }, { 8, 4, 4, 2 },     { 8, 4, 2, 4 },  { 8, 2, 4, 1.5 }, { 9, 3, 4, 3 },
    { 9, 3, 1, 7 }, { 16, 4, 4, 1.25 }, { 16, 8, 2, 2 }, { 6, 2, 4, 16 },
};

/* To the next machine of the pod at the NICs' rate, however narrow the uplinks are; to the same one of the next pod as
 * many times slower as they are oversubscribed. */
static void permutations_are_slowed_across_pods_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++) {
        const struct shape *s = &shapes[i];
        double alone_ps = 1e12 * BYTES * (GPUS / (double)s->nics) / (10.0 * CLUSTER_GBIT);
        int64_t ends_ps[MOST];

        for (int across = 0; across < 2; across++) {
            play(s, !across, across ? s->per_switch : 1, ends_ps);
            for (int64_t k = 0; k < s->machines * GPUS; k++) {
                double want_ps = alone_ps * (across ? s->over : 1);
                if (fabs((double)ends_ps[k] - want_ps) > 2)
                    fail_msg("shape %zu, %s: GPU %" PRId64 " ends at %" PRId64 " ps, not at %.0f", i,
                             across ? "across" : "within", k, ends_ps[k], want_ps);
            }
        }
    }
}

/* Only some machines of a leaf leave their pod: their NICs' rate, until they need more than the uplink has. */
static void an_uplink_is_shared_by_those_who_leave(void **state)
{
    (void)state;
    for (int64_t by = 1; by < 8; by++) {
        const struct shape s = { 8, 4, 4, 2 };
        int64_t ends_ps[MOST], leave = by < 4 ? by : 8 - by;

        play(&s, false, by, ends_ps);
        for (int64_t k = 0; k < s.machines * GPUS; k++) {
            int64_t m = k / GPUS, to = (m + by) % 8;
            double slower = m / 4 == to / 4 ? 1 : fmax(1, (double)leave * 2 / 4);
            double want_ps = 1e12 * BYTES / (10.0 * CLUSTER_GBIT) * slower;
            if (fabs((double)ends_ps[k] - want_ps) > 2)
                fail_msg("%" PRId64 " further: GPU %" PRId64 " ends at %" PRId64 " ps, not at %.0f", by, k, ends_ps[k],
                         want_ps);
        }
    }
}

/* Every pair of ends of every small shape crosses as many links of each kind as their machines, pods and rails say. */
static void pairs_cross_what_arithmetic_says(void **state)
{
    (void)state;
    for (int64_t machines = 1; machines <= 5; machines++)
        for (int64_t per_switch = 0; per_switch <= 6; per_switch++)
            for (int64_t nics = 1; nics <= GPUS; nics++) {
                const struct shape s = { machines, per_switch, nics, 1 };
                struct cluster c;
                struct fabric *f = fabric_new();
                struct topology *t = NULL;
                int64_t pod = per_switch ? per_switch : machines, pods = (machines + pod - 1) / pod;

                rails(&c, &s);
                cluster_link(&c, c.platform.network.uplink = "up", 1e9, 100e-12);
                c.links[0].latency_s = 1e-12;
                assert_int_equal(topology_new(&c.platform, NULL, f, &t, NULL, 0), E_OK);
                assert_int_equal(fabric_nchannels(f), 2 * (machines * (GPUS + nics) + pods * nics));
                assert_int_equal(topology_nics(t), machines * nics);
                for (int64_t k = 0; k < machines * GPUS * machines * GPUS; k++) {
                    struct end a = { k / GPUS % machines, k % GPUS };
                    struct end b = { k / GPUS / machines / GPUS, k / GPUS / machines % GPUS };
                    bool leaf = a.machine / pod == b.machine / pod && a.gpu * nics / GPUS == b.gpu * nics / GPUS;
                    int64_t ps = -1, want = a.machine == b.machine ? 0 : leaf ? 2 : 202;
                    assert_true(topology_route(t, a, b, &ps) >= 0);
                    if (ps != want)
                        fail_msg("%" PRId64 " machines, %" PRId64 " a pod, %" PRId64 " NICs, %" PRId64 ".%" PRId64
                                 " to %" PRId64 ".%" PRId64 ": %" PRId64 ", not %" PRId64,
                                 machines, per_switch, nics, a.machine, a.gpu, b.machine, b.gpu, ps, want);
                }
                topology_free(t);
                fabric_free(f);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(permutations_are_slowed_across_pods_alone),
        cmocka_unit_test(an_uplink_is_shared_by_those_who_leave),
        cmocka_unit_test(pairs_cross_what_arithmetic_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
