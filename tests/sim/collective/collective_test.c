/* Collectives: every byte of every rank arrives once, closed form and flows agree to the picosecond, and both are what
 * the textbooks say. */

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/status.h"
#include "sim/collective/collective.h"
#include "sim/fabric/flow_player.h"
#include "tests/sanitized.h"
#include "tests/test.h"

enum { MOST_RANKS = 64, BYTES = 40 };

static const char *const names[] = {
    "ring", "tree", "halving-doubling", "hierarchical", "bound", "ideal", "all-gather"
};
enum { ALLGATHER = COLLECTIVE_ALGORITHMS, KINDS };
_Static_assert(COUNT(names) == KINDS, "a name for each");

/* What each rank has: for each byte of the vector, whose contributions are in it. */
struct carried {
    int task, from, to;
    int64_t offset, bytes;
    bool add;
};

/* A star of ranks: each has a way in and out between machines, and another within its machine. */
struct star {
    struct engine *e;
    int64_t ranks, per_machine;
    struct hop between, within;
    int out[2][MOST_RANKS], in[2][MOST_RANKS];
    int routes[MOST_RANKS][MOST_RANKS];
    struct carried *list;
    size_t n, capacity;
};

static bool inside(const struct star *s, int64_t a, int64_t b)
{
    return a / s->per_machine == b / s->per_machine;
}

static int64_t star_route(void *context, int64_t from, int64_t to, int64_t *latency_ps)
{
    struct star *s = context;
    int within = inside(s, from, to);
    uint32_t path[] = { (uint32_t)s->out[within][from], (uint32_t)s->in[within][to] };

    *latency_ps = within ? s->within.latency_ps : s->between.latency_ps;
    if (s->routes[from][to] < 0)
        s->routes[from][to] = engine_route(s->e, path, 2);
    return s->routes[from][to];
}

static int64_t star_framed(void *context, int64_t from, int64_t to, int64_t bytes)
{
    struct star *s = context;

    return bytes + (inside(s, from, to) ? s->within.framing_bytes : s->between.framing_bytes);
}

static void star_carries(void *context, int task, int64_t from, int64_t to, int64_t offset, int64_t bytes, bool add)
{
    struct star *s = context;

    if (s->n == s->capacity) {
        s->capacity = s->capacity ? 2 * s->capacity : 256;
        s->list = realloc(s->list, s->capacity * sizeof(*s->list));
    }
    s->list[s->n++] = (struct carried){ task, (int)from, (int)to, offset, bytes, add };
}

static void star_new(struct star *s, int64_t ranks, int64_t per_machine, struct hop between, struct hop within)
{
    memset(s, 0, sizeof(*s));
    memset(s->routes, -1, sizeof(s->routes));
    s->e = engine_new();
    s->ranks = ranks;
    s->per_machine = per_machine;
    s->between = between;
    s->within = within;
    for (int64_t r = 0; r < ranks; r++)
        for (int k = 0; k < 2; k++) {
            double rate_Bps = k ? within.rate_Bps : between.rate_Bps;
            s->out[k][r] = engine_channel(s->e, k ? "nvlink" : "eth", (int)(2 * r), rate_Bps);
            s->in[k][r] = engine_channel(s->e, k ? "nvlink" : "eth", (int)(2 * r + 1), rate_Bps);
        }
}

static void star_free(struct star *s)
{
    engine_free(s->e);
    free(s->list);
}

static struct collective_place place_of(struct star *s, int64_t block_bytes)
{
    return (struct collective_place){ .ranks = s->ranks,
                                      .ranks_per_machine = s->per_machine,
                                      .route = star_route,
                                      .framed = star_framed,
                                      .carries = star_carries,
                                      .context = s,
                                      .block_bytes = block_bytes };
}

static struct collective_shape shape_of(const struct star *s, int64_t block_bytes)
{
    return (struct collective_shape){ .ranks = s->ranks,
                                      .ranks_per_machine = s->per_machine,
                                      .between = s->between,
                                      .within = s->within,
                                      .block_bytes = block_bytes };
}

static int add_collective(struct star *s, int kind, int64_t bytes, int64_t block_bytes, const int ready[], int done[])
{
    struct collective_place p = place_of(s, block_bytes);

    if (kind == ALLGATHER)
        return collective_allgather(s->e, &p, bytes, ready, done, 7, 3);
    return collective_allreduce(s->e, (enum collective_algorithm)kind, &p, bytes, ready, done, 7, 3);
}

static int64_t closed_ps(const struct star *s, int kind, int64_t bytes, int64_t block_bytes)
{
    struct collective_shape shape = shape_of(s, block_bytes);

    if (kind == ALLGATHER)
        return collective_allgather_ps(&shape, bytes);
    return collective_allreduce_ps((enum collective_algorithm)kind, &shape, bytes);
}

static const struct hop slow = { 1.25e9, 10000000, 0 }, instant = { 1e9, 0, 0 }, odd = { 7.77e8, 123457, 78 },
                        fast = { 25e9, 1700000, 0 };

/* Which byte counts: nothing, fewer than ranks, about as many, primes, and many. */
static int64_t byte_count(int k, int64_t n)
{
    const int64_t counts[] = { 0, 1, 2, n - 1, n, n + 1, 2 * n + 3, 97, 104729, 1000003, 16777216 };

    return k < (int)COUNT(counts) ? counts[k] : -1;
}

/* 1 to 17, 31 to 33, 64. */
static int64_t next_ranks(int64_t n)
{
    return n < 17 ? n + 1 : n == 17 ? 31 : n == 31 || n == 32 ? n + 1 : n == 33 ? 64 : 65;
}

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

/* --- What arrives where. ---------------------------------------------------------------------------------------- */

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

/* What the ranks put on the wire: nobody more than the formula says, one exactly that, and in all what must be. */
static void bytes_sent_are_counted(void **state)
{
    (void)state;
    for (int64_t n = 2; n <= 64; n = next_ranks(n))
        for (int64_t l = 1; l <= 3; l++)
            for (int kind = 0; kind < COLLECTIVE_ALGORITHMS; kind++)
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

/* --- What the textbooks say. ------------------------------------------------------------------------------------ */

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

/* --- Contention, symmetry, the ring alone. ---------------------------------------------------------------------- */

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
    struct collective_shape s = { .ranks = 1000, .ranks_per_machine = 1, .between = slow };
    assert_int_equal(collective_allreduce_ps(COLLECTIVE_RING, &s, 16777216), 46797955200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(closed_form_is_the_flows),
        cmocka_unit_test(closed_form_knows_machines),
        cmocka_unit_test(mixed_ring_is_bounded),
        cmocka_unit_test(refuses),
        cmocka_unit_test(every_rank_gets_every_byte),
        cmocka_unit_test(bytes_sent_are_counted),
        cmocka_unit_test(textbook_formulas),
        cmocka_unit_test(tree_is_logarithmic),
        cmocka_unit_test(tree_chooses_its_block),
        cmocka_unit_test(two_at_once_share_fairly),
        cmocka_unit_test(senders_take_turns),
        cmocka_unit_test(symmetry_is_the_closed_form),
        cmocka_unit_test(ring_alone),
    };
    return cmocka_run_group_tests_name("collective", tests, NULL, NULL);
}
