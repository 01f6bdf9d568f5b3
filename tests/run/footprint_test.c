/* footprint_test.c - what a point needs of its GPUs' memory: weights and what belongs to them by hand, activations in
 * proportion to the samples of a GPU; GPUs that a layout leaves idle. */

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/run/point/footprint.h"
#include "harness/run/point/measures.h"
#include "harness/scenario/memory.h"
#include "harness/status.h"
#include "tests/test.h"

static const char text[] =
    "name: x\nbatch: 8\n"
    "model: {name: m, input: {channels: 1, height: 1, width: 8},\n"
    "        layers: [{kind: fc, name: a, units: 8}, {kind: fc, name: b, units: 4}]}\n"
    "platform:\n  name: c\n  machines: 4\n  peak: 8 TFlop/s\n  network: {topology: star, link: eth}\n"
    "  link: {eth: {bandwidth: 8 Gbit/s}, pcie: {bandwidth: 16 GB/s}}\n"
    "  cpu: {cores_per_socket: 4, memory_bandwidth: 50 GB/s}\n"
    "  gpu: {count: 2, peak: 1 TFlop/s, memory_bandwidth: 100 GB/s, memory: 1 kB, link: pcie}\n";

/* 8 x 8 and 8 x 4 weights, 12 biases, fp32. */
enum { PARAMETERS = 4 * (64 + 32 + 12) };

static void measure(const char *method, int64_t batch, struct measures *m)
{
    char whole[2048], why[256] = "", size[32];
    const char *const sets[] = { size, "platform.machines=1" };
    struct scenario_file *f = NULL;
    struct point p;

    snprintf(whole, sizeof(whole), "%smethod: {%s}\n", text, method);
    snprintf(size, sizeof(size), "batch=%lld", (long long)batch);
    struct memory_file file = { "s.yaml", whole, strlen(whole) };
    struct memory_files all = { &file, 1 };
    assert_int_equal(
        scenario_open_memory(&all, "s.yaml", sets, strstr(method, "host-sgd") ? 2 : 1, NULL, 0, stderr, &f), NW_OK);
    assert_int_equal(scenario_point(f, 0, &p), NW_OK);
    if (measures_of(&p.scenario, m, why, sizeof(why)))
        fail_msg("%s: %s", method, why);
    point_free(&p);
    scenario_close(f);
}

static void memory_is_that_of_the_fullest_gpu(void **state)
{
    static const struct {
        const char *method;
        int64_t workers, parameters; /* bytes of them that stay */
    } rows[] = {
        { "kind: allreduce, workers: 4", 4, 3 * PARAMETERS },
        { "kind: parameter-server, workers: 2, servers: 1", 2, 2 * PARAMETERS },
        { "kind: host-sgd", 2, 2 * PARAMETERS },
        /* the first stage has the larger layer, and updates it itself */
        { "kind: model-parallel, stages: 2, cuts: [{after: a}]", 1, 3 * 4 * (64 + 8) },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double bytes[3];

        for (int64_t samples = 1; samples <= 3; samples++) {
            struct measures m;

            measure(rows[i].method, samples * rows[i].workers, &m);
            bytes[samples - 1] = measure_value(&m, "memory_bytes");
            assert_true(measure_value(&m, "memory_limit_bytes") == 1000);
        }
        double each = bytes[1] - bytes[0];
        if (bytes[2] - bytes[1] != each || bytes[0] - each != (double)rows[i].parameters)
            fail_msg("%s: %g, %g and %g bytes for 1, 2 and 3 samples, of parameters %lld", rows[i].method, bytes[0],
                     bytes[1], bytes[2], (long long)rows[i].parameters);
        assert_true(each > 0 || rows[i].workers == 1); /* the images of a first stage are not kept of it */
    }
}

/* A batch that does not divide fills the GPU with the larger share. */
static void the_larger_share_counts(void **state)
{
    struct measures five, eight;

    (void)state;
    measure("kind: allreduce, workers: 4", 5, &five);
    measure("kind: allreduce, workers: 4", 8, &eight);
    assert_true(measure_value(&five, "memory_bytes") == measure_value(&eight, "memory_bytes"));
}

static void idle_gpus_are_counted(void **state)
{
    static const struct {
        const char *method;
        double idle;
    } rows[] = { { "kind: allreduce, workers: 8, workers_per_machine: 2", 0 },
                 { "kind: allreduce, workers: 4", 4 },
                 { "kind: parameter-server, workers: 3, servers: 1", 5 },
                 { "kind: host-sgd", 0 },
                 { "kind: model-parallel, stages: 2", 6 } };
    struct measures m;

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        measure(rows[i].method, 8, &m);
        if (measure_value(&m, "idle_gpus") != rows[i].idle ||
            measure_value(&m, "gpus") != (strstr(rows[i].method, "host") ? 2 : 8))
            fail_msg("%s: %g of %g", rows[i].method, measure_value(&m, "idle_gpus"), measure_value(&m, "gpus"));
    }
    for (size_t i = 0; footprint_readings[i]; i++)
        assert_true(measure_known(footprint_readings[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(memory_is_that_of_the_fullest_gpu),
                                        cmocka_unit_test(the_larger_share_counts),
                                        cmocka_unit_test(idle_gpus_are_counted) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
