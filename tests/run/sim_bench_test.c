/* What the bench of the simulator times, at sizes that take no time: right ends, right counts, a process of its own. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "harness/bench/sim/case.h"
#include "harness/status.h"
#include "harness/store/sim_case.h"
#include "harness/store/store.h"

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

/* No end is earlier than the most that one link has to carry allows, and a burst of one flow a host is such a loop. */
static void loops_and_bursts_take_as_long_as_their_links(void **state)
{
    struct sim_case one = { .kind = "loop", .size = 1000 }, three = { .kind = "loop", .size = 3000 };
    struct sim_result loop = { 0 }, burst = { 0 };
    double leaving[STAR_HOSTS] = { 0 }, arriving[STAR_HOSTS] = { 0 }, most = 0;
    struct star_flow *flows = star_flows(3000);

    (void)state;
    assert_int_equal(run_loop(&one, &loop), NW_OK);
    assert_int_equal(run_burst(&one, &burst), NW_OK);
    assert_true(loop.end_s == burst.end_s && loop.events == 1000);
    assert_int_equal(run_loop(&three, &loop), NW_OK);
    assert_int_equal(run_burst(&three, &burst), NW_OK);
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
                                        cmocka_unit_test(loops_and_bursts_take_as_long_as_their_links),
                                        cmocka_unit_test(a_child_tells_its_own_memory_and_fate),
                                        cmocka_unit_test(a_case_is_stored_and_summed_up) };
    return cmocka_run_group_tests_name("sim_bench", tests, NULL, NULL);
}
