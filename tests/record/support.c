#include "tests/record/support.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "harness/store/trace.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { STEPS = 40 };

static const struct trace_tensor_fact tensors[] = { { "conv1", 1000, 1 }, { "fc.bias", 10, 0 } };
static const struct trace_bits_fact bits[] = { { 0, 0, 8 }, { 3, 0, 9 }, { 0, 1, 32 } };
static const char *const cuts[] = { "relu1", "relu2" };
static const struct trace_threshold_fact thresholds[] = { { 0, 0, 0.75, 0.5 },
                                                          { 0, 1, 0.75, 0.1 },
                                                          { 2, 1, 0.9, NAN } };
static const struct trace_exchange_fact exchanges[] = { { 0, 0, TRACE_PUSH, 1000, 1500, 1.0 / 3 },
                                                        { 0, 0, TRACE_PULL, 500, 900, 0.25 },
                                                        { 0, 1, TRACE_PUSH, 80, -1, NAN },
                                                        { 2, 0, TRACE_PUSH, 600, 1700, 0.7 } };

struct store *record_open(const char *name)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path(name), &s), 0);
    return s;
}

static void train(struct store *s, int64_t run, size_t position, double pct)
{
    struct trace_step_fact steps[STEPS];
    const struct trace_evaluation_fact evaluations[] = { { 0, 10, 9, 0.1, 0.5, NAN },
                                                         { STEPS, 10, 1.0 / 3, pct / 100, NAN, 0.625 } };
    const struct training_fact t = { .model = "m",
                                     .data = "d",
                                     .metric = "AUC",
                                     .seed = (int64_t)position + 1,
                                     .workers = 2,
                                     .batch = 32,
                                     .tensors = tensors,
                                     .ntensors = 2,
                                     .steps = steps,
                                     .nsteps = STEPS,
                                     .exchanges = exchanges,
                                     .nexchanges = 4,
                                     .bits = bits,
                                     .nbits = 3,
                                     .evaluations = evaluations,
                                     .nevaluations = 2,
                                     .cuts = cuts,
                                     .thresholds = thresholds,
                                     .nthresholds = 3 };
    char key[33], timing[33], text[64], seed[16];
    const struct param_fact param = { "training.seed", seed, (double)position + 1, "" };
    const struct measure_fact measures[] = { { "accuracy", pct, "%" },
                                             { "steps", STEPS, "" },
                                             { "error", 1.0 / 3, "" } };
    const struct cell_fact cell = { "3lc", "1", "3LC (s=1.00)", "Accuracy", "accuracy" };
    const struct point_fact p = { .key = key,
                                  .variant = "3LC (s=1.00)",
                                  .index = position,
                                  .combination = position,
                                  .params = &param,
                                  .nparams = 1,
                                  .measures = measures,
                                  .nmeasures = 3,
                                  .cells = &cell,
                                  .ncells = 1,
                                  .training = &t };
    const struct timing_step_fact times[] = { { STEPS / 2, 1.0 / 7 }, { STEPS, 2.0 / 7 } };
    const struct timing_fact time = { timing, key, "10 Mbit/s", "3lc-table-1", times, 2 };

    for (int i = 0; i < STEPS; i++)
        steps[i] = (struct trace_step_fact){ i / 10,
                                             64,
                                             i == 7 ? INFINITY : 2.3 * exp(-0.1 * i) * (1 + 0.05 * sin(i * pct)),
                                             0.1,
                                             i < 20 ? TRACE_FP32 : TRACE_BF16,
                                             i < 20 ? NAN : 0.75,
                                             1080 + i * i % 17,
                                             580 - i,
                                             i < 5 ? NAN : 1.0 / (i + 1) };
    snprintf(seed, sizeof(seed), "%zu", position + 1);
    snprintf(text, sizeof(text), "%s %lld %zu", seed, (long long)run, position);
    synthetic_key(key, text);
    synthetic_key(timing, seed);
    snprintf(text, sizeof(text), "timing %s", key);
    synthetic_key(timing, text);
    assert_int_equal(store_point(s, run, &p), 0);
    assert_int_equal(store_timing(s, run, &time), 0);
}

int64_t record_train(struct store *s, const double *pct, size_t n, bool ends)
{
    const struct run_fact fact = { .command = "narrows run /home/me/x/a.yaml --db=/tmp/a b.db",
                                   .scenario = SCENARIO,
                                   .title = "made up",
                                   .file = "/home/me/narrows/scenarios/training/3lc/small/table-1.yaml",
                                   .commit = "abc1234",
                                   .build = "gcc",
                                   .machine = "another machine",
                                   .npoints = n };
    int64_t run = 0;

    assert_int_equal(store_run(s, &fact, &run), 0);
    for (size_t i = 0; i < n; i++)
        train(s, run, i, pct[i]);
    if (ends)
        assert_int_equal(store_run_finished(s, run), 0);
    return run;
}

const char *record_write(struct store *s, int64_t run, const char *name)
{
    static const struct record_sources sources = { TRAINER, SIMULATOR };
    static char path[512];
    struct record_counts counts;

    snprintf(path, sizeof(path), "%s", support_path(name));
    assert_int_equal(record_export(s, &run, 1, &sources, path, &counts), 0);
    return path;
}
