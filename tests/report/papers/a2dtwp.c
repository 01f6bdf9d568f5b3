#include "tests/report/papers/a2dtwp.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/store/store.h"
#include "harness/store/trace.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { SEEDS = 2, STEPS = 24, EVERY = 2, EVALUATIONS = STEPS / EVERY, WEIGHTS = 1000, BIASES = 8 };

/* What a policy sends of a weight, how long its step takes on each machine, and by how many points its error falls at
 * each evaluation, until it is near 5. With 8 bits all steps take less time than any other format needs to the error,
 * which only the first seed reaches. */
static const struct policy {
    const char *variant;
    double bytes_per_weight, x86_s, power_s, from_pct, falls_pct;
} policies[] = {
    { "32-bit FP", 4, 0.20, 0.08, 50, 5 }, { "A2DTWP", 1.5, 0.16, 0.055, 51, 5 }, { "8-bit", 1, 0.06, 0.02, 50, 5 },
    { "16-bit", 2, 0.15, 0.06, 50, 5.25 }, { "24-bit", 3, 0.18, 0.07, 50, 5 },
};

static const struct trace_tensor_fact tensors[] = { { "conv1.weights", WEIGHTS / 4, 1 },
                                                    { "fc1.weights", WEIGHTS - WEIGHTS / 4, 1 },
                                                    { "fc1.biases", BIASES, 0 } };

struct traced_rows {
    struct trace_step_fact steps[STEPS];
    struct trace_evaluation_fact evaluations[EVALUATIONS];
    struct timing_step_fact clock[STEPS];
};

static double error_pct(const struct policy *p, const struct a2dtwp_trained *how, int seed, int evaluation)
{
    bool awp = !strcmp(p->variant, "A2DTWP"), never = awp ? how->never : !strcmp(p->variant, "8-bit");
    double falls = never && seed == 2 ? 0.25 : p->falls_pct;

    return fmax(p->from_pct + 0.5 * seed - falls * (evaluation + 1), awp ? 6 : 5) + (awp ? how->farther : 0);
}

static void store_timings(struct store *s, int64_t run, const char *point, const struct policy *p, int batch,
                          double dearer, struct traced_rows *r)
{
    static const char *const labels[2][3] = { { "x86-k80, 64", "power9-v100, 64", "x86-k80, 1000 classes" },
                                              { "x86-k80, 16", "power9-v100, 16", "x86-k80, 1000 classes" } };

    for (size_t k = 0; k < COUNT(labels[0]); k++) {
        char key[33], text[128];
        struct timing_fact t = { key, point, labels[batch == 16][k], "a-simulation", r->clock, STEPS };

        for (int i = 0; i < STEPS; i++)
            r->clock[i] = (struct timing_step_fact){ i + 1, dearer * (k == 1 ? p->power_s : p->x86_s) * (i + 1) };
        snprintf(text, sizeof(text), "%s %s", point, labels[batch == 16][k]);
        synthetic_key(key, text);
        assert_int_equal(store_timing(s, run, &t), 0);
    }
}

/* AWP's weights are a quarter of a byte shorter than in the mean, and from half of the steps on as much longer. */
static int64_t pulled_bytes(bool awp, double bytes_per_weight, int step)
{
    double longer = !awp ? 0 : step < STEPS / 2 ? -0.25 : 0.25;

    return (int64_t)((bytes_per_weight + longer) * WEIGHTS) + 4 * BIASES;
}

static void store_one(struct store *s, int64_t run, const char *scenario, const struct policy *p, int batch, int seed,
                      size_t index, const struct a2dtwp_trained *how)
{
    static const struct trace_bits_fact bits[] = { { 0, 0, 8 }, { 9, 0, 16 }, { 0, 1, 8 }, { 15, 1, 16 } };
    bool awp = !strcmp(p->variant, "A2DTWP");
    double dearer = awp ? 1 + how->dearer : 1, bytes = dearer * p->bytes_per_weight;
    struct measure_fact m[] = { { "bytes_per_weight", bytes, "B" }, { "norm_change", -2.5e-4, "" } };
    char key[33], text[128];
    struct traced_rows traced_rows;
    struct training_fact t = { .model = "an-alexnet", .data = "generated images", .metric = "", .seed = seed };
    struct point_fact f = { .key = key,
                            .variant = p->variant,
                            .index = index,
                            .combination = (size_t)seed - 1,
                            .measures = m,
                            .nmeasures = COUNT(m),
                            .training = &t };

    for (int i = 0; i < STEPS; i++)
        traced_rows.steps[i] = (struct trace_step_fact){ .samples = 64,
                                                         .loss = 3 - 0.05 * i,
                                                         .learning_rate = 0.01,
                                                         .precision = TRACE_FP32,
                                                         .precision_share = 1,
                                                         .pushed_bytes = 4 * (WEIGHTS + BIASES),
                                                         .pulled_bytes = pulled_bytes(awp, bytes, i),
                                                         .ema = NAN };
    for (int i = 0; i < EVALUATIONS; i++)
        traced_rows.evaluations[i] = (struct trace_evaluation_fact){ (i + 1) * EVERY,
                                                                     100,
                                                                     2,
                                                                     0.5 - 0.01 * error_pct(p, how, seed, i) / 2,
                                                                     1 - 0.01 * error_pct(p, how, seed, i),
                                                                     0 };
    t.workers = 1, t.batch = batch;
    t.tensors = tensors, t.ntensors = COUNT(tensors);
    t.steps = traced_rows.steps, t.nsteps = STEPS;
    t.bits = bits, t.nbits = awp ? COUNT(bits) : 0;
    t.evaluations = traced_rows.evaluations, t.nevaluations = EVALUATIONS;
    snprintf(text, sizeof(text), "%s %s %d %d", scenario, p->variant, seed, batch);
    synthetic_key(key, text);
    assert_int_equal(store_point(s, run, &f), 0);
    store_timings(s, run, key, p, batch, dearer, &traced_rows);
}

static void run_all(struct store *s, const char *scenario, size_t npolicies, int seeds,
                    const struct a2dtwp_trained *how)
{
    int64_t id = synthetic_run(s, scenario, "32-bit FP", "");
    size_t index = 0;

    for (int batch = 64; batch >= (how->batches ? 16 : 64); batch -= 48)
        for (int seed = 1; seed <= seeds; seed++)
            for (size_t i = 0; i < npolicies; i++)
                store_one(s, id, scenario, &policies[i], batch, seed, index++, how);
}

void a2dtwp_trained(struct store *s, const struct a2dtwp_trained *how)
{
    run_all(s, "a2dtwp-quick", COUNT(policies), 1, how);
    if (how->quick)
        return;
    run_all(s, "a2dtwp-alexnet", COUNT(policies), SEEDS, how);
    if (how->paper)
        run_all(s, "a2dtwp-paper-alexnet", COUNT(policies), SEEDS, how);
    run_all(s, "a2dtwp-monitor", 1, 1, how);
    run_all(s, "a2dtwp-recipe", 2, SEEDS, how);
}
