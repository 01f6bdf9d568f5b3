/* wires_test.c - who sends to whom on random layouts: bytes are conserved, rings visit everybody, and the few flows of
 * an all-to-all load each channel as a flow for every pair would. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/network/topology.h"
#include "sim/parallel/rates.h"
#include "tests/sim/parallel/draws.h"
#include "tests/test.h"

enum { MOST = 64, LAYOUTS = 240 };

static struct {
    struct cluster c;
    struct parallel p;
    struct wiring w;
    int64_t ranks;
} drawn;

/* Machines that groups share evenly, or (every third time) numbers that they do not. */
static void make(uint64_t *state, int i)
{
    static const int64_t machines[] = { 8, 8, 6, 4, 3, 5 };
    int64_t n = i % 3 ? 8 : machines[draw_between(state, 0, COUNT(machines) - 1)];
    bool used[WIRES];

    memset(used, true, sizeof(used));
    draw_platform(state, i % DRAWN_NETWORKS, n, &drawn.c);
    drawn.ranks = n * DRAWN_GPUS;
    draw_layout(state, drawn.ranks, DRAWN_GPUS, &drawn.p);
    assert_int_equal(wiring_make(&drawn.c.platform, &drawn.p, used, drawn.ranks, &drawn.w), E_OK);
}

static void wrong(enum wire w, const char *what, int64_t rank, double got, double want)
{
    fail_msg("%s: wire %s: %s %" PRId64 ": %g, not %g", drawn_as(&drawn.p, &drawn.c.platform), wire_name(w), what, rank,
             got, want);
}

static double share(const struct wire_flow *f)
{
    return (double)f->parts / (double)f->of;
}

/* Every rank of a group of several sends its bytes once, and gets as much; the others do neither. */
static void bytes_are_conserved(void **state)
{
    uint64_t s = 1;

    (void)state;
    for (int i = 0; i < LAYOUTS; i++) {
        make(&s, i);
        for (int w = 0; w < WIRES; w++) {
            double sent[MOST] = { 0 }, got[MOST] = { 0 };
            for (size_t k = 0; k < drawn.w.nflows; k++) {
                const struct wire_flow *f = &drawn.w.flows[k];
                if ((int)f->wire != w)
                    continue;
                assert_true(f->parts > 0 && f->parts <= f->of && f->from != f->to);
                if (f->from != RANK_HOST)
                    sent[f->from] += share(f);
                if (f->to != RANK_HOST)
                    got[f->to] += share(f);
            }
            for (int64_t r = 0; r < drawn.ranks; r++) {
                int64_t list[MOST], n = group_ranks(&drawn.p, wire_group_of((enum wire)w), r, list);
                bool host = w == WIRE_TO_HOST || w == WIRE_FROM_HOST;
                double out = host ? w == WIRE_TO_HOST : n > 1, in = host ? w == WIRE_FROM_HOST : n > 1;
                if (fabs(sent[r] - out) > 1e-12)
                    wrong((enum wire)w, "sent by rank", r, sent[r], out);
                if (fabs(got[r] - in) > 1e-12)
                    wrong((enum wire)w, "got by rank", r, got[r], in);
            }
        }
        wiring_free(&drawn.w);
    }
}

/* Each rank is in one group of each wire, with the members that its layout says, on so many machines. */
static void groups_have_the_members_of_the_layout(void **state)
{
    uint64_t s = 2;

    (void)state;
    for (int i = 0; i < LAYOUTS; i++) {
        int found[WIRES][MOST] = { { 0 } };
        make(&s, i);
        for (size_t g = 0; g < drawn.w.ngroups; g++) {
            const struct wire_group *group = &drawn.w.groups[g];
            const int64_t *members = drawn.w.members + group->first;
            int64_t list[MOST], on[MOST] = { 0 }, machines = 0;
            assert_int_equal(group_ranks(&drawn.p, wire_group_of(group->wire), members[0], list), group->n);
            assert_memory_equal(members, list, (size_t)group->n * sizeof(*list));
            for (int64_t k = 0; k < group->n; k++) {
                found[group->wire][members[k]]++;
                machines += !on[members[k] / DRAWN_GPUS]++;
            }
            assert_int_equal(group->machines, machines);
        }
        for (int w = 0; w < WIRES; w++)
            for (int64_t r = 0; r < drawn.ranks; r++)
                assert_int_equal(found[w][r], 1);
        wiring_free(&drawn.w);
    }
}

/* Ranks on each of the group's machines, in order, if it is the same number; else 0. */
static int64_t on_each_machine(const int64_t list[], int64_t n)
{
    int64_t count[MOST] = { 0 }, k = 0;

    for (int64_t i = 0; i < n; i++)
        count[list[i] / DRAWN_GPUS]++;
    for (int64_t i = 0; i < n; i++) {
        k = count[list[i] / DRAWN_GPUS];
        if (k != count[list[0] / DRAWN_GPUS])
            return 0;
    }
    return k;
}

static const struct wire_flow *flow_between(enum wire w, int64_t from, int64_t to)
{
    for (size_t i = 0; i < drawn.w.nflows; i++)
        if (drawn.w.flows[i].wire == w && drawn.w.flows[i].from == from && drawn.w.flows[i].to == to)
            return &drawn.w.flows[i];
    wrong(w, "no flow of rank", from, (double)to, (double)to);
    return NULL;
}

/* Walks the ring that enters the first machine at 'position': everybody once. Counts the steps that leave each rank. */
static void walk(enum wire w, const int64_t list[], int64_t n, int64_t k, int64_t position, int near[], int far[])
{
    bool seen[MOST] = { false };

    for (int64_t machine = 0; machine < n / k; machine++) {
        for (int64_t step = 0; step < k; step++) {
            int64_t i = machine * k + position;
            assert_false(seen[list[i]]);
            seen[list[i]] = true;
            if (step == k - 1) {
                flow_between(w, list[i], list[(i + k) % n]);
                far[list[i]]++;
            } else {
                position = (position + 1) % k;
                flow_between(w, list[i], list[machine * k + position]);
                near[list[i]]++;
            }
        }
    }
    for (int64_t i = 0; i < n; i++)
        assert_true(seen[list[i]]);
}

/* As many rings as a machine has ranks of the group, and each flow carries those that go over it. */
static void rings_visit_everybody(void **state)
{
    static const enum wire rings[] = { WIRE_TENSOR, WIRE_EXPERT_COPY, WIRE_SHARD, WIRE_SHARD_COPY, WIRE_WITHIN };
    int several = 0, uneven = 0;
    uint64_t s = 3;

    (void)state;
    for (int i = 0; i < LAYOUTS; i++) {
        make(&s, i);
        for (size_t g = 0; g < drawn.w.ngroups; g++) {
            const struct wire_group *group = &drawn.w.groups[g];
            const int64_t *list = drawn.w.members + group->first;
            int64_t n = group->n, k = on_each_machine(list, n);
            int near[MOST] = { 0 }, far[MOST] = { 0 };
            bool ring = false;
            for (size_t x = 0; x < COUNT(rings); x++)
                ring |= group->wire == rings[x];
            assert_int_equal(ring, wire_is_ring(group->wire));
            if (!ring || n < 2)
                continue;
            several += k > 1 && k < n;
            uneven += !k;
            for (int64_t at = 0; at < k && k < n; at++)
                walk(group->wire, list, n, k, at, near, far);
            for (int64_t x = 0; x < n; x++) {
                if (!k || k == n) { /* one ring, in ascending order */
                    const struct wire_flow *f = flow_between(group->wire, list[x], list[(x + 1) % n]);
                    assert_true(f->parts == f->of && list[x] / DRAWN_GPUS <= list[n - 1] / DRAWN_GPUS);
                    continue;
                }
                const struct wire_flow *f = flow_between(group->wire, list[x], list[(x + k) % n]);
                assert_true(f->parts * k == f->of * far[list[x]]);
                if (k > 1) {
                    f = flow_between(group->wire, list[x], list[x / k * k + (x % k + 1) % k]);
                    assert_true(f->parts * k == f->of * near[list[x]]);
                }
            }
        }
        wiring_free(&drawn.w);
    }
    assert_true(several > 100 && uneven > 20);
}

static struct end end_of(int64_t rank)
{
    return (struct end){ rank / DRAWN_GPUS, rank % DRAWN_GPUS };
}

static void load(struct topology *t, int64_t from, int64_t to, double bytes, double on[])
{
    const uint32_t *channels;
    size_t n;
    int64_t latency_ps;

    assert_int_equal(topology_path(t, end_of(from), end_of(to), &channels, &n, &latency_ps), E_OK);
    for (size_t i = 0; i < n; i++)
        on[channels[i]] += bytes;
}

static const enum wire spreads[] = { WIRE_CONTEXT, WIRE_EXPERT, WIRE_SHARD_SPREAD, WIRE_WITHIN_SPREAD,
                                     WIRE_ACROSS_SPREAD };

/* What each channel carries: of the flows (how many?), and of a flow for every pair. */
static int64_t load_flows(struct topology *t, enum wire w, double on[])
{
    int64_t n = 0;

    for (size_t k = 0; k < drawn.w.nflows; k++)
        if (drawn.w.flows[k].wire == w) {
            load(t, drawn.w.flows[k].from, drawn.w.flows[k].to, share(&drawn.w.flows[k]), on);
            n++;
        }
    return n;
}

static int64_t load_pairs(struct topology *t, enum wire w, double on[])
{
    int64_t n = 0;

    for (size_t g = 0; g < drawn.w.ngroups; g++) {
        const struct wire_group *group = &drawn.w.groups[g];
        const int64_t *list = drawn.w.members + group->first;
        for (int64_t a = 0; a < group->n * group->n && group->wire == w; a++)
            if (a / group->n != a % group->n) {
                load(t, list[a / group->n], list[a % group->n], 1 / (double)(group->n - 1), on);
                n++;
            }
    }
    return n;
}

/* How many wires have fewer flows than pairs, and three a rank at most; how many have a flow for each pair. */
static void check_spreads(int *few, int *pairs)
{
    struct engine *e = engine_new();
    struct topology *t;

    assert_int_equal(topology_new(&drawn.c.platform, e, NULL, &t, NULL, 0), E_OK);
    for (size_t x = 0; x < COUNT(spreads); x++) {
        size_t nchannels = topology_nchannels(t);
        double *want = calloc(nchannels, sizeof(*want)), *got = calloc(nchannels, sizeof(*got));
        int64_t nflows = load_flows(t, spreads[x], got), npairs = load_pairs(t, spreads[x], want);
        for (size_t c = 0; c < nchannels; c++) {
            int number;
            const char *kind = engine_channel_name(e, (int)c, &number);
            if (fabs(got[c] - want[c]) > 1e-9)
                wrong(spreads[x], kind, number, got[c], want[c]);
        }
        *few += nflows <= 3 * drawn.ranks && nflows < npairs;
        *pairs += nflows > 3 * drawn.ranks && nflows == npairs;
        free(want);
        free(got);
    }
    topology_free(t);
    engine_free(e);
}

/* On every channel, NICs and leaves' uplinks among them. */
static void spreads_load_channels_as_all_pairs_do(void **state)
{
    int few = 0, pairs = 0;
    uint64_t s = 4;

    (void)state;
    for (int i = 0; i < LAYOUTS; i++) {
        make(&s, i);
        check_spreads(&few, &pairs);
        wiring_free(&drawn.w);
    }
    assert_true(few > 100 && pairs > 5);
}

/* Machines share the context groups evenly, but have them on other rails (two of a group on each machine, GPUs 0 and 1,
 * then 2 and 3, ...), or more of one on one rail than on another (GPUs 0, 1 and 2). */
static void rails_that_groups_share_unevenly_have_pairs(void **state)
{
    static const struct {
        int64_t machines, context, tensor, data, nics, per_switch;
    } rows[] = { { 5, 2, 5, 4, 8, 0 }, { 5, 2, 5, 4, 4, 0 }, { 6, 3, 8, 2, 4, 0 }, { 6, 3, 8, 2, 4, 3 } };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        bool used[WIRES] = { [WIRE_SHARD_SPREAD] = true };
        uint64_t s = 6;
        int few = 0, pairs = 0;
        drawn.ranks = rows[i].machines * DRAWN_GPUS;
        drawn.p = (struct parallel){ { rows[i].tensor, rows[i].context, rows[i].data, 1 },
                                     1,
                                     0,
                                     { AXIS_CONTEXT, AXIS_TENSOR, AXIS_DATA, AXIS_PIPELINE },
                                     DRAWN_GPUS };
        draw_platform(&s, 0, rows[i].machines, &drawn.c);
        drawn.c.platform.network.nics = rows[i].nics;
        drawn.c.platform.network.per_switch = rows[i].per_switch;
        assert_int_equal(wiring_make(&drawn.c.platform, &drawn.p, used, drawn.ranks, &drawn.w), E_OK);
        check_spreads(&few, &pairs);
        assert_int_equal(pairs, 1);
        wiring_free(&drawn.w);
    }
}

/* Of the first machine's ranks alone: their flows, and the groups that they are in. */
static void the_first_ranks_send_what_they_do_among_all(void **state)
{
    uint64_t s = 5;
    bool used[WIRES];

    (void)state;
    memset(used, true, sizeof(used));
    for (int i = 0; i < LAYOUTS; i++) {
        struct wiring few;
        size_t n = 0;
        make(&s, i);
        assert_int_equal(wiring_make(&drawn.c.platform, &drawn.p, used, DRAWN_GPUS, &few), E_OK);
        for (size_t k = 0; k < drawn.w.nflows; k++) {
            const struct wire_flow *f = &drawn.w.flows[k];
            if ((f->from == RANK_HOST ? f->to : f->from) >= DRAWN_GPUS)
                continue;
            assert_true(n < few.nflows);
            const struct wire_flow *is = &few.flows[n++];
            assert_true(is->from == f->from && is->to == f->to && is->wire == f->wire && is->parts == f->parts &&
                        is->of == f->of);
        }
        assert_int_equal(n, few.nflows);
        for (size_t g = 0; g < few.ngroups; g++)
            assert_true(few.members[few.groups[g].first] < DRAWN_GPUS || wire_is_point(few.groups[g].wire));
        wiring_free(&few);
        wiring_free(&drawn.w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_are_conserved),
        cmocka_unit_test(groups_have_the_members_of_the_layout),
        cmocka_unit_test(rings_visit_everybody),
        cmocka_unit_test(spreads_load_channels_as_all_pairs_do),
        cmocka_unit_test(rails_that_groups_share_unevenly_have_pairs),
        cmocka_unit_test(the_first_ranks_send_what_they_do_among_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
