#include "tests/report/papers/threelc.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <sqlite3.h>

#include "harness/store/trace.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { STANDARD = 8, WORKERS = 10, CODED = 1000, PLAIN = 24 };

/* At 100 % of the steps. bits: of a value, 32 without a codec. */
static const struct design {
    const char *name;
    double accuracy, loss, bits, step_s;
} designs[] = {
    { "32-bit float", 80, 0.5, 32, 32 },
    { "8-bit int", 79.75, 0.5, 8, 9 },
    { "Stoch 3-value + QE", 70, 0.75, 1.6, 2.5 },
    { "MQE 1-bit int", 78, 0.625, 1, 2.25 },
    { "25% sparsification", 79, 0.5, 9, 10 },
    { "5% sparsification", 76, 0.75, 2.6, 3.5 },
    { "2 local steps", 75, 0.875, 16, 16 },
    { "3LC (s=1.00)", 79.875, 0.53125, 0.8, 2 },
    { "3LC (s=1.50)", 79.625, 0.5625, 0.5, 1.625 },
    { "3LC (s=1.75)", 79.5, 0.5625, 0.375, 1.5 },
    { "3LC (s=1.90)", 77, 0.625, 0.25, 1.375 },
    { "3LC (no ZRE)", 79.875, 0.53125, 1.6, 2.5 },
};

struct one {
    struct store *s;
    const struct threelc_trained *how;
    int64_t run;
    const char *scenario;
    struct design design;
    int steps, seed;
    size_t index;
};

/* Less after fewer steps, the more so the fewer bits there are. */
static double accuracy_of(const struct one *o)
{
    double missing = 1 - (double)o->steps / STANDARD;

    return o->design.accuracy - missing * (40 + 8 / fmax(0.25, fmin(1, o->design.bits))) + 0.5 * (o->seed - 2);
}

static void steps_of(const struct one *o, struct trace_step_fact *steps)
{
    for (int i = 0; i < o->steps; i++) {
        double later = i >= (o->how->overtake > 0 ? o->how->overtake : 0.7) * o->steps ? 1.25 : 0.75;
        double pushed = CODED * o->design.bits / 8 * (strncmp(o->design.name, "3LC (s", 6) ? 1 : later);

        steps[i] =
            (struct trace_step_fact){ .samples = 40,
                                      .loss = o->design.loss + 0.125 * (STANDARD - i) + 0.015625 * o->seed,
                                      .learning_rate = 0.1,
                                      .precision_share = NAN,
                                      .pushed_bytes = (int64_t)(WORKERS * (pushed + 4 * PLAIN)),
                                      .pulled_bytes = (int64_t)(WORKERS * (CODED * o->design.bits / 8 + 4 * PLAIN)) };
    }
    if (o->how->lossy && !strcmp(o->design.name, "3LC (no ZRE)"))
        steps[0].loss += 0.25;
}

static void time_it(const struct one *o, const char *point)
{
    static const struct {
        const char *label;
        double part; /* of the time at 10 Mbit/s that bits take */
    } links[] = { { "10 Mbit/s", 1 }, { "100 Mbit/s", 0.125 }, { "1 Gbit/s", 0.015625 } };

    for (size_t i = 0; i < COUNT(links); i++) {
        struct timing_step_fact done = { o->steps, o->steps * (0.5 + o->design.step_s * links[i].part) };
        char key[33], text[128];

        snprintf(text, sizeof(text), "%s %s", point, links[i].label);
        synthetic_key(key, text);
        struct timing_fact fact = { key, point, links[i].label, "3lc-table-1", &done, 1 };
        assert_int_equal(store_timing(o->s, o->run, &fact), 0);
    }
}

/* The cells that the whole training runs cover. */
static size_t cells_of(const struct one *o, struct cell_fact cells[3])
{
    const char *s = strstr(o->design.name, "(s=");
    static char row[8];

    if (strcmp(o->scenario, "3lc-small-table-1") != 0)
        return 0;
    cells[0] = (struct cell_fact){ "3lc", "1", o->design.name, "Accuracy", "accuracy" };
    if (!s)
        return 1;
    snprintf(row, sizeof(row), "%.4s", s + 3);
    cells[1] = (struct cell_fact){ "3lc", "2", row, "ratio", "compression_ratio" };
    cells[2] = (struct cell_fact){ "3lc", "2", row, "bits", "bits_per_value" };
    return 3;
}

static void put(const struct one *o)
{
    static const struct trace_tensor_fact tensors[2][2] = { { { "weights", CODED, 0 }, { "biases", PLAIN, 0 } },
                                                            { { "weights", CODED, 1 }, { "biases", PLAIN, 0 } } };
    struct trace_step_fact steps[STANDARD];
    double accuracy = accuracy_of(o), half = accuracy / 2;
    struct trace_evaluation_fact evaluations[] = { { o->steps / 4, 1024, 1, half / 200, 1, NAN },
                                                   { o->steps / 2, 1024, 1, half / 100, 1, NAN },
                                                   { o->steps, 1024, 0.5, accuracy / 100, 1, NAN } };
    struct measure_fact measures[] = { { "accuracy", accuracy, "%" },
                                       { "loss", o->design.loss + 0.015625 * o->seed, "" },
                                       { "test_loss", o->design.loss + 0.25, "" },
                                       { "compression_ratio", 32 / o->design.bits, "x" },
                                       { "bits_per_value", o->design.bits, "bit" } };
    struct training_fact training = { .model = "resnet-8",
                                      .data = "made images",
                                      .metric = "",
                                      .seed = o->seed,
                                      .workers = WORKERS,
                                      .batch = 4,
                                      .tensors = tensors[o->design.bits < 32],
                                      .ntensors = 2,
                                      .steps = steps,
                                      .nsteps = (size_t)o->steps,
                                      .evaluations = evaluations,
                                      .nevaluations = COUNT(evaluations) };
    char key[33], text[128], number[2][8];
    struct cell_fact cells[3];
    struct param_fact params[] = { { "training.steps", number[0], o->steps, "" },
                                   { "training.seed", number[1], o->seed, "" } };
    struct point_fact p = { .key = key,
                            .variant = o->design.name,
                            .index = o->index,
                            .params = params,
                            .nparams = 2,
                            .measures = measures,
                            .nmeasures = COUNT(measures),
                            .cells = cells,
                            .ncells = cells_of(o, cells),
                            .training = &training };

    snprintf(number[0], sizeof(number[0]), "%d", o->steps);
    snprintf(number[1], sizeof(number[1]), "%d", o->seed);
    snprintf(text, sizeof(text), "%s %zu", o->scenario, o->index);
    synthetic_key(key, text);
    steps_of(o, steps);
    assert_int_equal(store_point(o->s, o->run, &p), 0);
    time_it(o, key);
}

/* Designs [from, to), with so many steps each and seeds 1 to 'seeds'. */
static void put_all(struct store *s, const struct threelc_trained *how, const char *scenario, size_t from, size_t to,
                    const int *steps, int seeds)
{
    struct one o = { s, how, synthetic_run(s, scenario, designs[0].name, ""), scenario, { 0 }, 0, 0, 0 };

    for (; *steps; steps++)
        for (size_t i = from; i < to; i++)
            for (int seed = 1; seed <= (how->one_seed ? 1 : seeds); seed++) {
                o.design = designs[i];
                if (how->variant && *steps == STANDARD && !strcmp(how->variant, o.design.name)) {
                    o.design.accuracy += how->accuracy;
                    o.design.loss += how->loss;
                    o.design.bits += how->bits;
                    o.design.step_s += how->seconds;
                }
                o.steps = *steps;
                o.seed = seed;
                put(&o);
                o.index++;
            }
}

/* The simulated speedups that a claim is about. */
static void put_simulated(struct store *s)
{
    static const struct {
        const char *variant;
        double step_ms;
    } steps[] = { { "32-bit float", 320 }, { "3LC (s=1.00)", 20 }, { "3LC (s=1.50)", 16 }, { "3LC (s=1.90)", 14 } };
    /* Where they are there already, these would be the newest and hide them. */
    if (support_real(s, "SELECT count(*) FROM run WHERE scenario = '3lc-table-1'") > 0)
        return;
    int64_t run = synthetic_run(s, "3lc-table-1", "32-bit float", "");

    for (size_t i = 0; i < COUNT(steps); i++) {
        const struct cell_fact cell = { "3lc", "1", steps[i].variant, "10 Mbit/s", "speedup" };
        const struct measure_fact measure = { "step_ms", steps[i].step_ms, "ms" };
        char key[33];
        struct point_fact p = { .key = key,
                                .variant = steps[i].variant,
                                .index = i,
                                .measures = &measure,
                                .nmeasures = 1,
                                .cells = &cell,
                                .ncells = i > 0 };

        synthetic_key(key, steps[i].variant);
        assert_int_equal(store_point(s, run, &p), 0);
    }
}

void threelc_trained(struct store *s, const struct threelc_trained *t)
{
    static const int whole[] = { STANDARD, 0 }, fewer[] = { 2, 4, 6, 0 }, least[] = { 2, 0 };
    enum { NO_ZRE = COUNT(designs) - 1 };

    /* Nobody needs them after a crash. */
    assert_int_equal(sqlite3_exec(store_handle(s), "PRAGMA synchronous = OFF", NULL, NULL, NULL), SQLITE_OK);
    if (t->quick) {
        put_all(s, t, "3lc-quick", 7, 10, least, 2);
        return;
    }
    put_simulated(s);
    put_all(s, t, "3lc-small-table-1", 0, NO_ZRE, whole, 3);
    put_all(s, t, "3lc-small-convergence", 0, NO_ZRE, fewer, 2);
    put_all(s, t, "3lc-small-no-zre", NO_ZRE, NO_ZRE + 1, least, 2);
}
