/* The fabric, driven through the engine, against closed forms and against the brute-force reference. */
#include "tests/sim/test.h"

#include <math.h>
#include <stdio.h>

#include "sim/engine.h"
#include "sim/status.h"
#include "tests/sim/maxmin_reference.h"

static double end_s(const struct engine *e, int task)
{
    int64_t start_ps, end_ps;

    engine_task(e, task, &start_ps, &end_ps);
    return (double)end_ps / 1e12;
}

/* A flow that starts at start_s: a transfer whose latency is the wait. */
static int flow_at(struct engine *e, double start_s, const int *path, int npath, double bytes)
{
    uint32_t channels[REF_MAX_PATH];

    for (int i = 0; i < npath; i++)
        channels[i] = (uint32_t)path[i];
    return engine_transfer(e, ENGINE_NO_RESOURCE, channels, (size_t)npath, (int64_t)bytes,
                           (int64_t)llround(start_s * 1e12), 0);
}

static void one_link_closed_forms(void **state)
{
    /* Two flows of 10 and 30 MB on 1 GB/s: the first ends at 20 ms, the second at 40; a third alone on its link. */
    struct engine *e = engine_new();
    int shared = engine_channel(e, 1e9), own = engine_channel(e, 2e9);
    int a = flow_at(e, 0, &shared, 1, 10e6), b = flow_at(e, 0, &shared, 1, 30e6), c = flow_at(e, 0, &own, 1, 30e6);
    int empty = flow_at(e, 0.001, &shared, 1, 0);

    (void)state;
    assert_int_equal(engine_run(e), SIM_OK);
    assert_true(fabs(end_s(e, a) - 0.020) < 1e-11);
    assert_true(fabs(end_s(e, b) - 0.040) < 1e-11);
    assert_true(fabs(end_s(e, c) - 0.015) < 1e-11);
    assert_true(fabs(end_s(e, empty) - 0.001) < 1e-11);
    assert_true(engine_channel_state(e, shared)->sent_bytes == 40000000);
    engine_free(e);
}

/* Flows that start at one instant over several links: re-solving only a changed flow's first link lets D->C run at a rate
 * that its second link does not have (8.010 instead of 15.010 ms, and C's link 50 % over its capacity). */
static void every_link_of_every_changed_flow(void **state)
{
    struct engine *e = engine_new();
    enum { A_UP, D_UP, B_DOWN, C_DOWN, LINKS };
    int link[LINKS];
    double capacity[LINKS];
    struct ref_flow ref[] = {
        { .path = { A_UP, B_DOWN }, .npath = 2, .bytes = 10e6, .start_s = 1e-5 },
        { .path = { A_UP, C_DOWN }, .npath = 2, .bytes = 10e6, .start_s = 1e-5 },
        { .path = { D_UP, C_DOWN }, .npath = 2, .bytes = 10e6, .start_s = 1e-5 },
    };

    (void)state;
    for (int i = 0; i < LINKS; i++)
        link[i] = engine_channel(e, capacity[i] = 1.25e9);
    int task[COUNT(ref)];
    for (size_t i = 0; i < COUNT(ref); i++)
        task[i] = flow_at(e, ref[i].start_s, (int[]){ link[ref[i].path[0]], link[ref[i].path[1]] }, 2, ref[i].bytes);
    assert_int_equal(engine_run(e), SIM_OK);
    ref_run(capacity, LINKS, ref, COUNT(ref));
    for (size_t i = 0; i < COUNT(ref); i++)
        assert_true(fabs(end_s(e, task[i]) - ref[i].end_s) < 1e-11);
    assert_true(fabs(ref[2].end_s - 0.016010) < 1e-9); /* half of C's link throughout */
    engine_free(e);
}

static void random_networks_match_the_definition(void **state)
{
    double worst = 0;

    (void)state;
    for (uint64_t trial = 1; trial <= 200; trial++) {
        uint64_t seed = trial;
        struct engine *e = engine_new();
        int nchannels = 2 + (int)(draw(&seed) % 20), nflows = 1 + (int)(draw(&seed) % 60);
        double capacity[REF_MAX_CHANNELS];
        struct ref_flow ref[REF_MAX_FLOWS] = { 0 };
        int task[REF_MAX_FLOWS];
        for (int c = 0; c < nchannels; c++)
            engine_channel(e, capacity[c] = 1e8 * (double)(1 + draw(&seed) % 100));
        for (int f = 0; f < nflows; f++) {
            int wanted = 1 + (int)(draw(&seed) % REF_MAX_PATH);
            for (int i = 0; i < wanted; i++) {
                int channel = (int)(draw(&seed) % (uint64_t)nchannels), twice = 0;
                for (int k = 0; k < ref[f].npath; k++)
                    twice |= ref[f].path[k] == channel;
                if (!twice)
                    ref[f].path[ref[f].npath++] = channel;
            }
            ref[f].bytes = (double)(1 + draw(&seed) % 10000000);
            /* Half of them at one instant, the rest spread. */
            ref[f].start_s = draw(&seed) % 2 ? 0 : (double)(draw(&seed) % 1000) * 1e-5;
            task[f] = flow_at(e, ref[f].start_s, ref[f].path, ref[f].npath, ref[f].bytes);
        }
        assert_int_equal(engine_run(e), SIM_OK);
        ref_run(capacity, nchannels, ref, nflows);
        for (int f = 0; f < nflows; f++) {
            double off = fabs(end_s(e, task[f]) / ref[f].end_s - 1);
            if (off > 1e-6)
                fail_msg("trial %d flow %d: %.12f s, reference %.12f s", (int)trial, f, end_s(e, task[f]),
                         ref[f].end_s);
            worst = fmax(worst, off);
        }
        engine_free(e);
    }
    printf("worst deviation of a flow's end: %.1e\n", worst);
}

static void refuses_nonsense(void **state)
{
    struct fabric f = { 0 };
    uint32_t path[] = { 0 };

    (void)state;
    assert_int_equal(fabric_channel(&f, 0), SIM_EINVAL);
    assert_int_equal(fabric_channel(&f, -1), SIM_EINVAL);
    assert_int_equal(fabric_channel(&f, NAN), SIM_EINVAL);
    assert_int_equal(fabric_channel(&f, INFINITY), SIM_EINVAL);
    assert_int_equal(fabric_flow(&f, path, 1, 10), SIM_EINVAL); /* no such channel yet */
    assert_int_equal(fabric_channel(&f, 1), 0);
    assert_int_equal(fabric_flow(&f, path, 1, -1), SIM_EINVAL);
    assert_int_equal(fabric_flow(&f, path, 0, 1), SIM_EINVAL);
    assert_int_equal(fabric_flow(&f, path, 1, 10), 0);
    fabric_clear(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_link_closed_forms),
        cmocka_unit_test(every_link_of_every_changed_flow),
        cmocka_unit_test(random_networks_match_the_definition),
        cmocka_unit_test(refuses_nonsense),
    };
    return cmocka_run_group_tests_name("fabric", tests, NULL, NULL);
}
