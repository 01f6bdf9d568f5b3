/* training_test.c - the section 'training': what it is bound to, what it may leave out, what its points depend on. */
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "harness/scenario/schema/schema.h"
#include "harness/scenario/schema/walk.h"
#include "harness/status.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

#define ROW "name: x\nmodel: m.yaml\ntraining: {data: {kind: images}, batch: 8, steps: 9, learning_rate: {from: 0.1}}\n"
#define BOTH ROW "platform: p.yaml\nbatch: 64\nmethod: {kind: parameter-server}\n"
#define CELL(row) "compare: [{paper: p, table: I, row: \"" row "\", column: c, measure: m}]\n"

static struct point bound(const struct scenario_file *f, size_t index)
{
    struct point p;

    assert_int_equal(scenario_point(f, index, &p), NW_OK);
    return p;
}

static const char all_keys[] =
    "name: x\n"
    "model: m.yaml\n"
    "training:\n"
    "  data:\n"
    "    {kind: cifar10, path: n.yaml, seed: 2, train: 100, test: 50, classes: 10, channels: 3, height: 32,\n"
    "     width: 31, dense: 13, tables: 26, rows: 1000, positions: 16, vocabulary: 256, difficulty: 0.25,\n"
    "     base_rate: 0.125, noise: 0.0625, crop: true, mirror: true}\n"
    "  workers: 4\n"
    "  batch: {value: 32, source: section 5.2}\n"
    "  steps: 200\n"
    "  epochs: 163.84\n"
    "  seed: 7\n"
    "  backend: gemm\n"
    "  precision: dynamic\n"
    "  chains: cut\n"
    "  dynamic: {batches_mp: 5, batches_bf16: 50, threshold: -0.5, weight: 0.75}\n"
    "  initialization: dlrm\n"
    "  optimizer: {momentum: 0.5, weight_decay: 0.25}\n"
    "  learning_rate:\n"
    "    {schedule: cosine, from: 0.5, to: 0.25, factor: 0.75, every: 30, at: '150/350, 0.75', warmup: 3,\n"
    "     scale_by_workers: true}\n"
    "  exchange: {push: '3lc:s=1.75', pull: 8bit, pull_of: weights, min_values: 65}\n"
    "  awp: {interval: 50, threshold: -0.0625, step_bits: 4, start_bits: 12, group: block, norms: sent}\n"
    "  weight_bits: 16\n"
    "  mask: {after: 'conv1, conv2', dropped: 0.875}\n"
    "  split: {depth: 0.5, rows: 2, columns: 3, wiggle: 0.25, evaluate: unsplit}\n"
    "  evaluate: {every: 10, batch: 20, samples: 30, training: 25, weights: worker}\n"
    "  trace: {every: 40, thresholds: '0.5, 0.875'}\n"
    "  checkpoint: {every: 60}\n";

static void every_key_is_bound(void **state)
{
    struct input in = { .text = all_keys };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const struct training *t = &p.scenario.training;
    const struct training_data *d = &t->data;

    (void)state;
    assert_true(p.scenario.trained && !p.scenario.simulated && scenario_trained(f));
    assert_true(p.scenario.model.nlayers == 3 && !p.scenario.batch && !p.scenario.platform.name);
    assert_true(d->kind == TRAINING_CIFAR10 && d->seed == 2 && d->train == 100 && d->test == 50);
    assert_string_equal(d->path, "n.yaml");
    assert_int_equal(strlen(d->digest), 32);
    assert_true(d->classes == 10 && d->channels == 3 && d->height == 32 && d->width == 31 && d->dense == 13);
    assert_true(d->tables == 26 && d->rows == 1000 && d->positions == 16 && d->vocabulary == 256);
    assert_true(d->difficulty == 0.25 && d->base_rate == 0.125 && d->noise == 0.0625 && d->crop && d->mirror);
    assert_true(t->workers == 4 && t->batch == 32 && t->steps == 200 && t->epochs == 163.84 && t->seed == 7);
    assert_true(t->backend == TRAINING_GEMM && t->precision == TRAINING_DYNAMIC && t->chains == TRAINING_CUT);
    assert_true(t->dynamic.batches_mp == 5 && t->dynamic.batches_bf16 == 50);
    assert_true(t->dynamic.threshold == -0.5 && t->dynamic.weight == 0.75);
    assert_true(t->initialization == TRAINING_DLRM);
    assert_true(t->optimizer.momentum == 0.5 && t->optimizer.weight_decay == 0.25);
    assert_true(t->rate.schedule == TRAINING_COSINE && t->rate.from == 0.5 && t->rate.to == 0.25);
    assert_true(t->rate.factor == 0.75 && t->rate.every == 30 && t->rate.warmup == 3 && t->rate.scale_by_workers);
    assert_string_equal(t->rate.at, "150/350, 0.75");
    assert_string_equal(t->exchange.push, "3lc:s=1.75");
    assert_string_equal(t->exchange.pull, "8bit");
    assert_true(t->exchange.pull_of == TRAINING_WEIGHTS && t->exchange.min_values == 65);
    assert_true(t->awp.interval == 50 && t->awp.threshold == -0.0625 && t->awp.step_bits == 4);
    assert_true(t->awp.start_bits == 12 && t->awp.group == TRAINING_BLOCK && t->weight_bits == 16);
    assert_true(t->awp.norms == TRAINING_SENT);
    assert_string_equal(t->mask.after, "conv1, conv2");
    assert_true(t->mask.dropped == 0.875);
    assert_true(t->split.spec.depth == 0.5 && t->split.spec.rows == 2 && t->split.spec.columns == 3);
    assert_true(t->split.spec.wiggle == 0.25 && t->split.evaluate == TRAINING_UNSPLIT);
    assert_true(t->evaluate_every == 10 && t->evaluate_batch == 20 && t->evaluate_samples == 30);
    assert_int_equal(t->evaluate_training, 25);
    assert_true(t->evaluate_weights == TRAINING_WORKERS);
    assert_string_equal(t->trace_thresholds, "0.5, 0.875");
    assert_true(t->trace_every == 40 && t->checkpoint_every == 60);
    point_free(&p);
    scenario_close(f);
}

static void what_is_left_out_is_usual(void **state)
{
    struct input in = { .text = ROW };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    const struct training *t = &p.scenario.training;

    (void)state;
    assert_string_equal(t->data.path, "");
    assert_true(!t->data.train && !t->data.classes && t->data.seed == 1 && t->data.difficulty == 0.5);
    assert_true(t->workers == 1 && t->seed == 1 && !(t->epochs > 0) && t->backend == TRAINING_BEST);
    assert_string_equal(training_backend_name(t->backend), "");
    assert_true(t->precision == TRAINING_FP32 && t->chains == TRAINING_WHOLE &&
                t->initialization == TRAINING_HE_NORMAL);
    struct dynamic_precision_config usual = dynamic_precision_of_the_paper();
    assert_memory_equal(&t->dynamic, &usual, sizeof(usual));
    assert_true(t->optimizer.momentum == 0.9 && t->optimizer.weight_decay == 1e-4);
    assert_true(t->rate.schedule == TRAINING_CONSTANT && t->rate.from == 0.1 && t->rate.factor == 0.1);
    assert_string_equal(t->rate.at, "");
    assert_string_equal(t->exchange.push, "fp32");
    assert_string_equal(t->exchange.pull, "fp32");
    assert_true(t->exchange.pull_of == TRAINING_DELTAS);
    assert_true(!t->awp.interval && t->awp.step_bits == 8 && t->awp.start_bits == 8 && !t->weight_bits);
    assert_true(t->awp.norms == TRAINING_MASTER);
    assert_string_equal(t->mask.after, "");
    assert_true(!(t->mask.dropped > 0) && !(t->split.spec.depth > 0) && t->split.evaluate == TRAINING_AS_SPLIT);
    assert_true(t->split.spec.rows == 1 && t->split.spec.columns == 1);
    point_free(&p);
    scenario_close(f);
}

/* A scenario that only simulates has no such keys, so that its short paths mean what they always did. */
static void a_scenario_without_it_has_none(void **state)
{
    struct input in = { .text =
                            "name: x\nplatform: p.yaml\nmodel: m.yaml\nbatch: 64\nmethod: {kind: parameter-server}\n",
                        .sets = { "workers=3", "seed=5" } };
    struct scenario_file *f = input_opened(&in);
    struct point p = bound(f, 0);
    char *text = scenario_canonical(&p.scenario);

    (void)state;
    assert_true(!p.scenario.trained && p.scenario.simulated && !scenario_trained(f));
    assert_true(p.scenario.method.parameter_server.workers == 3);
    assert_null(strstr(text, "training"));
    free(text);
    point_free(&p);
    scenario_close(f);
}

/* The expanded text of a cell, point by point. */
static const struct {
    const char *why;
    struct input in;
    const char *want;
} expanded[] = {
    { "short paths", { .text = ROW CELL("{workers}{data.kind}"), .sets = { "workers=3" } }, "3images" },
    { "variants",
      { .text = ROW "variants: {a: {}, b: {exchange.push: '3lc:s=1.5', training.precision: bf16}}\n" CELL(
            "{variant}{exchange.push}{precision}") },
      "afp32fp32 b3lc:s=1.5bf16" },
    { "axes", { .text = ROW "sweep: {training.seed: [1, 2]}\n" CELL("{training.seed}") }, "1 2" },
    { "a range", { .text = ROW CELL("{split.depth}"), .sweeps = { "split.depth=0..0.5:lin:3" } }, "0 0.25 0.5" },
    { "an axis of codecs",
      { .text = ROW CELL("{exchange.pull}"), .sweeps = { "exchange.pull=fp32, 3lc:s=1.75, 8bit" } },
      "fp32 3lc:s=1.75 8bit" },
    { "--set of data",
      { .text = ROW CELL("{data.kind}{data.path}"), .sets = { "data.kind=idx", "data.path=n.yaml" } },
      "idxn.yaml" },
    { "included keys lie underneath",
      { .text = "include: r.yaml\nname: x\nmodel: m.yaml\ntraining: {batch: 16, steps: 5}\n" CELL(
            "{training.batch}{training.steps}{training.learning_rate.from}"),
        .more_path = "r.yaml",
        .more_text = "training: {data: {kind: images}, batch: 8, learning_rate: {from: 0.5}}\n" },
      "1650.5" },
    { "trained and simulated",
      { .text = BOTH CELL("{batch}{training.batch}{method.workers}{training.workers}"),
        .sets = { "training.workers=3", "method.workers=2", "batch=7" } },
      "7823" },
    { "the batch of a scenario that only trains is that of its training",
      { .text = ROW CELL("{training.batch}"), .sets = { "training.batch=7" } },
      "7" },
    { "a required key that only --set gives",
      { .text = "name: x\nmodel: m.yaml\ntraining: {data: {kind: images}, steps: 9}\n" CELL("{training.batch}"),
        .sets = { "training.batch=7", "learning_rate.from=1" } },
      "7" },
};

static void scenarios_are_expanded(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(expanded); i++) {
        struct scenario_file *f = input_opened(&expanded[i].in);
        char all[1024] = "";

        for (size_t k = 0; k < scenario_npoints(f); k++) {
            struct point p = bound(f, k);

            strcat(strcat(all, k ? " " : ""), p.cells[0].row);
            point_free(&p);
        }
        if (strcmp(all, expanded[i].want) != 0)
            fail_msg("%s: want '%s', got '%s'", expanded[i].why, expanded[i].want, all);
        scenario_close(f);
    }
}

/* Another value for each key that can be set, and whether points depend on it. */
static const struct {
    const char *path, *value;
    bool silent;
} others[] = {
    { "training.data.kind", "idx", 0 },
    { "training.data.path", "n.yaml", 0 },
    { "training.data.seed", "3", 0 },
    { "training.data.train", "3", 0 },
    { "training.data.test", "3", 0 },
    { "training.data.classes", "3", 0 },
    { "training.data.channels", "3", 0 },
    { "training.data.height", "3", 0 },
    { "training.data.width", "3", 0 },
    { "training.data.dense", "3", 0 },
    { "training.data.tables", "3", 0 },
    { "training.data.rows", "3", 0 },
    { "training.data.positions", "3", 0 },
    { "training.data.vocabulary", "3", 0 },
    { "training.data.difficulty", "0.3", 0 },
    { "training.data.base_rate", "0.3", 0 },
    { "training.data.noise", "0.3", 0 },
    { "training.data.crop", "true", 0 },
    { "training.data.mirror", "true", 0 },
    { "training.workers", "3", 0 },
    { "training.batch", "3", 0 },
    { "training.steps", "3", 0 },
    { "training.epochs", "0.3", 0 },
    { "training.seed", "3", 0 },
    { "training.backend", "reference", 0 },
    { "training.precision", "mp", 0 },
    { "training.chains", "cut", 0 },
    { "training.dynamic.batches_mp", "3", 0 },
    { "training.dynamic.batches_bf16", "3", 0 },
    { "training.dynamic.threshold", "0.3", 0 },
    { "training.dynamic.weight", "0.3", 0 },
    { "training.initialization", "lecun-normal", 0 },
    { "training.initial_deviation", "0.3", 0 },
    { "training.initial_biases", "0.3", 0 },
    { "training.optimizer.momentum", "0.3", 0 },
    { "training.optimizer.weight_decay", "0.3", 0 },
    { "training.learning_rate.schedule", "step", 0 },
    { "training.learning_rate.from", "0.3", 0 },
    { "training.learning_rate.to", "0.3", 0 },
    { "training.learning_rate.factor", "0.3", 0 },
    { "training.learning_rate.every", "3", 0 },
    { "training.learning_rate.at", "0.3", 0 },
    { "training.learning_rate.warmup", "3", 0 },
    { "training.learning_rate.scale_by_workers", "true", 0 },
    { "training.exchange.push", "3lc", 0 },
    { "training.exchange.pull", "3lc", 0 },
    { "training.exchange.pull_of", "weights", 0 },
    { "training.exchange.min_values", "3", 0 },
    { "training.awp.interval", "3", 0 },
    { "training.awp.threshold", "0.3", 0 },
    { "training.awp.step_bits", "3", 0 },
    { "training.awp.start_bits", "3", 0 },
    { "training.awp.group", "block", 0 },
    { "training.awp.norms", "sent", 0 },
    { "training.weight_bits", "24", 0 },
    { "training.mask.after", "conv1", 0 },
    { "training.mask.dropped", "0.3", 0 },
    { "training.split.depth", "0.3", 0 },
    { "training.split.rows", "3", 0 },
    { "training.split.columns", "3", 0 },
    { "training.split.wiggle", "0.3", 0 },
    { "training.split.evaluate", "unsplit", 0 },
    { "training.evaluate.every", "3", 1 },
    { "training.evaluate.batch", "3", 1 },
    { "training.evaluate.samples", "3", 0 },
    { "training.evaluate.training", "3", 0 },
    { "training.evaluate.weights", "worker", 0 },
    { "training.trace.every", "3", 1 },
    { "training.trace.thresholds", "0.5", 1 },
    { "training.checkpoint.every", "3", 1 },
};

static void is_listed(void *ctx, const char *path, const struct field *f, void *at, const struct place *place)
{
    size_t *walked = ctx;

    (void)f;
    (void)at;
    (void)place;
    if (*walked >= COUNT(others) || strcmp(path, others[*walked].path) != 0)
        fail_msg("%s is not in its place among those whose effect on the canonical text is tested", path);
    ++*walked;
}

static char *canonical(const struct input *in)
{
    struct scenario_file *f = input_opened(in);
    struct point p = bound(f, 0);
    char *text = scenario_canonical(&p.scenario);

    assert_non_null(text);
    point_free(&p);
    scenario_close(f);
    return text;
}

static void the_canonical_text_has_all_that_counts(void **state)
{
    struct training any = { 0 };
    struct input plain = { .text = ROW };
    char *first = canonical(&plain), *again = canonical(&plain);
    size_t walked = 0;

    (void)state;
    assert_string_equal(first, again);
    assert_null(strstr(first, "platform"));
    assert_null(strstr(first, "method"));
    assert_null(strstr(first, "\nbatch"));
    assert_non_null(strstr(first, "\ntraining.exchange.push = fp32\n"));
    schema_walk(&schema_training, &any, "training", is_listed, &walked);
    assert_int_equal(walked, COUNT(others));
    for (size_t i = 0; i < COUNT(others); i++) {
        char set[256];
        struct input in = { .text = ROW, .sets = { set } };
        char *text;

        snprintf(set, sizeof(set), "%s=%s", others[i].path, others[i].value);
        text = canonical(&in);
        if ((strcmp(text, first) == 0) != others[i].silent)
            fail_msg("%s: the texts %s", set, others[i].silent ? "differ" : "are equal");
        free(text);
    }
    free(first);
    free(again);
}

/* The data at the path counts, not the path. */
static void data_counts_by_what_lies_there(void **state)
{
    struct input here = { .text = ROW, .more_path = "d.bin", .more_text = "abc", .sets = { "data.path=d.bin" } },
                 there = { .text = ROW, .more_path = "e.bin", .more_text = "abc", .sets = { "data.path=e.bin" } },
                 other = { .text = ROW, .more_path = "d.bin", .more_text = "abd", .sets = { "data.path=d.bin" } };
    char *one = canonical(&here), *same = canonical(&there), *another = canonical(&other);

    (void)state;
    assert_string_equal(one, same);
    assert_string_not_equal(one, another);
    free(one);
    free(same);
    free(another);
}

/* Each point has the stamp of its own data. */
static void variants_have_data_of_their_own(void **state)
{
    struct input in = { .text = ROW "variants: {a: {}, b: {data.path: n.yaml}, c: {data.path: m.yaml}}\n" };
    struct scenario_file *f = input_opened(&in);
    struct point a = bound(f, 0), b = bound(f, 1), c = bound(f, 2);

    (void)state;
    assert_null(a.scenario.training.data.digest);
    assert_string_not_equal(b.scenario.training.data.digest, c.scenario.training.data.digest);
    point_free(&a);
    point_free(&b);
    point_free(&c);
    scenario_close(f);
}

static void epochs_are_steps(void **state)
{
    static const struct {
        int64_t steps, workers, batch;
        double epochs;
        int64_t samples, want;
    } rows[] = {
        { 7, 2, 3, 0, 1000, 7 },        { 0, 10, 32, 163.84, 50000, 25600 }, /* 3LC, section 5.2 */
        { 0, 1, 128, 1, 50000, 391 },   { 0, 1, 70, 1, 50000, 714 },         /* and 0.29 */
        { 0, 1, 128, 0.001, 50000, 1 }, { 0, 1, 1, 1e9, INT64_MAX, INT64_C(1) << 62 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct training t = {
            .steps = rows[i].steps, .workers = rows[i].workers, .batch = rows[i].batch, .epochs = rows[i].epochs
        };

        assert_int_equal(training_steps(&t, rows[i].samples), rows[i].want);
    }
}

static void shares_are_read(void **state)
{
    static const struct {
        const char *at;
        int n;
        double first, last;
        const char *why;
    } rows[] = {
        { "", 0, 0, 0, "" },
        { "0.5", 1, 0.5, 0.5, "" },
        { "0.5, 0.75", 2, 0.5, 0.75, "" },
        { " 150/300 ,3/4, 0.875 ", 3, 0.5, 0.875, "" },
        { "0.75, 0.5", -1, 0, 0, "'0.5' does not come after the one before" },
        { "0.5, 0.5", -1, 0, 0, "'0.5' does not come after the one before" },
        { "1", -1, 0, 0, "'1' is no number above 0 and below 1" },
        { "0", -1, 0, 0, "'0' is no number above 0 and below 1" },
        { "1/0", -1, 0, 0, "'1/0' is no number above 0 and below 1" },
        { "-0.5", -1, 0, 0, "'-0.5' is no number above 0 and below 1" },
        { "half", -1, 0, 0, "'half' is no number above 0 and below 1" },
        { "0.5 0.75", -1, 0, 0, "'0.5 0.75' is no number above 0 and below 1" },
        { "1/2/3", -1, 0, 0, "'1/2/3' is no number above 0 and below 1" },
        { "0.1.2", -1, 0, 0, "'0.1.2' is no number above 0 and below 1" },
        { "nan", -1, 0, 0, "'nan' is no number above 0 and below 1" },
        { "0.01,0.02,0.03,0.04,0.05,0.06,0.07,0.08,0.09,0.10,0.11,0.12,0.13,0.14,0.15,0.16", 16, 0.01, 0.16, "" },
        { "0.01,0.02,0.03,0.04,0.05,0.06,0.07,0.08,0.09,0.10,0.11,0.12,0.13,0.14,0.15,0.16,0.17", -1, 0, 0,
          "more than 16" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++) {
        double shares[TRAINING_MOST_DROPS];
        char why[128] = "";
        int n = training_drops(rows[i].at, shares, why, sizeof(why));

        if (n != rows[i].n || strcmp(why, rows[i].why) != 0 ||
            (n > 0 && (shares[0] != rows[i].first || shares[n - 1] != rows[i].last)))
            fail_msg("'%s': got %d, '%s'", rows[i].at, n, why);
    }
}

static void names_are_found_in_lists(void **state)
{
    static const struct {
        const char *list, *name;
        bool found;
    } rows[] = {
        { "a, b.relu ,c", "b.relu", 1 },
        { "a, b.relu ,c", "a", 1 },
        { "a, b.relu ,c", "c", 1 },
        { "a, b.relu ,c", "b", 0 },
        { "", "a", 0 },
        { " , ", "", 0 },
        { "a b", "a", 0 },
        { "a b", "a b", 1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(rows); i++)
        if (training_named(rows[i].list, rows[i].name) != rows[i].found)
            fail_msg("'%s' is %sin '%s'", rows[i].name, rows[i].found ? "" : "not ", rows[i].list);
}

static void every_key_is_documented(void **state)
{
    static const char *const wants[] = {
        "data.kind\n    one of images, clicks, translation, cifar10, idx, criteo, jpeg, iwslt; required\n",
        "\ndata.path\n    the path of a file or a folder; optional\n",
        "\nexchange.push\n    a codec as in 3lc:s=1.75; default fp32\n",
        "\nlearning_rate.at\n    shares as in '0.5, 0.75' or '150/350, 250/350'; optional\n",
        "\nawp.threshold\n    a number in -1..1; optional\n",
    };
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(scenario_document("training", out), NW_OK);
    fclose(out);
    for (size_t i = 0; i < COUNT(wants); i++)
        if (!strstr(text, wants[i]))
            fail_msg("want '%s' in\n%s", wants[i], text);
    free(text);
    out = open_memstream(&text, &size);
    assert_int_equal(scenario_document("scenario", out), NW_OK);
    fclose(out);
    assert_non_null(strstr(text, "\ntraining\n    a mapping; optional\n"));
    assert_non_null(strstr(text, "\ntraining.data.kind\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_key_is_bound),
        cmocka_unit_test(what_is_left_out_is_usual),
        cmocka_unit_test(a_scenario_without_it_has_none),
        cmocka_unit_test(scenarios_are_expanded),
        cmocka_unit_test(the_canonical_text_has_all_that_counts),
        cmocka_unit_test(data_counts_by_what_lies_there),
        cmocka_unit_test(variants_have_data_of_their_own),
        cmocka_unit_test(epochs_are_steps),
        cmocka_unit_test(shares_are_read),
        cmocka_unit_test(names_are_found_in_lists),
        cmocka_unit_test(every_key_is_documented),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
