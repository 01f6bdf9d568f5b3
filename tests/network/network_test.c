/* The arithmetic of measuring a network: rates, fits, clocks, what collectives should give. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/mpi/clock.h"
#include "harness/network/collective.h"
#include "harness/network/measure.h"
#include "harness/network/rows.h"
#include "harness/network/world/world.h"
#include "harness/status.h"
#include "tests/network/formula.h"
#include "tests/test.h"

static void assert_close(double got, double want, double share)
{
    if (!(fabs(got - want) <= share * fabs(want)))
        fail_msg("got %.9g, expected %.9g within %g", got, want, share);
}

/* The middle of the quickest exchange, never further from the truth than it says. */
static void clocks_are_compared_by_the_quickest_exchange(void **state)
{
    static const struct {
        int64_t offset, there, back; /* true offset; ways of each exchange */
    } ways[][3] = {
        { { 0, 50, 50 }, { 0, 900, 100 }, { 0, 100, 900 } },
        { { 123456789, 4000, 100 }, { 123456789, 300, 500 }, { 123456789, 10000, 1 } },
        { { -987654321, 10, 7 }, { -987654321, 7, 11 }, { -987654321, 3000, 3000 } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(ways); i++) {
        struct clock_exchange list[3];
        int64_t now = 1000000, shortest = INT64_MAX;

        for (size_t k = 0; k < 3; k++) {
            list[k].sent_ns = now;
            list[k].there_ns = now + ways[i][k].there + ways[i][k].offset;
            list[k].back_ns = now += ways[i][k].there + ways[i][k].back;
            if (list[k].back_ns - list[k].sent_ns < shortest)
                shortest = list[k].back_ns - list[k].sent_ns;
        }
        struct clock_offset c = clock_offset_of(list, 3);
        assert_int_equal(c.error_ns, (shortest + 1) / 2);
        assert_true(llabs(c.offset_ns - ways[i][0].offset) <= c.error_ns);
    }
}

static void clocks_drift_evenly(void **state)
{
    struct clock_offset before = { 1000, 5 }, after = { 3000, 9 };

    (void)state;
    assert_int_equal(clock_offset_at(before, 100, after, 300, 100).offset_ns, 1000);
    assert_int_equal(clock_offset_at(before, 100, after, 300, 250).offset_ns, 2500);
    assert_int_equal(clock_offset_at(before, 100, after, 300, 250).error_ns, 9);
    assert_int_equal(clock_offset_at(before, 100, after, 100, 100).offset_ns, 1000);
}

static void a_rate_is_free_of_latency_and_burst(void **state)
{
    static const struct {
        double rate_Bps, latency_s, burst_bytes;
    } links[] = {
        { 12.5e6, 0, 0 },          { 12.5e6, 1e-3, 32768 }, { 1.25e6, 10e-6, 16384 },
        { 125e6, 20e-6, 1 << 20 }, { 9e9, 1e-6, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(links); i++) {
        struct rate_search s = {
            .first_bytes = 65536, .least_ns = 500000000, .most_ns = 3000000000, .tolerance = 0.005
        };

        for (int64_t bytes; (bytes = rate_next(&s)) > 0;) {
            double wire = fmax(0, (double)bytes - links[i].burst_bytes);
            rate_add(&s, bytes, llround(1e9 * (links[i].latency_s + wire / links[i].rate_Bps)));
        }
        struct rate r = rate_of(&s);
        assert_true(r.stable);
        assert_true(r.ns >= s.least_ns && r.ns <= s.most_ns);
        assert_close(r.Bps, links[i].rate_Bps, 1e-4);
    }
}

/* What the rule makes of streams that took this long, each time: seconds for 1, 2, 4, ... MB. */
static void a_rate_is_stable_or_says_that_it_is_not(void **state)
{
    static const struct {
        double seconds[8];
        size_t n; /* sizes after which it ends */
        bool stable;
        double Bps;
    } runs[] = {
        { { 0.1, 0.2, 0.4, 0.8 }, 4, true, 10e6 },
        { { 0.5, 1, 2 }, 3, true, 2e6 },                          /* two differences: no fewer */
        { { 0.1, 0.2, 0.4, 0.82, 1.64 }, 5, false, 16e6 / 1.64 }, /* each difference another, until time is over */
        { { 0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64 }, 7, true, 100e6 },
        { { 0.4, 0.8, 0.7, 1.6 }, 4, false, 8e6 / 1.6 }, /* more bytes in less time */
        { { 4 }, 1, false, 0.25e6 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        struct rate_search s = {
            .first_bytes = 1000000, .least_ns = 500000000, .most_ns = 6000000000, .tolerance = 0.005
        };

        for (int64_t bytes; (bytes = rate_next(&s)) > 0;) {
            size_t k = 0;

            while (1000000 << k < bytes)
                k++;
            assert_int_equal(bytes, 1000000 << k);
            assert_true(k < runs[i].n);
            rate_add(&s, bytes, llround(1e9 * runs[i].seconds[k]));
        }
        struct rate r = rate_of(&s);
        assert_int_equal(s.n, runs[i].n);
        assert_int_equal(r.stable, runs[i].stable);
        assert_close(r.Bps, runs[i].Bps, 1e-6);
        assert_true(s.spent_ns <= s.most_ns);
    }
    assert_true(rate_of(&(struct rate_search){ .first_bytes = 1 }).Bps == 0);
}

/* Two of three streams take up to 3 % longer than the link alone would make them: so much may a rate be wrong, but on
 * the average it is a small part of that. */
static void repetition_sees_through_a_busy_machine(void **state)
{
    enum { RUNS = 50 };
    uint64_t random = 1;
    double errors = 0;

    (void)state;
    for (int run = 0; run < RUNS; run++) {
        struct rate_search s = {
            .first_bytes = 65536, .least_ns = 500000000, .most_ns = 20000000000, .tolerance = 0.005
        };

        for (int64_t bytes; (bytes = rate_next(&s)) > 0;) {
            random = random * 6364136223846793005u + 1442695040888963407u;
            double more = (random >> 33) % 3 ? 0.03 * (double)(random >> 40) / (1 << 24) : 0;
            rate_add(&s, bytes, llround(1e9 * (1 + more) * (double)bytes / 12.5e6));
        }
        assert_close(rate_of(&s).Bps, 12.5e6, 0.04);
        errors += fabs(rate_of(&s).Bps / 12.5e6 - 1);
    }
    assert_true(errors / RUNS < 0.01);
}

static void a_link_is_fitted(void **state)
{
    static const struct {
        double rate_Bps, link_s, message_s, framing;
        double fitted_message_s, fitted_framing;
    } links[] = {
        { 12.5e6, 20e-6, 2e-6, 60, 0, 60 }, /* the wire hides the sender */
        { 125e6, 10e-6, 1e-6, 40, 1e-6, 40 },
        { 1e9, 1e-6, 0.5e-6, 0, 0.5e-6, 0 },
        { 10e9, 3e-6, 1e-6, 40000, 4e-6, 0 }, /* so much is no framing */
    };
    static const int64_t sizes[] = { 1, 64, 1024, 4096, 16384, 32768, 262144 };

    (void)state;
    for (size_t i = 0; i < COUNT(links); i++) {
        struct message_time alone[COUNT(sizes)], stream[COUNT(sizes)];
        double empty_s = 2 * links[i].link_s + links[i].message_s;

        for (size_t k = 0; k < COUNT(sizes); k++) {
            double bytes = (double)sizes[k], wire_s = (bytes + links[i].framing) / links[i].rate_Bps;

            alone[k] = (struct message_time){ sizes[k], empty_s + bytes / links[i].rate_Bps };
            stream[k] = (struct message_time){ sizes[k], fmax(wire_s, links[i].message_s) };
        }
        struct link_fit f = fit_link(alone, COUNT(sizes), stream, COUNT(sizes), links[i].rate_Bps, 65536);
        assert_close(f.message_s, links[i].fitted_message_s, 0.01);
        assert_close(2 * f.latency_s + f.message_s, empty_s, 1e-6);
        assert_true(fabs(f.message_bytes - links[i].fitted_framing) <= 1e-6);
    }
    struct link_fit none = fit_link(NULL, 0, NULL, 0, 1e9, 65536);
    assert_true(none.message_s == 0 && none.message_bytes == 0 && none.latency_s == 0);
    assert_close(fit_alpha_s((struct message_time){ 1000, 3e-6 }, 1e9), 2e-6, 1e-9);
}

static void bus_factors_are_those_of_nccl_tests(void **state)
{
    static const struct {
        enum pattern pattern;
        int ranks;
        double factor;
    } rows[] = {
        { PATTERN_ALLREDUCE, 2, 1 },          { PATTERN_ALLREDUCE, 4, 1.5 }, { PATTERN_ALL_GATHER, 4, 0.75 },
        { PATTERN_REDUCE_SCATTER, 8, 0.875 }, { PATTERN_BROADCAST, 8, 1 },   { PATTERN_ALL_TO_ALL, 2, 0.5 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        assert_close(collective_bus_factor(rows[i].pattern, rows[i].ranks), rows[i].factor, 1e-12);
    assert_int_equal(collective_bytes(4096, 3), 4092);
    assert_int_equal(collective_bytes(1, 3), 12);
    assert_int_equal(collective_counts(PATTERN_ALL_GATHER, 48, 3).count, 4);
    assert_int_equal(collective_counts(PATTERN_ALL_GATHER, 48, 3).got, 12);
    assert_int_equal(collective_counts(PATTERN_REDUCE_SCATTER, 48, 3).given, 12);
    assert_int_equal(collective_counts(PATTERN_REDUCE_SCATTER, 48, 3).got, 4);
    assert_int_equal(collective_counts(PATTERN_ALLREDUCE, 48, 3).count, 12);
}

enum { RANKS = 3, ELEMENTS = 24, PART = ELEMENTS / RANKS };

/* Element i of what rank r gets, from what all gave: the collectives' meaning, written out. */
static float meant(enum pattern p, float given[RANKS][ELEMENTS], int r, int i)
{
    float sum = 0;

    switch (p) {
    case PATTERN_ALLREDUCE:
    case PATTERN_REDUCE_SCATTER:
        for (int k = 0; k < RANKS; k++)
            sum += given[k][p == PATTERN_ALLREDUCE ? i : r * PART + i];
        return sum;
    case PATTERN_ALL_GATHER: return given[i / PART][i % PART];
    case PATTERN_ALL_TO_ALL: return given[i / PART][r * PART + i % PART];
    default: return given[0][i];
    }
}

static void wrong_elements_are_counted(void **state)
{
    (void)state;
    for (int p = PATTERN_ALLREDUCE; p <= PATTERN_ALL_TO_ALL; p++) {
        float given[RANKS][ELEMENTS] = { 0 };

        for (int r = 0; r < RANKS; r++)
            collective_fill((enum pattern)p, 4 * ELEMENTS, r, RANKS, given[r]);
        for (int r = 0; r < RANKS; r++) {
            float got[ELEMENTS];
            int n = (int)collective_counts((enum pattern)p, 4 * ELEMENTS, RANKS).got;

            for (int i = 0; i < n; i++)
                got[i] = meant((enum pattern)p, given, r, i);
            assert_int_equal(collective_wrong((enum pattern)p, 4 * ELEMENTS, r, RANKS, got), 0);
            got[n - 1] += 1;
            got[0] = NAN;
            assert_int_equal(collective_wrong((enum pattern)p, 4 * ELEMENTS, r, RANKS, got), 2);
        }
    }
}

static void members_are_one_a_machine(void **state)
{
    static const struct {
        const char *hosts[4];
        int members[4], n, machines;
    } rows[] = {
        { { "a", "a", "a", "a" }, { 0, 1, 2, 3 }, 4, 1 },
        { { "a", "b", "a", "b" }, { 0, 1 }, 2, 2 },
        { { "a", "a", "b", "c" }, { 0, 2, 3 }, 3, 3 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        char host[4][NETWORK_HOST];
        int member[4], hosts;

        for (int r = 0; r < 4; r++)
            snprintf(host[r], sizeof(host[r]), "%s", rows[i].hosts[r]);
        assert_int_equal(network_members(host, 4, member, &hosts), rows[i].n);
        assert_int_equal(hosts, rows[i].machines);
        assert_memory_equal(member, rows[i].members, (size_t)rows[i].n * sizeof(int));
    }
}

static void flows_go_where_the_pattern_says(void **state)
{
    static const struct {
        enum pattern pattern;
        int n;
        struct flow flows[3];
    } rows[] = {
        { PATTERN_ONE_WAY, 1, { { 0, 1 } } },
        { PATTERN_TWO_WAY, 2, { { 0, 1 }, { 1, 0 } } },
        { PATTERN_RING, 3, { { 0, 1 }, { 1, 2 }, { 2, 0 } } },
        { PATTERN_INCAST, 2, { { 1, 0 }, { 2, 0 } } },
        { PATTERN_FAN_OUT, 2, { { 0, 1 }, { 0, 2 } } },
        { PATTERN_ALLREDUCE, 0, { { 0, 0 } } },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(pattern_flows(rows[i].pattern, 3), rows[i].n);
        for (int k = 0; k < rows[i].n; k++) {
            struct flow f = pattern_flow(rows[i].pattern, k, 3);
            assert_true(f.from == rows[i].flows[k].from && f.to == rows[i].flows[k].to);
        }
    }
}

static const struct network_options usual = { .seconds = 30, .repetitions = 20, .message_bytes = NETWORK_MESSAGE };

/* Everything that the formula has comes out again, in the time allowed. */
static void a_whole_measurement_finds_the_formula(void **state)
{
    struct formula f = formula_make(4);
    struct network_result r;
    int64_t offsets[] = { 0, 5000000, -7000, 123 }, skews[] = { 2000, 0, 9000, 4000 };
    struct clock_offset clocks[4];

    (void)state;
    f.two_way = 0.98;
    f.message_s = 2e-6;
    f.alone_s = 42e-6;
    f.burst_bytes = 32768;
    for (int i = 0; i < 4; i++) {
        f.offset_ns[i] = offsets[i];
        f.skew_ns[i] = skews[i];
        clocks[i] = (struct clock_offset){ offsets[i], i ? 700 : 0 };
    }
    assert_int_equal(network_measure(formula_transport(&f), &usual, &r), NW_OK);
    assert_true(f.now_ns < 33000000000);
    assert_close(network_rate(&r, PATTERN_ONE_WAY, 0)->rate.Bps, 12.5e6, 1e-3);
    assert_close(network_rate(&r, PATTERN_TWO_WAY, 0)->rate.Bps, 0.98 * 12.5e6, 1e-3);
    assert_close(network_rate(&r, PATTERN_RING, 0)->rate.Bps, 0.98 * 12.5e6, 1e-3);
    assert_close(network_rate(&r, PATTERN_INCAST, 0)->rate.Bps, 12.5e6 / 3, 1e-3);
    assert_close(network_rate(&r, PATTERN_FAN_OUT, 0)->rate.Bps, 12.5e6 / 3, 1e-3);
    assert_close(r.fit.message_s, 2e-6, 0.05);
    assert_close(r.fit.latency_s, 20e-6, 0.01);
    assert_true(r.nalone > 20 && r.alone[0].bytes == 0);
    assert_true(r.left_out > 0); /* 16 MiB at 100 Mbit/s, there and back */
    struct network_skew skew = network_skew(&r, clocks, 0, clocks, f.now_ns);
    assert_true(skew.median_ns == 9000 && skew.most_ns == 9000 && skew.error_ns == 1400);
    network_result_free(&r);
}

static void more_time_leaves_nothing_out(void **state)
{
    static const int64_t sizes[] = { 0, 1, 1024, 65536 };
    struct formula f = formula_make(2);
    struct network_options o = usual;
    struct network_result r;

    (void)state;
    o.seconds = 600;
    assert_int_equal(network_measure(formula_transport(&f), &o, &r), NW_OK);
    assert_int_equal(r.left_out, 0);
    assert_true(r.alone[r.nalone - 1].bytes == 16 << 20);
    assert_null(network_rate(&r, PATTERN_RING, 0)); /* of two, it would be both ways again */
    network_result_free(&r);

    o.sizes = sizes;
    o.nsizes = COUNT(sizes);
    o.seconds = 1;
    f.alone_s = 0.1; /* sizes that were asked for are measured however long they take */
    assert_int_equal(network_measure(formula_transport(&f), &o, &r), NW_OK);
    assert_int_equal(r.nalone, 4);
    assert_int_equal(r.left_out, 0);
    assert_non_null(series_find(&r.series, PATTERN_ALLREDUCE, 0, 1024));
    assert_int_equal(series_find(&r.series, PATTERN_PING_PONG, 1, 1024)->repetitions, 3);
    network_result_free(&r);
}

struct count {
    int64_t rows, wrong, unstable;
};

static void count(void *context, const struct network_row *row)
{
    struct count *c = context;

    c->rows++;
    c->wrong += row->wrong;
    c->unstable += pattern_is_stream(row->pattern) && !row->stable;
    if (row->pattern == PATTERN_ALLREDUCE)
        assert_close(row->bus_Bps, 1.5 * row->Bps, 1e-12);
}

static void rows_say_what_is_wrong_and_what_is_not_stable(void **state)
{
    struct formula f = formula_make(4);
    struct network_result r;
    struct count c = { 0 };

    (void)state;
    f.wrong = 3;
    f.noise = 0.05;
    assert_int_equal(network_measure(formula_transport(&f), &usual, &r), NW_OK);
    network_rows(&r, &f.transport, count, &c);
    assert_true(c.wrong >= 3 * 5 && c.wrong % 3 == 0);
    assert_int_equal(c.unstable, r.nstreams);
    assert_close(network_rate(&r, PATTERN_ONE_WAY, 0)->rate.Bps, 12.5e6, 0.06);
    network_result_free(&r);
}

/* A transport that fails at any trial ends the measurement with its status. */
static void a_failure_is_passed_up(void **state)
{
    (void)state;
    for (int at = 1; at < 200; at += 7) {
        struct formula f = formula_make(3);
        struct network_result r;

        f.fail_at = at;
        assert_int_equal(network_measure(formula_transport(&f), &usual, &r), NW_ENOMEM);
        network_result_free(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clocks_are_compared_by_the_quickest_exchange),
        cmocka_unit_test(clocks_drift_evenly),
        cmocka_unit_test(a_rate_is_free_of_latency_and_burst),
        cmocka_unit_test(a_rate_is_stable_or_says_that_it_is_not),
        cmocka_unit_test(repetition_sees_through_a_busy_machine),
        cmocka_unit_test(a_link_is_fitted),
        cmocka_unit_test(bus_factors_are_those_of_nccl_tests),
        cmocka_unit_test(wrong_elements_are_counted),
        cmocka_unit_test(members_are_one_a_machine),
        cmocka_unit_test(flows_go_where_the_pattern_says),
        cmocka_unit_test(a_whole_measurement_finds_the_formula),
        cmocka_unit_test(more_time_leaves_nothing_out),
        cmocka_unit_test(rows_say_what_is_wrong_and_what_is_not_stable),
        cmocka_unit_test(a_failure_is_passed_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
