/* Textbook formulas, trees, sharing, and what plays one rank for all. */
#include "tests/sim/collective/collective_rig.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/collective/collective.h"
#include "sim/fabric/flow_player.h"
#include "tests/draw.h"
#include "tests/sanitized.h"
#include "tests/test.h"

/* What the ranks put on the wire: nobody more than the formula says, one exactly that, and in all what must be. */
static void bytes_sent_are_counted(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 64; n = next_ranks(n))
        for (int64_t l = 1; l <= 3; l++)
            for (int kind = 0; kind < COLLECTIVE_MEASURED; kind++)
                for (int k = 1; byte_count(k, n) >= 0; k++) {
                    int64_t bytes = byte_count(k, n), sent[MOST_RANKS] = { 0 }, most = 0, sum = 0;
                    int ready[MOST_RANKS], done[MOST_RANKS];
                    struct star s;
                    if ((kind == COLLECTIVE_HIERARCHICAL && n % l) ||
                        (l > 1 && (kind == COLLECTIVE_TREE || kind == COLLECTIVE_HALVING_DOUBLING)))
                        continue;
                    star_new(&s, n, l, instant, fast);
                    struct collective_shape shape = shape_of(&s, 0);
                    memset(ready, -1, sizeof(ready));
                    assert_int_equal(add_collective(&s, kind, bytes, bytes / 3 + 1, ready, done), E_OK);
                    for (size_t i = 0; i < s.n; i++)
                        sent[s.list[i].from] += s.list[i].bytes;
                    for (int64_t r = 0; r < n; r++) {
                        most = sent[r] > most ? sent[r] : most;
                        sum += sent[r];
                    }
                    assert_int_equal(most, collective_allreduce_sent((enum collective_algorithm)kind, &shape, bytes));
                    if (kind < COLLECTIVE_BOUND) /* each byte is added n - 1 times and handed out as often */
                        assert_int_equal(sum, 2 * (n - 1) * bytes);
                    star_free(&s);
                }
}

static void near(double got, double want)
{
    if (fabs(got - want) > 1e-9 * fabs(want))
        fail_msg("%.15g, not %.15g", got, want);
}

/* S bytes that divide evenly: a chunk of ceil(S / n) is S / n. Otherwise each term grows by less than a byte. */
static void textbook_formulas(void **state)
{
    const double S = 1 << 24, B = 1.25e9, a = 10e-6;

    (void)state;
    for (int64_t n = 2; n <= 64; n *= 2) {
        struct collective_shape s = { .ranks = n, .ranks_per_machine = 1, .between = slow };
        double N = (double)n, lg = log2(N);
        near((double)collective_allreduce_ps(COLLECTIVE_RING, &s, 1 << 24) / 1e12,
             2 * (N - 1) / N * S / B + 2 * (N - 1) * a);
        near((double)collective_allreduce_ps(COLLECTIVE_HALVING_DOUBLING, &s, 1 << 24) / 1e12,
             2 * (N - 1) / N * S / B + 2 * lg * a);
        near((double)collective_allreduce_ps(COLLECTIVE_BOUND, &s, 1 << 24) / 1e12, 2 * (N - 1) / N * S / B + a);
        near((double)collective_allreduce_ps(COLLECTIVE_IDEAL, &s, 1 << 24) / 1e12, 2 * S / B + a);
        near((double)collective_allgather_ps(&s, 1 << 20) / 1e12, (N - 1) * (1 << 20) / B + (N - 1) * a);
        /* Folding sends all of it there and back besides. */
        s.ranks = n + 1;
        near((double)collective_allreduce_ps(COLLECTIVE_HALVING_DOUBLING, &s, 1 << 24) / 1e12,
             2 * (N - 1) / N * S / B + 2 * lg * a + 2 * (S / B + a));
        /* Four ranks a machine: three steps of a quarter inside, twice, and the ring of a quarter outside. */
        s.ranks = 4 * n;
        s.ranks_per_machine = 4;
        s.within = (struct hop){ 25e9, 2000000, 0 };
        near((double)collective_allreduce_ps(COLLECTIVE_HIERARCHICAL, &s, 1 << 24) / 1e12,
             2 * 3 * (S / 4 / 25e9 + 2e-6) + 2 * (N - 1) * (S / 4 / N / B + a));
    }
}

/* The tree takes twice the bytes and a number of steps that grows with log n: h levels of two steps each, up and down,
 * the blocks behind each other two steps apart. */
static void tree_is_logarithmic(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 1000; n = n * 3 / 2 + 1)
        for (int64_t blocks = 1; blocks <= 64; blocks *= 4) {
            int64_t bytes = 2 * 64 * 100000, half = bytes / 2, height = 0;
            struct collective_shape s = {
                .ranks = n, .ranks_per_machine = 1, .between = slow, .block_bytes = half / blocks
            };
            while (((int64_t)1 << height) < n)
                height++;
            int64_t each_ps = hop_ps(&slow, half / blocks), ps = collective_allreduce_ps(COLLECTIVE_TREE, &s, bytes);
            int64_t most = 2 * (2 * height + 2 * (blocks - 1)), least = 2 * height + 4 * (blocks - 1);
            if (ps > most * each_ps || (n > 3 && ps < least * each_ps))
                fail_msg("%lld ranks, %lld blocks: %lld ps, not %lld to %lld times %lld ps", (long long)n,
                         (long long)blocks, (long long)ps, (long long)least, (long long)most, (long long)each_ps);
        }
}

/* The block chosen is nearly the best of all. */
static void tree_chooses_its_block(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 100; n = n * 2 + 1)
        for (int64_t bytes = 1000; bytes <= 100000000; bytes *= 10) {
            struct collective_shape s = { .ranks = n, .ranks_per_machine = 1, .between = slow };
            int64_t chosen_ps = collective_allreduce_ps(COLLECTIVE_TREE, &s, bytes), best_ps = INT64_MAX;
            for (int64_t blocks = 1; blocks <= 128; blocks++) {
                s.block_bytes = (bytes / 2 + blocks - 1) / blocks;
                int64_t ps = collective_allreduce_ps(COLLECTIVE_TREE, &s, bytes);
                best_ps = ps < best_ps ? ps : best_ps;
            }
            if ((double)chosen_ps > 1.05 * (double)best_ps)
                fail_msg("%lld ranks, %lld B: %lld ps, best %lld ps", (long long)n, (long long)bytes,
                         (long long)chosen_ps, (long long)best_ps);
        }
}

/* Two collectives at once over the same links, without latency: each gets half of every link. */
static void two_at_once_share_fairly(void **state)
{
    static const int kinds[] = { COLLECTIVE_RING, COLLECTIVE_HALVING_DOUBLING, COLLECTIVE_HIERARCHICAL, ALLGATHER };

    (void)state;
    for (size_t k = 0; k < COUNT(kinds); k++) {
        int ready[MOST_RANKS], done[2][MOST_RANKS];
        struct star s;
        star_new(&s, 8, 2, instant, instant);
        memset(ready, -1, sizeof(ready));
        for (int i = 0; i < 2; i++)
            assert_int_equal(add_collective(&s, kinds[k], 8 * 8 * 1000, 0, ready, done[i]), E_OK);
        assert_int_equal(engine_run(s.e), E_OK);
        struct collective_shape shape = shape_of(&s, 0);
        shape.ranks_per_machine = kinds[k] == COLLECTIVE_HALVING_DOUBLING ? 1 : 2;
        int64_t alone_ps = kinds[k] == ALLGATHER
                               ? collective_allgather_ps(&shape, 8 * 8 * 1000)
                               : collective_allreduce_ps((enum collective_algorithm)kinds[k], &shape, 8 * 8 * 1000);
        for (int i = 0; i < 2; i++)
            for (int r = 0; r < 8; r++) {
                int64_t start_ps, end_ps;
                engine_task(s.e, done[i][r], &start_ps, &end_ps);
                assert_int_equal(end_ps, 2 * alone_ps);
            }
        star_free(&s);
    }
}

/* A sender that holds its transfers one after another sends the second ring's in the gaps of the first. */
static int sender_of(void *context, int64_t rank)
{
    return ((int *)context)[rank];
}

static struct star *routed;

static int64_t route_of_routed(void *context, int64_t from, int64_t to, int64_t *latency_ps)
{
    (void)context;
    return star_route(routed, from, to, latency_ps);
}

static void senders_take_turns(void **state)
{
    struct star s;
    int sender[4], ready[4] = { -1, -1, -1, -1 }, done[4];
    struct collective_place p = {
        .ranks = 4, .ranks_per_machine = 1, .route = route_of_routed, .sender = sender_of, .context = sender
    };

    (void)state;
    star_new(&s, 4, 1, slow, fast);
    routed = &s;
    for (int r = 0; r < 4; r++)
        sender[r] = engine_resource(s.e, "nic", r, 1);
    for (int i = 0; i < 2; i++)
        assert_int_equal(collective_allreduce(s.e, COLLECTIVE_RING, &p, 4000, ready, done, 7, 3), E_OK);
    assert_int_equal(engine_run(s.e), E_OK);
    assert_int_equal(engine_end_ps(s.e), 2 * closed_ps(&s, COLLECTIVE_RING, 4000, 0)); /* latencies too, one by one */
    for (int r = 0; r < 4; r++)
        assert_int_equal(engine_resource_busy_ps(s.e, sender[r]), engine_end_ps(s.e));
    star_free(&s);
}

/* One rank, or those of two machines, for all. */
static void symmetry_is_the_closed_form(void **state)
{
    static const struct {
        int64_t ranks, per_machine, placed;
    } cases[] = { { 16, 1, 1 }, { 16, 1, 2 }, { 1000, 1, 1 }, { 17, 1, 2 },
                  { 4, 4, 4 },  { 12, 3, 6 }, { 40, 4, 8 },   { 1, 1, 1 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int64_t bytes = 0; bytes < 20000000; bytes = 5 * bytes + 12000) {
                int64_t l = cases[i].per_machine;
                int ready[MOST_RANKS], done[MOST_RANKS];
                struct star s;
                if (l > 1 && cases[i].ranks > l && (kind == COLLECTIVE_TREE || kind == COLLECTIVE_HALVING_DOUBLING))
                    continue;
                star_new(&s, cases[i].placed < 2 ? 2 : cases[i].placed, l, slow, fast);
                struct collective_place p = place_of(&s, 0);
                struct collective_shape shape = shape_of(&s, 0);
                p.ranks = cases[i].placed;
                shape.ranks = cases[i].ranks;
                memset(ready, -1, sizeof(ready));
                int rc = kind == ALLGATHER ? collective_allgather_symmetric(s.e, &shape, &p, bytes, ready, done, 7, 3)
                                           : collective_allreduce_symmetric(s.e, (enum collective_algorithm)kind,
                                                                            &shape, &p, bytes, ready, done, 7, 3);
                assert_int_equal(rc, E_OK);
                assert_int_equal(engine_run(s.e), E_OK);
                int64_t want_ps = kind == ALLGATHER
                                      ? collective_allgather_ps(&shape, bytes)
                                      : collective_allreduce_ps((enum collective_algorithm)kind, &shape, bytes);
                if (engine_end_ps(s.e) != want_ps)
                    fail_msg("%s of %lld ranks by %lld, %lld B: %lld ps, not %lld", names[kind], (long long)shape.ranks,
                             (long long)p.ranks, (long long)bytes, (long long)engine_end_ps(s.e), (long long)want_ps);
                star_free(&s);
            }
}

static int64_t play(int64_t ranks, int64_t bytes, double rate_Bps, int64_t latency_ps, uint64_t *nflows)
{
    struct fabric *f = fabric_new();
    uint32_t *routes = calloc((size_t)ranks, sizeof(*routes));
    int64_t *latencies = calloc((size_t)ranks, sizeof(*latencies)), end_ps = -1;

    for (int64_t r = 0; r < 2 * ranks; r++)
        fabric_channel(f, rate_Bps);
    for (int64_t r = 0; r < ranks; r++) {
        routes[r] =
            (uint32_t)fabric_route(f, (uint32_t[]){ (uint32_t)(2 * r), (uint32_t)((2 * r + 3) % (2 * ranks)) }, 2);
        latencies[r] = latency_ps;
    }
    assert_int_equal(collective_ring_play(f, routes, latencies, ranks, bytes, &end_ps, nflows), E_OK);
    fabric_close(f, end_ps);
    fabric_free(f);
    free(routes);
    free(latencies);
    return end_ps;
}

/* Two rings over the same links, in both directions: each as long as one alone; in the same direction: twice. */
static void several_rings_alone(void)
{
    enum { RANKS = 6 };
    struct collective_shape shape = { .ranks = RANKS, .ranks_per_machine = 1, .between = instant };
    int64_t one_ps = collective_allreduce_ps(COLLECTIVE_RING, &shape, 6000);

    for (int same = 0; same < 2; same++) {
        struct fabric *f = fabric_new();
        uint32_t routes[2 * RANKS];
        int64_t latencies[2 * RANKS] = { 0 }, end_ps = -1;
        uint64_t nflows = 0;
        for (uint32_t c = 0; c < 2 * RANKS; c++)
            fabric_channel(f, instant.rate_Bps);
        for (uint32_t r = 0; r < RANKS; r++) {
            routes[r] = (uint32_t)fabric_route(f, &r, 1);
            uint32_t channel = same ? r : RANKS + r;
            routes[RANKS + r] = (uint32_t)fabric_route(f, &channel, 1);
        }
        assert_int_equal(collective_rings_play(f, routes, latencies, RANKS, 2, 6000, &end_ps, &nflows), E_OK);
        assert_int_equal(end_ps, same ? 2 * one_ps : one_ps);
        assert_int_equal(nflows, 2 * 2 * RANKS * (RANKS - 1));
        fabric_free(f);
    }
    assert_int_equal(collective_rings_play(NULL, NULL, NULL, RANKS, 0, 1, NULL, NULL), E_INVAL);
}

static void ring_alone(void **state)
{
    uint64_t nflows;

    (void)state;
    assert_int_equal(play(16, 16777216, 1.25e9, 10000000, &nflows), 25465824000);
    assert_int_equal(nflows, 2 * 16 * 15);
    assert_int_equal(play(100, 16777216, 1.25e9, 10000000, &nflows),
                     2ll * 99 * (10000000 + ((16777216 + 99) / 100 * 800)));
    for (int64_t n = 1; n <= 64; n = next_ranks(n))
        for (int k = 0; byte_count(k, n) >= 0; k++) {
            struct collective_shape s = { .ranks = n, .ranks_per_machine = 1, .between = odd };
            s.between.framing_bytes = 0;
            int64_t bytes = byte_count(k, n), end_ps = play(n, bytes, odd.rate_Bps, odd.latency_ps, &nflows);
            assert_int_equal(end_ps, collective_allreduce_ps(COLLECTIVE_RING, &s, bytes));
            assert_int_equal(nflows, bytes ? 2 * n * (n - 1) : 0);
        }
    several_rings_alone();
    struct collective_shape s = { .ranks = 1000, .ranks_per_machine = 1, .between = slow };
    assert_int_equal(collective_allreduce_ps(COLLECTIVE_RING, &s, 16777216), 46797955200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_sent_are_counted),      cmocka_unit_test(textbook_formulas),
        cmocka_unit_test(tree_is_logarithmic),         cmocka_unit_test(tree_chooses_its_block),
        cmocka_unit_test(two_at_once_share_fairly),    cmocka_unit_test(senders_take_turns),
        cmocka_unit_test(symmetry_is_the_closed_form), cmocka_unit_test(ring_alone),
    };

    return cmocka_run_group_tests_name("collective_forms", tests, NULL, NULL);
}
