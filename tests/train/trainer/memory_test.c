/* What a training takes of memory, against the memory planner's keep-all plan of the same network and batch: counted,
 * and as the process grows. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/scenario/scenario.h"
#include "sim/plan/plan.h"
#include "tests/sanitized.h"
#include "tests/test.h"
#include "tests/train/trainer/fixture_source.h"
#include "train/trainer/trainer.h"

/* oneDNN compiles code for each shape: some MB, whatever the batch. */
enum { COMPILED = 4 << 20 };

static const struct {
    const char *model;
    int64_t batch;
} cases[] = { { "resnet-20-cifar", 32 }, { "resnet-18-cifar", 8 }, { "vgg-19-cifar", 8 } };

static char *path_of(const char *folder, const char *name)
{
    static char path[512];

    snprintf(path, sizeof(path), "%s/scenarios/%s/%s.yaml", getenv("NARROWS_HOME"), folder, name);
    return path;
}

static struct model model_of(const char *name)
{
    struct model_spec *spec;
    struct model m;
    char why[256];

    assert_int_equal(scenario_load_model(path_of("models", name), stderr, &spec), 0);
    if (model_infer(spec, &m, why, sizeof(why)))
        fail_msg("%s: %s", name, why);
    scenario_free_model(spec);
    return m;
}

/* Weights, gradients, momentum; ReLUs in place; nothing leaves. */
static int64_t planned_bytes(const struct model *m, int64_t batch)
{
    struct timing *timing;
    struct platform *platform;
    struct memory_plan_options o = { .split = { .rows = 1, .columns = 1 },
                                     .generated = GENERATED_STORED,
                                     .in_place = 1,
                                     .share_sums = 1,
                                     .schedule = SCHEDULE_KEEP_ALL,
                                     .placement = PLACEMENT_EXACT,
                                     .alignment = 256,
                                     .parameter_copies = 3,
                                     .usable = 1 };
    struct memory_plan plan;
    char why[256] = "";

    assert_int_equal(scenario_load_timing(path_of("timings", "p100-winograd"), stderr, &timing), 0);
    assert_int_equal(scenario_load_platform(path_of("platforms", "power8-p100"), stderr, &platform), 0);
    o.timing = *timing;
    if (memory_plan_make(m, platform, &o, batch, &plan, why, sizeof(why)))
        fail_msg("%s: %s", m->name, why);
    int64_t bytes = plan.device_bytes;
    memory_plan_free(&plan);
    scenario_free_timing(timing);
    scenario_free_platform(platform);
    return bytes;
}

/* Resident now, or its peak since it was reset. */
static int64_t resident(const char *which)
{
    FILE *f = fopen("/proc/self/status", "r");
    long long kB = -1;

    assert_non_null(f);
    for (char line[256]; fgets(line, sizeof(line), f);)
        if (!strncmp(line, which, strlen(which)))
            sscanf(line + strlen(which), ": %lld", &kB);
    fclose(f);
    return kB * 1024;
}

static bool reset_peak(void)
{
    FILE *f = fopen("/proc/self/clear_refs", "w");
    bool done = f && fputs("5", f) >= 0;

    return f && fclose(f) == 0 && done;
}

static void takes_what_was_planned(const char *name, int64_t batch)
{
    struct model m = model_of(name);
    struct data_source data = fixture_source(&m);
    struct trainer_options o = { .workers = 1,
                                 .batch = batch,
                                 .evaluation_batch = batch,
                                 .momentum = 0.9,
                                 .rate = { .from = 0.001 },
                                 .backend = ops_backend_find(""),
                                 .threads = 1 };
    double planned = (double)planned_bytes(&m, batch);
    int64_t before = resident("VmRSS");
    bool watched = reset_peak() && !SANITIZED;
    struct step_report r;
    struct trainer *t;
    char why[512];

    data.count[DATA_TRAIN] = batch;
    if (trainer_open(&o, &m, &data, &t, why, sizeof(why)))
        fail_msg("%s: %s", name, why);
    for (int i = 0; i < 2; i++)
        assert_int_equal(trainer_step(t, &r), 0);
    struct trainer_memory took = trainer_memory(t);
    double counted = (double)(took.activations + took.parameters);
    double grown = (double)(resident("VmHWM") - before);
    print_message("%s, batch %lld: planned %.1f MB; counted %.2f, resident %.2f of it\n", name, (long long)batch,
                  planned / 1e6, counted / planned, grown / planned);
    if (counted > 1.2 * planned)
        fail_msg("%s: counted %.1f MB, planned %.1f MB", name, counted / 1e6, planned / 1e6);
    if (watched && grown > 1.2 * planned + COMPILED)
        fail_msg("%s: the process grew by %.1f MB, planned %.1f MB", name, grown / 1e6, planned / 1e6);
    trainer_close(t);
    model_free(&m);
}

/* What libraries take for themselves once is no part of a network: it is there before the first is measured. */
static void wake_libraries(void)
{
    const struct ops_backend *b = ops_backend_find("");
    struct conv_shape s = { 1, 16, 4, 4, 16, 4, 4, 3, 1, 1, 1, 1, 1, 1 };
    static float x[16 * 16], w[16 * 16 * 9], y[16 * 16];
    char why[256];
    struct ops *o = b->open(why, sizeof(why));

    assert_non_null(o);
    assert_int_equal(b->conv_forward(o, &s, x, w, NULL, y, NULL, 0, NULL), 0);
    assert_int_equal(b->conv_backward_data(o, &s, y, w, x, NULL, 0, NULL), 0);
    assert_int_equal(b->conv_backward_weights(o, &s, x, y, w, NULL, NULL, 0, NULL), 0);
    b->close(o);
}

static void within_a_fifth_of_the_plan(void **state)
{
    (void)state;
    wake_libraries();
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        takes_what_was_planned(cases[i].model, cases[i].batch);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(within_a_fifth_of_the_plan) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
