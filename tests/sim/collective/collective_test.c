/* Closed forms against flows; every rank gets every byte. */
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

static void agree(struct star *s, int kind, int64_t bytes, int64_t block_bytes)
{
    int ready[MOST_RANKS], done[MOST_RANKS];
    int64_t last_ps = 0, start_ps, end_ps, want_ps = closed_ps(s, kind, bytes, block_bytes);

    memset(ready, -1, sizeof(ready));
    assert_int_equal(add_collective(s, kind, bytes, block_bytes, ready, done), E_OK);
    assert_int_equal(engine_run(s->e), E_OK);
    for (int64_t r = 0; r < s->ranks; r++) {
        engine_task(s->e, done[r], &start_ps, &end_ps);
        last_ps = end_ps > last_ps ? end_ps : last_ps;
    }
    if (last_ps != want_ps || last_ps != engine_end_ps(s->e))
        fail_msg("%s, %lld ranks, %lld a machine, %lld B, blocks of %lld B: flows %lld ps, closed form %lld ps",
                 names[kind], (long long)s->ranks, (long long)s->per_machine, (long long)bytes, (long long)block_bytes,
                 (long long)last_ps, (long long)want_ps);
}

static void closed_form_is_the_flows(void **state)
{
    const struct hop hops[] = { slow, instant, odd };

    (void)state;
    for (int64_t n = 1; n <= 64; n = next_ranks(n))
        for (int kind = 0; kind < KINDS; kind++)
            for (int k = 0; byte_count(k, n) >= 0; k++)
                for (size_t h = SANITIZED ? (size_t)k % 3 : 0; h < COUNT(hops); h += SANITIZED ? 3 : 1) {
                    int64_t bytes = byte_count(k, n), block = kind == COLLECTIVE_TREE && h == 2 ? bytes / 5 + 1 : 0;
                    struct star s;
                    if (n > 17 && (kind == COLLECTIVE_TREE || kind == ALLGATHER) && (k == 8 || h == 1))
                        continue; /* time */
                    star_new(&s, n, 1, hops[h], fast);
                    if (kind == COLLECTIVE_TREE && !block) {
                        struct collective_shape shape = shape_of(&s, 0);
                        block = collective_block_bytes(&shape, bytes);
                        assert_true(closed_ps(&s, kind, bytes, 0) == closed_ps(&s, kind, bytes, block));
                        if (block < 1000 && bytes > 10000)
                            block = bytes / 20;
                    }
                    agree(&s, kind, bytes, block);
                    star_free(&s);
                }
}

/* All ranks on one machine, and on several. */
static void closed_form_knows_machines(void **state)
{
    static const struct {
        int64_t ranks, per_machine;
    } cases[] = { { 4, 4 }, { 4, 8 }, { 8, 4 }, { 6, 3 }, { 12, 4 }, { 16, 2 }, { 15, 5 }, { 7, 7 }, { 9, 1 } };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int swapped = 0; swapped < 2; swapped++)
                for (int even = 0; even < 2; even++) {
                    int64_t n = cases[i].ranks, l = cases[i].per_machine, bytes = even ? n * n * 1000 : 1000003;
                    bool mixed = n > l && l > 1;
                    struct star s;
                    if (mixed && (kind == COLLECTIVE_TREE || kind == COLLECTIVE_HALVING_DOUBLING))
                        continue;
                    if (mixed && kind == COLLECTIVE_RING && !even)
                        continue;
                    star_new(&s, n, l, swapped ? fast : slow, swapped ? slow : fast);
                    agree(&s, kind, bytes, kind == COLLECTIVE_TREE ? 100000 : 0);
                    star_free(&s);
                }
}

/* An uneven ring over hops of both kinds: at most a byte a step too much. */
static void mixed_ring_is_bounded(void **state)
{
    (void)state;
    for (int64_t bytes = 1; bytes < 40; bytes++) {
        int ready[MOST_RANKS], done[MOST_RANKS];
        struct star s;
        star_new(&s, 8, 4, slow, fast);
        memset(ready, -1, sizeof(ready));
        assert_int_equal(add_collective(&s, COLLECTIVE_RING, bytes, 0, ready, done), E_OK);
        assert_int_equal(engine_run(s.e), E_OK);
        int64_t over_ps = closed_ps(&s, COLLECTIVE_RING, bytes, 0) - engine_end_ps(s.e);
        assert_true(over_ps >= 0 && over_ps <= 14 * 800);
        star_free(&s);
    }
}

/* Each rank gets every payload whole; where one is the largest, every step waits for it. */
static void uneven_payloads_wait_for_the_largest(void **state)
{
    static const int64_t payloads[][5] = { { 3000, 1000, 0, 2000, 1 }, { 0, 0, 0, 0, 7 }, { 5, 5, 5, 5, 5 } };

    (void)state;
    for (size_t i = 0; i < COUNT(payloads); i++)
        for (int64_t n = 2; n <= 5; n++) {
            int ready[MOST_RANKS], done[MOST_RANKS];
            int64_t all = 0, most = 0, got[5] = { 0 };
            struct star s;
            star_new(&s, n, 1, instant, fast);
            struct collective_place p = place_of(&s, 0);
            p.payloads = payloads[i];
            memset(ready, -1, sizeof(ready));
            assert_int_equal(collective_allgather(s.e, &p, 1, ready, done, 7, 3), E_OK);
            assert_int_equal(engine_run(s.e), E_OK);
            for (int64_t r = 0; r < n; r++) {
                all += payloads[i][r];
                most = payloads[i][r] > most ? payloads[i][r] : most;
            }
            for (size_t k = 0; k < s.n; k++)
                got[s.list[k].to] += s.list[k].bytes;
            for (int64_t r = 0; r < n; r++)
                assert_int_equal(got[r], all - payloads[i][r]);
            assert_int_equal(engine_end_ps(s.e), (n - 1) * hop_ps(&instant, most));
            star_free(&s);
        }
}

static void refuses(void **state)
{
    struct collective_shape good = { .ranks = 8, .ranks_per_machine = 4, .between = slow, .within = fast }, s;

    (void)state;
    for (int i = 0; i < 8; i++) {
        int64_t bytes = 1000;
        enum collective_algorithm a = COLLECTIVE_RING;
        s = good;
        switch (i) {
        case 0: s.ranks = 0; break;
        case 1: s.ranks_per_machine = 0; break;
        case 2: bytes = -1; break;
        case 3: s.between.rate_Bps = 0; break;
        case 4: s.within.rate_Bps = NAN; break;
        case 5: a = COLLECTIVE_TREE; break;
        case 6: a = COLLECTIVE_HALVING_DOUBLING; break;
        default: s.ranks = 9, a = COLLECTIVE_HIERARCHICAL; break;
        }
        assert_int_equal(collective_allreduce_ps(a, &s, bytes), E_INVAL);
        assert_int_equal(collective_allreduce_sent(a, &s, bytes), E_INVAL);
        if (i < 5)
            assert_int_equal(collective_allgather_ps(&s, bytes), E_INVAL);
    }
    s = good;
    s.ranks = 4; /* one machine: nobody looks at the hop between */
    s.between.rate_Bps = 0;
    assert_true(collective_allreduce_ps(COLLECTIVE_TREE, &s, 1000) > 0);
    assert_int_equal(collective_allreduce_ps(COLLECTIVE_RING, &good, INT64_MAX), E_RANGE);
    s.within.rate_Bps = 1e-9;
    assert_int_equal(collective_allreduce_ps(COLLECTIVE_RING, &s, 1000000000), E_RANGE);
}

/* The ends of transfers, and their starts, in the order of time; of one instant the ends first. */
struct event {
    int64_t at_ps;
    int is_start, carried;
};

static int by_time(const void *a, const void *b)
{
    const struct event *x = a, *y = b;

    if (x->at_ps != y->at_ps)
        return x->at_ps < y->at_ps ? -1 : 1;
    return x->is_start != y->is_start ? x->is_start - y->is_start : x->carried - y->carried;
}

/* has[rank][byte] is the set of the ranks whose contribution is in it. What is sent is what the sender has when the
 * transfer starts; to add a contribution twice is as wrong as to forget one. */
static void execute(const struct star *s, uint64_t has[][BYTES])
{
    struct event *events = calloc(2 * s->n, sizeof(*events));
    uint64_t(*sent)[BYTES] = calloc(s->n, sizeof(*sent));

    for (size_t i = 0; i < s->n; i++) {
        int64_t start_ps, end_ps;
        engine_task(s->e, s->list[i].task, &start_ps, &end_ps);
        assert_true(end_ps > start_ps || !s->list[i].bytes);
        events[2 * i] = (struct event){ start_ps, 1, (int)i };
        events[2 * i + 1] = (struct event){ end_ps, 0, (int)i };
    }
    qsort(events, 2 * s->n, sizeof(*events), by_time);
    for (size_t k = 0; k < 2 * s->n; k++) {
        const struct carried *c = &s->list[events[k].carried];
        assert_true(c->offset >= 0 && c->bytes >= 0 && c->offset + c->bytes <= BYTES);
        for (int64_t b = c->offset; b < c->offset + c->bytes; b++) {
            uint64_t *to = &has[c->to][b], *message = &sent[events[k].carried][b];
            if (events[k].is_start) {
                *message = has[c->from][b];
            } else {
                assert_true(!c->add || !(*to & *message));
                *to = c->add ? *to | *message : *message;
            }
        }
    }
    free(events);
    free(sent);
}

static void everything_arrives(struct star *s, int kind, int64_t bytes, int64_t block_bytes, bool late)
{
    static uint64_t has[MOST_RANKS][BYTES];
    int ready[MOST_RANKS], done[MOST_RANKS];
    uint64_t all = s->ranks < 64 ? ((uint64_t)1 << s->ranks) - 1 : ~(uint64_t)0;
    int64_t vector = kind == ALLGATHER ? bytes * s->ranks : bytes;

    memset(has, 0, sizeof(has));
    for (int64_t r = 0; r < s->ranks; r++) {
        for (int64_t b = 0; b < vector; b++)
            has[r][b] = kind != ALLGATHER || b / bytes == r ? (uint64_t)1 << r : 0;
        /* Some ranks join late, in no order. */
        ready[r] = late ? engine_compute(s->e, ENGINE_NO_RESOURCE, r * 7919 % 13 * 1000000, 0) : -1;
    }
    assert_int_equal(add_collective(s, kind, bytes, block_bytes, ready, done), E_OK);
    assert_int_equal(engine_run(s->e), E_OK);
    execute(s, has);
    for (int64_t r = 0; r < s->ranks; r++)
        for (int64_t b = 0; b < vector; b++) {
            uint64_t want = kind == ALLGATHER ? (uint64_t)1 << b / bytes : all;
            if (has[r][b] != want)
                fail_msg("%s, %lld ranks, %lld a machine, %lld B: rank %lld has %llx of byte %lld, not %llx",
                         names[kind], (long long)s->ranks, (long long)s->per_machine, (long long)bytes, (long long)r,
                         (unsigned long long)has[r][b], (long long)b, (unsigned long long)want);
        }
    /* No transfer is of a rank that is not ready, or reaches one; done[] is after all of a rank's. */
    for (size_t i = 0; i < s->n; i++) {
        const struct carried *c = &s->list[i];
        int64_t start_ps, end_ps, then_ps, ps;
        engine_task(s->e, c->task, &start_ps, &end_ps);
        for (int side = 0; side < 2; side++) {
            int rank = side ? c->to : c->from;
            engine_task(s->e, done[rank], &ps, &then_ps);
            assert_true(then_ps >= end_ps);
            if (late) {
                engine_task(s->e, ready[rank], &ps, &then_ps);
                assert_true(start_ps >= then_ps);
            }
        }
    }
}

/* Blocks that a buffer takes do not wait for each other, on as many connections as there are. */
static void buffered_trees_are_right(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 17; n++)
        for (int64_t connections = 0; connections <= 3; connections++)
            for (int late = 0; late < 2; late++) {
                struct star s;
                star_new(&s, n, 1, odd, fast);
                s.buffered_bytes = 3;
                s.connections = connections;
                everything_arrives(&s, COLLECTIVE_TREE, 37, 3, late);
                star_free(&s);
            }
}

/* Several rings at once, each through ranks of its own; machines that are not full; fewer bytes than rings. */
static void several_rings_are_right(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 17; n++)
        for (int64_t l = 1; l <= 6; l++)
            for (int64_t rings = 2; rings <= 5; rings++)
                for (int64_t bytes = 3; bytes <= 40; bytes += 37)
                    for (int late = 0; late < 2; late++) {
                        struct star s;
                        star_new(&s, n, l, instant, odd);
                        s.rings = rings;
                        everything_arrives(&s, COLLECTIVE_RING, bytes, 0, late);
                        star_free(&s);
                    }
}

/* Where only machines' links take time, so many rings take as many times less, as each leaves by a link of its own. */
static void rings_use_all_links(void **state)
{
    const struct hop no_time = { 1e15, 0, 0 };

    (void)state;
    for (int64_t rings = 1; rings <= 4; rings *= 2) {
        int ready[MOST_RANKS], done[MOST_RANKS];
        struct star s;
        star_new(&s, 8, 4, instant, no_time);
        s.rings = rings;
        memset(ready, -1, sizeof(ready));
        assert_int_equal(add_collective(&s, COLLECTIVE_RING, 8000000, 0, ready, done), E_OK);
        assert_int_equal(engine_run(s.e), E_OK);
        int64_t want_ps = 14 * hop_ps(&instant, 1000000 / rings);
        if (llabs(engine_end_ps(s.e) - want_ps) > want_ps / 1000)
            fail_msg("%lld rings: %lld ps, not %lld", (long long)rings, (long long)engine_end_ps(s.e),
                     (long long)want_ps);
        star_free(&s);
    }
}

/* Where messages take their time by latency alone, as many connections hide it as often. */
static void connections_hide_latency(void **state)
{
    const struct hop far = { 1e15, 1000000, 0 };
    int64_t before_ps = 0;

    (void)state;
    for (int64_t connections = 1; connections <= 8; connections *= 2) {
        int ready[MOST_RANKS], done[MOST_RANKS];
        struct star s;
        star_new(&s, 2, 1, far, fast);
        s.buffered_bytes = 1;
        s.connections = connections;
        memset(ready, -1, sizeof(ready));
        assert_int_equal(add_collective(&s, COLLECTIVE_TREE, 32, 1, ready, done), E_OK);
        assert_int_equal(engine_run(s.e), E_OK);
        /* 16 blocks go up and come down again, the first ones while others still go up. */
        int64_t end_ps = engine_end_ps(s.e), want_ps = (16 / connections + 1) * far.latency_ps;
        if (llabs(end_ps - want_ps) > 1000)
            fail_msg("%lld connections: %lld ps, not %lld", (long long)connections, (long long)end_ps,
                     (long long)want_ps);
        assert_true(!before_ps || end_ps < before_ps);
        before_ps = end_ps;
        star_free(&s);
    }
}

static void every_rank_gets_every_byte(void **state)
{
    static const int64_t byte_counts[] = { 1, 2, 7, 16, 31, 40 };

    (void)state;
    for (int64_t n = 1; n <= 64; n = next_ranks(n))
        for (int64_t l = 1; l <= 4; l += SANITIZED ? 2 : 1)
            for (size_t k = 0; k < COUNT(byte_counts); k += SANITIZED ? 2 : 1)
                for (int kind = 0; kind < KINDS; kind++)
                    for (int late = 0; late < 2; late++) {
                        int64_t bytes = byte_counts[k];
                        struct star s;
                        if (kind == COLLECTIVE_BOUND || kind == COLLECTIVE_IDEAL ||
                            (kind == ALLGATHER && bytes * n > BYTES) || (kind == COLLECTIVE_HIERARCHICAL && n % l))
                            continue;
                        star_new(&s, n, l, instant, odd);
                        everything_arrives(&s, kind, bytes, kind == COLLECTIVE_TREE ? bytes / 6 + 1 : 0, late);
                        star_free(&s);
                    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form_is_the_flows),
        cmocka_unit_test(closed_form_knows_machines),
        cmocka_unit_test(mixed_ring_is_bounded),
        cmocka_unit_test(buffered_trees_are_right),
        cmocka_unit_test(connections_hide_latency),
        cmocka_unit_test(several_rings_are_right),
        cmocka_unit_test(rings_use_all_links),
        cmocka_unit_test(uneven_payloads_wait_for_the_largest),
        cmocka_unit_test(refuses),
        cmocka_unit_test(every_rank_gets_every_byte),
    };

    return cmocka_run_group_tests_name("collective", tests, NULL, NULL);
}
