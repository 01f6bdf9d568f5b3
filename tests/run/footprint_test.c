/* footprint_test.c - what a point needs of its GPUs' memory: weights and what belongs to them by hand, activations in
 * proportion to the samples of a GPU, all of it as a memory plan has it; GPUs that a layout leaves idle. */

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

static double class_bytes(const struct measures *m, const char *name)
{
    char reading[64];

    snprintf(reading, sizeof(reading), "memory.%s", name);
    double bytes = measure_value(m, reading);
    return isnan(bytes) ? 0 : bytes;
}

static double sum_of_classes(const struct measures *m)
{
    double sum = 0;

    for (int c = 0; c < FOOTPRINT_CLASSES; c++)
        sum += class_bytes(m, footprint_class_name((enum footprint_class)c));
    return sum;
}

static void memory_is_that_of_the_fullest_gpu(void **state)
{
    /* Of so many samples every tensor is a multiple of what tensors are aligned to. */
    enum { SAMPLES = 16 };
    static const struct {
        const char *method;
        int64_t workers, weights; /* bytes of them */
        int updates;
    } rows[] = {
        { "kind: allreduce, workers: 4", 4, PARAMETERS, 1 },
        { "kind: parameter-server, workers: 2, servers: 1", 2, PARAMETERS, 0 },
        { "kind: parameter-server, workers: 2, servers: 1, barrier: step, updates_on_workers: true", 2, PARAMETERS, 1 },
        { "kind: host-sgd", 2, PARAMETERS, 0 },
        /* the first stage has the larger layer, and updates it itself */
        { "kind: model-parallel, stages: 2, cuts: [{after: a}]", 1, 4 * (64 + 8), 1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double bytes[3];

        for (int64_t k = 1; k <= 3; k++) {
            struct measures m;

            measure(rows[i].method, SAMPLES * k * rows[i].workers, &m);
            bytes[k - 1] = measure_value(&m, "memory_bytes");
            assert_true(measure_value(&m, "memory_limit_bytes") == 1000);
            if (class_bytes(&m, "weights") != (double)rows[i].weights ||
                class_bytes(&m, "gradients") != (double)rows[i].weights ||
                class_bytes(&m, "states") != (double)(rows[i].updates * rows[i].weights))
                fail_msg("%s: %g bytes of weights, %g of gradients, %g of states, expected %lld", rows[i].method,
                         class_bytes(&m, "weights"), class_bytes(&m, "gradients"), class_bytes(&m, "states"),
                         (long long)rows[i].weights);
            assert_true(sum_of_classes(&m) == bytes[k - 1]);
        }
        double each = bytes[1] - bytes[0], parameters = (double)((2 + rows[i].updates) * rows[i].weights);
        if (bytes[2] - bytes[1] != each || bytes[0] - each != parameters)
            fail_msg("%s: %g, %g and %g bytes for 1, 2 and 3 times %d samples, of parameters %g", rows[i].method,
                     bytes[0], bytes[1], bytes[2], SAMPLES, parameters);
        assert_true(each > 0 || rows[i].workers == 1); /* the images of a first stage are not kept of it */
    }
}

static void measure_file(const char *path, const char *model, int batch, struct measures *m)
{
    char why[256] = "", model_set[64], batch_set[32];
    const char *const sets[] = { model_set, batch_set };
    struct scenario_file *f = NULL;
    struct point p;

    snprintf(model_set, sizeof(model_set), "model=%s", model);
    snprintf(batch_set, sizeof(batch_set), "batch=%d", batch);
    assert_int_equal(scenario_open(path, sets, COUNT(sets), NULL, 0, stderr, &f), NW_OK);
    assert_int_equal(scenario_point(f, 0, &p), NW_OK);
    if (measures_of(&p.scenario, m, why, sizeof(why)))
        fail_msg("%s of %s: %s", path, model, why);
    point_free(&p);
    scenario_close(f);
}

/* To the byte, with the workspace of convolutions and attentions, the statistics of norms and the alignment of buffers
 * that the plan has by default. */
static void a_replica_needs_what_a_plan_that_keeps_everything_needs(void **state)
{
    static const char *const models[] = { "vgg-19",   "resnet-50",         "resnet-110-cifar", "bert-base",
                                          "vit-b-16", "transformer-iwslt", "inception-v3",     "mobilenet-v2" };
    static const int batches[] = { 16, 3 };
    int placed = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(models); i++)
        for (size_t k = 0; k < COUNT(batches); k++) {
            struct measures plan, replica;

            measure_file("tests/run/data/keep-all.yaml", models[i], batches[k], &plan);
            measure_file("tests/run/data/replica.yaml", models[i], batches[k], &replica);
            double planned = measure_value(&plan, "live_bytes") + measure_value(&plan, "parameter_bytes");
            double bytes = measure_value(&replica, "memory_bytes"), device = measure_value(&plan, "device_bytes");
            if (bytes != planned || sum_of_classes(&replica) != bytes)
                fail_msg("%s, batch %d: %.0f bytes, by class %.0f, planned %.0f", models[i], batches[k], bytes,
                         sum_of_classes(&replica), planned);
            placed += device == bytes;
            if (device != bytes && !(measure_value(&plan, "gap_pct") > 0))
                fail_msg("%s, batch %d: %.0f bytes, %.0f of the device", models[i], batches[k], bytes, device);
        }
    assert_true(placed > 0);
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
        assert_true(footprint_readings[i][strlen(footprint_readings[i]) - 1] == '.' ||
                    measure_known(footprint_readings[i]));
    assert_true(measure_known("memory.statistics"));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(memory_is_that_of_the_fullest_gpu),
                                        cmocka_unit_test(a_replica_needs_what_a_plan_that_keeps_everything_needs),
                                        cmocka_unit_test(the_larger_share_counts),
                                        cmocka_unit_test(idle_gpus_are_counted) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
