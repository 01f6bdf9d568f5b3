/* What the bench of the simulator times, at sizes that take no time: right ends, right counts, a process of its own. */

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/bench/sim/case.h"
#include "harness/status.h"
#include "harness/store/case.h"
#include "harness/store/store.h"
#include "tests/test.h"

/* 2 (n - 1) steps of a chunk and two latencies of 5 us; 16 MiB divide evenly among 16, not among 3. */
static double by_hand(int64_t ranks)
{
    double chunk = ceil(16777216.0 / (double)ranks);

    return 2 * (double)(ranks - 1) * (chunk / 1.25e9 + 10e-6);
}

static void rings_end_when_they_should(void **state)
{
    static const int64_t ranks[] = { 2, 3, 16, 61 };

    (void)state;
    for (size_t i = 0; i < sizeof(ranks) / sizeof(ranks[0]); i++) {
        struct sim_case c = { .kind = "ring", .size = ranks[i], .size_unit = "ranks" };
        struct sim_result flows = { 0 }, symmetric = { 0 };

        assert_int_equal(run_ring(&c, &flows), NW_OK);
        assert_int_equal(run_symmetric(&c, &symmetric), NW_OK);
        assert_int_equal(flows.events, 2 * ranks[i] * (ranks[i] - 1));
        assert_int_equal(symmetric.events, 2 * (ranks[i] - 1));
        if (fabs(flows.end_s / by_hand(ranks[i]) - 1) > 1e-9)
            fail_msg("%d ranks: %.15g, by hand %.15g", (int)ranks[i], flows.end_s, by_hand(ranks[i]));
        assert_true(fabs(symmetric.end_s / flows.end_s - 1) <= 1e-9);
        assert_true(fabs(ring_closed_s(&c) / flows.end_s - 1) <= 1e-9);
        assert_true(flows.elapsed_ns > 0 && symmetric.elapsed_ns > 0);
    }
}

static void random_flows_are_as_described(void **state)
{
    struct star_flow *flows = star_flows(3000), *again = star_flows(3000);

    (void)state;
    for (int i = 0; i < 3000; i++) {
        assert_true(flows[i].src == (uint32_t)(i / 3) && flows[i].dst < STAR_HOSTS && flows[i].dst != flows[i].src);
        assert_true(flows[i].bytes >= 64 << 10 && flows[i].bytes <= 16 << 20);
        assert_true(flows[i].dst == again[i].dst && flows[i].bytes == again[i].bytes);
    }
    free(flows);
    free(again);
}

static void drawn_buffers_are_placed(void **state)
{
    static int (*const runs[])(const struct sim_case *, struct sim_result *) = { run_buffers, run_buffers_half,
                                                                                 run_buffers_span, run_buffers_equal,
                                                                                 run_buffers_gaps };
    struct sim_case c = { .kind = "place-drawn", .size = 500, .size_unit = "buffers" };

    (void)state;
    for (size_t i = 0; i < COUNT(runs); i++) {
        struct sim_result r = { 0 };
        assert_int_equal(runs[i](&c, &r), NW_OK);
        assert_int_equal(r.events, 500);
        assert_true(r.elapsed_ns > 0);
    }
}

/* No end is earlier than the most that one link has to carry allows, and a burst of one flow a host is such a loop. */
static void loops_and_bursts_take_as_long_as_their_links(void **state)
{
    struct sim_case one = { .kind = "loop", .size = 1000 }, three = { .kind = "loop", .size = 3000 };
    struct sim_result loop = { 0 }, burst = { 0 }, scratch = { 0 };
    double leaving[STAR_HOSTS] = { 0 }, arriving[STAR_HOSTS] = { 0 }, most = 0;
    struct star_flow *flows = star_flows(3000);

    (void)state;
    assert_int_equal(run_loop(&one, &loop), NW_OK);
    assert_int_equal(run_burst(&one, &burst), NW_OK);
    assert_true(loop.end_s == burst.end_s && loop.events == 1000);
    assert_int_equal(run_loop(&three, &loop), NW_OK);
    assert_int_equal(run_burst(&three, &burst), NW_OK);
    assert_int_equal(run_scratch(&three, &scratch), NW_OK);
    assert_true(fabs(scratch.end_s / burst.end_s - 1) <= 1e-9 && scratch.events == 3000);
    assert_true(fabs(scratch.mean_end_s / burst.mean_end_s - 1) <= 1e-9);
    for (int i = 0; i < 3000; i++) {
        leaving[flows[i].src] += (double)flows[i].bytes;
        arriving[flows[i].dst] += (double)flows[i].bytes;
    }
    for (int i = 0; i < STAR_HOSTS; i++)
        most = fmax(most, fmax(leaving[i], arriving[i]));
    assert_true(burst.end_s >= most / 1.25e9 + 10e-6 - 1e-12);
    assert_true(loop.end_s > burst.end_s); /* the burst keeps its busiest link busy */
    free(flows);
}

static const char *const first_fit[] = { "method.placement=first-fit" };

/* VGG-19 has 45 layers forward and backward. Split after its 12th convolution, 26 of them are four times as many; its
 * images are cut, its patches joined and their errors taken apart again. */
static void plans_have_as_many_operations_as_their_layers(void **state)
{
    static const struct {
        int (*run)(const struct sim_case *, struct sim_result *);
        const char *const *sets;
        int64_t patches, events;
    } cases[] = {
        { run_plan, NULL, 1, 90 },
        { run_plan, first_fit, 1, 90 },
        { run_plan_played, first_fit, 1, 90 },
        { run_plan, NULL, 4, 2 * (4 * 26 + 19) + 3 * 4 },
        { run_plan, first_fit, 4, 2 * (4 * 26 + 19) + 3 * 4 },
        { run_plan_played, first_fit, 4, 2 * (4 * 26 + 19) + 3 * 4 },
        { run_largest, NULL, 1, 1 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct sim_case c = {
            .kind = "plan", .size = cases[i].patches, .size_unit = "patches", .net = "vgg-19", .sets = cases[i].sets
        };
        struct sim_result r = { 0 };

        assert_int_equal(cases[i].run(&c, &r), NW_OK);
        if (r.events != cases[i].events)
            fail_msg("case %zu: %ld events instead of %ld", i, (long)r.events, (long)cases[i].events);
        assert_true(r.elapsed_ns > 0);
    }
}

/* What offloading adds: a tensor storage object that is away has two lives. There is a workspace for each pass of a
 * convolution, except the backward pass of the images. */
static void a_search_sees_every_buffer(void **state)
{
    struct sim_case one = { .kind = "place", .size = 1, .size_unit = "patches", .net = "vgg-19", .sets = first_fit },
                    four = one;
    struct sim_result few = { 0 }, many = { 0 };

    (void)state;
    four.size = 4;
    assert_int_equal(run_place(&one, &few), NW_OK);
    assert_int_equal(run_place(&four, &many), NW_OK);
    assert_true(few.events > 90 && few.events < 2 * 90);
    assert_true(many.events > 2 * few.events);
}

/* 64 samples of 3 x 39.3 GFLOP, less the data gradient of the first convolution, at 1.5 and 0.65 x 10.6 TFlop/s: nearly
 * all convolutions run at the former. Patches compute what the whole does. */
static void a_played_plan_takes_as_long_as_its_arithmetic(void **state)
{
    struct sim_case one = { .kind = "play", .size = 1, .size_unit = "patches", .net = "vgg-19", .sets = first_fit },
                    four = one;
    struct sim_result whole = { 0 }, split = { 0 };
    double least_s = 64 * 3 * 39.0e9 / (1.5 * 10.6e12);

    (void)state;
    four.size = 4;
    assert_int_equal(run_plan_played(&one, &whole), NW_OK);
    assert_int_equal(run_plan_played(&four, &split), NW_OK);
    if (!(whole.end_s >= least_s && whole.end_s <= 1.25 * least_s))
        fail_msg("%g s, its arithmetic takes %g s", whole.end_s, least_s);
    assert_true(split.end_s > whole.end_s && split.end_s < 1.01 * whole.end_s);
}

static void a_net_that_is_not_there_is_no_plan(void **state)
{
    struct sim_case c = { .kind = "plan", .size = 1, .size_unit = "patches", .net = "no-such-net" };
    struct sim_result r = { 0 };

    (void)state;
    assert_int_equal(run_plan(&c, &r), NW_ESIM);
    assert_int_equal(run_largest(&c, &r), NW_ESIM);
    c.net = "vgg-19";
    c.size = 1 << 20; /* more patches than the last split plane has positions */
    assert_int_equal(run_plan(&c, &r), NW_ESIM);
}

static int fails(const struct sim_case *c, struct sim_result *r)
{
    (void)c;
    r->events = 3;
    return NW_ESIM;
}

static int ends(const struct sim_case *c, struct sim_result *r)
{
    (void)c;
    (void)r;
    _exit(0);
}

/* Touches 40 MB, which the next child must not be charged for. */
static int grows(const struct sim_case *c, struct sim_result *r)
{
    enum { SIZE = 40000000 };
    volatile char *p = malloc(SIZE);

    (void)c;
    for (size_t i = 0; p && i < SIZE; i += 4096)
        p[i] = 1;
    r->events = 1;
    free((void *)p);
    return NW_OK;
}

static int stays(const struct sim_case *c, struct sim_result *r)
{
    (void)c;
    r->events = 1;
    return NW_OK;
}

static void a_child_tells_its_own_memory_and_fate(void **state)
{
    struct sim_case c = { .kind = "child", .size = 1, .size_unit = "test", .run = fails };
    struct sim_result r, other;

    (void)state;
    assert_int_equal(child_run(&c, &r), NW_ESIM);
    assert_int_equal(r.events, 3);
    c.run = ends;
    assert_int_equal(child_run(&c, &r), NW_ESIM);
    c.run = grows;
    assert_int_equal(child_run(&c, &r), NW_OK);
    c.run = stays;
    assert_int_equal(child_run(&c, &other), NW_OK);
    assert_int_equal(other.rc, NW_OK);
    if (!r.peak_bytes)
        return; /* a kernel that does not say */
    if (r.peak_bytes - r.idle_bytes < 38000000)
        fail_msg("40 MB were seen as %ld", (long)(r.peak_bytes - r.idle_bytes));
    assert_true(other.peak_bytes - other.idle_bytes < 10000000);
}

static void a_case_is_stored_and_summed_up(void **state)
{
    const char *folder = getenv("NARROWS_TEST_TMP");
    char path[4096];
    struct store *s;
    struct run_fact run = { .command = "test",
                            .scenario = "",
                            .title = "",
                            .notes = "",
                            .baseline = "",
                            .figure = "",
                            .file = "",
                            .commit = "x",
                            .build = "x",
                            .machine = "x" };
    struct sim_case_fact fact = { .kind = "ring",
                                  .program = "narrows",
                                  .size_unit = "ranks",
                                  .event = "flow",
                                  .size = 250,
                                  .events = 1000,
                                  .growth = 1,
                                  .end_s = 0.5 };
    struct sim_sample_fact samples[] = { { 3000, 70, 50 }, { 1000, 90, 50 }, { 2000, 80, 50 }, { 9000, 80, 50 } };
    int64_t run_id;
    sqlite3_stmt *q;

    (void)state;
    snprintf(path, sizeof(path), "%s/sim.db", folder ? folder : "/tmp");
    unlink(path);
    assert_int_equal(store_open(path, &s), NW_OK);
    assert_int_equal(store_run(s, &run, &run_id), NW_OK);
    assert_int_equal(store_sim_case(s, run_id, &fact, samples, 4), NW_OK);
    assert_int_equal(store_sim_case(s, run_id, &fact, samples, 4), NW_EDB); /* once only */
    fact.program = "other";
    fact.growth = 0;
    assert_int_equal(store_sim_case(s, run_id, &fact, samples, 1), NW_OK);
    assert_int_equal(sqlite3_prepare_v2(store_handle(s),
                                        "SELECT reps, median_ms, ns_per_event, peak_MiB * 1048576, end_ms,"
                                        " (SELECT count(*) FROM figure_growth), expected_ms IS NULL"
                                        " FROM sim_bench WHERE program = 'narrows'",
                                        -1, &q, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(q), SQLITE_ROW);
    assert_int_equal(sqlite3_column_int(q, 0), 4);
    assert_true(sqlite3_column_double(q, 1) == 0.0025);
    assert_true(sqlite3_column_double(q, 2) == 2.5);
    assert_true(sqlite3_column_double(q, 3) == 90);
    assert_true(sqlite3_column_double(q, 4) == 500);
    assert_int_equal(sqlite3_column_int(q, 5), 1);
    assert_int_equal(sqlite3_column_int(q, 6), 1);
    assert_int_equal(sqlite3_step(q), SQLITE_DONE);
    sqlite3_finalize(q);
    store_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(rings_end_when_they_should),
                                        cmocka_unit_test(random_flows_are_as_described),
                                        cmocka_unit_test(drawn_buffers_are_placed),
                                        cmocka_unit_test(loops_and_bursts_take_as_long_as_their_links),
                                        cmocka_unit_test(plans_have_as_many_operations_as_their_layers),
                                        cmocka_unit_test(a_search_sees_every_buffer),
                                        cmocka_unit_test(a_played_plan_takes_as_long_as_its_arithmetic),
                                        cmocka_unit_test(a_net_that_is_not_there_is_no_plan),
                                        cmocka_unit_test(a_child_tells_its_own_memory_and_fate),
                                        cmocka_unit_test(a_case_is_stored_and_summed_up) };
    return cmocka_run_group_tests_name("sim_bench", tests, NULL, NULL);
}
