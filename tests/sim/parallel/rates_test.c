/* rates_test.c - closed forms of a wire's time against its flows on idle links. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/network/topology.h"
#include "sim/parallel/rates.h"
#include "tests/sanitized.h"
#include "tests/sim/parallel/draws.h"
#include "tests/sim/parallel/played.h"
#include "tests/test.h"

enum { MACHINES = 8, RANKS = MACHINES * DRAWN_GPUS, LAYOUTS = SANITIZED ? 60 : 300 };

struct drawn {
    struct cluster c;
    struct parallel p;
    bool used[WIRES];
    struct engine *e;
    struct topology *t;
    struct wire_rates rates;
    struct fold *f;
    int64_t step_ps;
};

static void make(uint64_t *state, int i, bool latencies, struct drawn *d)
{
    int64_t marks[RANKS] = { 0 };

    *d = (struct drawn){ .e = engine_new(), .step_ps = latencies ? draw_between(state, 0, 2000000) : 0 };
    draw_platform(state, i % DRAWN_NETWORKS, MACHINES, &d->c);
    for (size_t k = 0; k < d->c.platform.nlinks && !latencies; k++)
        d->c.links[k].latency_s = 0;
    draw_layout(state, RANKS, DRAWN_GPUS, &d->p);
    memset(d->used, true, sizeof(d->used));
    assert_int_equal(fold_new(&d->c.platform, &d->p, d->used, marks, false, &d->f, NULL, 0), E_OK);
    assert_int_equal(topology_new(&d->c.platform, d->e, NULL, &d->t, NULL, 0), E_OK);
    assert_int_equal(wire_rates(&d->c.platform, d->t, &d->p, d->used, d->step_ps, &d->rates), E_OK);
}

static void drop(struct drawn *d)
{
    fold_free(d->f);
    topology_free(d->t);
    engine_free(d->e);
}

/* When the last flow ends, how many flows each class sends at most, and how much their latencies differ. */
struct result {
    int64_t end_ps, flows, apart_ps;
};

static struct result play(const struct drawn *d, enum wire w, int64_t bytes, int64_t rounds)
{
    struct started s = { .wire = w, .bytes = bytes, .rounds = rounds, .step_ps = d->step_ps };
    struct result r = { 0, 0, 0 };
    struct ends ends;
    int64_t least = INT64_MAX, most = 0;

    play_folded(d->f, &s, 1, &ends);
    for (size_t i = 0; i < ends.n; i++) {
        r.end_ps = ends.list[i].end_ps > r.end_ps ? ends.list[i].end_ps : r.end_ps;
        least = ends.list[i].latency_ps < least ? ends.list[i].latency_ps : least;
        most = ends.list[i].latency_ps > most ? ends.list[i].latency_ps : most;
    }
    r.flows = (int64_t)(ends.n / d->f->nclasses);
    r.apart_ps = ends.n ? most - least : 0;
    free(ends.list);
    return r;
}

/* A number of bytes that every way's parts divide. */
static int64_t draw_bytes(uint64_t *state)
{
    return 8 * 3 * 3 * 5 * 7 * 31 * draw_between(state, 1, 1000);
}

/* To a picosecond of the flows', and one of rounding up; where each pair has a flow, to what fabric.h allows for ends
 * that follow each other. Of the platforms with a switch between a machine's GPUs, and those with a slow NIC, the
 * narrowest links are shared by flows of one latency. Else who leaves later finds that others are on their way already:
 * the time may be shorter than said by the difference. */
static void check(uint64_t *state, bool latencies)
{
    for (int i = 0; i < LAYOUTS; i++) {
        struct drawn d;
        make(state, i, latencies, &d);
        for (int w = 0; w < WIRES; w++) {
            bool ring = wire_is_ring((enum wire)w);
            int64_t bytes = draw_bytes(state), rounds = ring ? draw_between(state, 1, 2) : 1, list[RANKS];
            struct result r = play(&d, (enum wire)w, bytes, rounds);
            int64_t said = wire_ps(&d.rates, (enum wire)w, bytes, rounds), rounding = r.flows > 3 ? 40 : 2;
            int64_t less = i % DRAWN_NETWORKS < 4 ? 0 : r.apart_ps;
            assert_int_equal(d.rates.ranks[w], group_ranks(&d.p, wire_group_of((enum wire)w), 0, list));
            if (said - r.end_ps < -rounding || said - r.end_ps > rounding + less)
                fail_msg("%s: wire %s: %" PRId64 " ps, played %" PRId64 ", latencies %" PRId64 " apart",
                         drawn_as(&d.p, &d.c.platform), wire_name((enum wire)w), said, r.end_ps, r.apart_ps);
        }
        drop(&d);
    }
}

static void without_latencies_times_are_those_of_the_flows(void **state)
{
    uint64_t s = 1;

    (void)state;
    check(&s, false);
}

static void with_latencies_as_well(void **state)
{
    uint64_t s = 2;

    (void)state;
    check(&s, true);
}

/* A tensor group of a machine's eight GPUs, by NVLink; and two machines as a shard group: eight rings with 14 hops
 * within machines and one between them. */
static void rates_are_those_of_arithmetic(void **state)
{
    const int64_t bytes = 2400000000, step_ps = 500000;
    struct parallel p = { { 8, 1, 1, 2 }, 1, 0, { AXIS_TENSOR, AXIS_CONTEXT, AXIS_DATA, AXIS_PIPELINE }, 8 };
    const bool used[WIRES] = { [WIRE_TENSOR] = true, [WIRE_SHARD] = true, [WIRE_FORWARD] = true };
    struct engine *e = engine_new();
    struct wire_rates rates;
    struct topology *t;
    struct cluster c;

    (void)state;
    cluster_gpus(cluster_make(&c, TOPOLOGY_STAR, 2, 0), 8, 1);
    cluster_link(&c, c.platform.gpu.peer_link = "nvlink", 300e9, 1e-6);
    c.platform.network.nics = 8;
    c.platform.network.gpu_direct = true;
    assert_int_equal(topology_new(&c.platform, e, NULL, &t, NULL, 0), E_OK);

    assert_int_equal(wire_rates(&c.platform, t, &p, used, step_ps, &rates), E_OK);
    assert_int_equal(rates.ranks[WIRE_TENSOR], 8);
    assert_int_equal(wire_ps(&rates, WIRE_TENSOR, bytes, 1), 8000000000 + 7 * (2000000 + step_ps));
    assert_int_equal(wire_ps(&rates, WIRE_TENSOR, bytes, 2), 8000000000 + 2 * 7 * (2000000 + step_ps));
    assert_int_equal(wire_ps(&rates, WIRE_FORWARD, bytes, 1), 1920000000000 + 14000000);
    assert_int_equal(wire_ps(&rates, WIRE_SHARD, bytes, 1), 0);  /* alone in its group */
    assert_int_equal(wire_ps(&rates, WIRE_EXPERT, bytes, 1), 0); /* not used */

    p.degree[AXIS_TENSOR] = p.degree[AXIS_PIPELINE] = 1;
    p.degree[AXIS_DATA] = 16;
    assert_int_equal(wire_rates(&c.platform, t, &p, used, step_ps, &rates), E_OK);
    assert_int_equal(wire_ps(&rates, WIRE_SHARD, bytes, 1), 240000000000 + 1 * (14000000 + step_ps));
    assert_int_equal(wire_ps(&rates, WIRE_SHARD, 8, 1), 14 * (2000000 + step_ps) + 24); /* NVLink's hops take longer */
    topology_free(t);
    engine_free(e);
}

static void hops_of_a_ring_are_those_between_machines_and_within(void **state)
{
    static const struct {
        int64_t ranks, machines, within, away;
    } rows[] = { { 1, 1, 0, 0 }, { 8, 1, 7, 0 }, { 2, 2, 0, 1 }, { 16, 2, 14, 1 }, { 64, 8, 56, 7 } };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(ring_hops_ps(rows[i].ranks, rows[i].machines, false, 1000), 1000 * rows[i].within);
        assert_int_equal(ring_hops_ps(rows[i].ranks, rows[i].machines, true, 1000), 1000 * rows[i].away);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_latencies_times_are_those_of_the_flows),
        cmocka_unit_test(with_latencies_as_well),
        cmocka_unit_test(rates_are_those_of_arithmetic),
        cmocka_unit_test(hops_of_a_ring_are_those_between_machines_and_within),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
