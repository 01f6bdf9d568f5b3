/* readings_test.c - what a training reports, of one that is small enough for paper: four classes of images of one
 * bright pixel each, which are learnt at once, and tests whose labels are the next class, so that what was learnt is
 * all wrong there. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/training/run.h"
#include "tests/test.h"

enum { CLASSES = 4, TRAINED = 32, TESTS = 10, STEPS = 60, WORKERS = 2, BATCH = 4, WEIGHTS = 16, BIASES = 4 };

static const char text[] = "name: s\n"
                           "model: {name: m, input: {channels: 1, height: 2, width: 2}, classes: 4,\n"
                           "        layers: [{kind: classifier}, {kind: softmax}]}\n"
                           "training:\n"
                           "  data: {kind: idx, path: .}\n"
                           "  workers: 2\n"
                           "  batch: 4\n"
                           "  steps: 60\n"
                           "  learning_rate: {from: 1}\n"
                           "  optimizer: {momentum: 0, weight_decay: 0}\n"
                           "  evaluate: {every: 25, training: 32}\n";

static const char *folder(void)
{
    const char *place = getenv("NARROWS_TEST_TMP");

    return place ? place : "/tmp";
}

static void write_bytes(const char *name, const uint8_t *bytes, size_t n)
{
    char path[4096];
    FILE *f;

    snprintf(path, sizeof(path), "%s/%s", folder(), name);
    f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Big-endian heads, then a byte a pixel and a byte a label. */
static void write_images(const char *set, uint8_t count, int next)
{
    uint8_t images[16 + 4 * TRAINED] = { 0, 0, 8, 3, 0, 0, 0, count, 0, 0, 0, 2, 0, 0, 0, 2 };
    uint8_t labels[8 + TRAINED] = { 0, 0, 8, 1, 0, 0, 0, count };
    char name[64];

    for (int i = 0; i < count; i++) {
        images[16 + 4 * i + i % CLASSES] = 255;
        labels[8 + i] = (uint8_t)((i + next) % CLASSES);
    }
    snprintf(name, sizeof(name), "%s-images-idx3-ubyte", set);
    write_bytes(name, images, 16 + 4 * (size_t)count);
    snprintf(name, sizeof(name), "%s-labels-idx1-ubyte", set);
    write_bytes(name, labels, 8 + (size_t)count);
}

static int write_files(void **state)
{
    (void)state;
    mkdir(folder(), 0777);
    write_images("train", TRAINED, 0);
    write_images("t10k", TESTS, 1);
    write_bytes("s.yaml", (const uint8_t *)text, strlen(text));
    return 0;
}

/* Trains it with these keys set as well. */
static void train(const char *const *sets, size_t nsets, struct readings *out, struct training_result *result)
{
    char path[4096], why[512] = "";
    struct scenario_file *f;
    struct point p;

    snprintf(path, sizeof(path), "%s/s.yaml", folder());
    assert_int_equal(scenario_open(path, sets, nsets, NULL, 0, stderr, &f), 0);
    assert_int_equal(scenario_point(f, 0, &p), 0);
    struct training_job job = { .scenario = &p.scenario, .threads = 1, .key = "k", .name = "n", .checkpoint = "" };
    if (training_run(&job, out, result, why, sizeof(why)))
        fail_msg("%s", why);
    point_free(&p);
    scenario_close(f);
}

static void expect(const struct readings *r, const char *name, double want, double within)
{
    double got = reading_value(r, name);

    if (!(fabs(got - want) <= within * fabs(want)))
        fail_msg("%s: expected %.12g, got %.12g", name, want, got);
}

/* NAN: there is no such reading. */
struct expected {
    const char *name;
    double value;
};

static void expect_all(const struct readings *r, const struct expected *e, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (isnan(e[i].value))
            assert_true(isnan(reading_value(r, e[i].name)));
        else
            expect(r, e[i].name, e[i].value, 1e-12);
    }
}

static void a_training_reports_what_it_did(void **state)
{
    static const struct expected readings[] = {
        { "steps", STEPS },
        { "accuracy", 0 },
        { "top5", 100 }, /* of four classes */
        { "error", 100 },
        { "train_accuracy", 100 },
        { "compression_ratio", 1 },
        { "bits_per_value", 32 },
        { "push_bytes", 4 * (WEIGHTS + BIASES) },
        { "pull_bytes", 4 * (WEIGHTS + BIASES) },
        { "bytes_per_weight", 4 },
        /* Nobody asks for the images' error; an update is three of each parameter. */
        { "fma_forward", WORKERS * BATCH * WEIGHTS },
        { "fma_backward_data", 0 },
        { "fma_backward_weights", WORKERS * BATCH * WEIGHTS },
        { "fma_norms", 0 },
        { "fma_update", 3 * (WEIGHTS + BIASES) },
        { "sample_gfma", 2e-9 * WEIGHTS },
        { "bf16_fma_pct", 0 },
        { "bleu", NAN },
        { "auc", NAN },
        { "norm_change", NAN },
        { "split_pct", NAN },
    };
    struct training_result result;
    struct readings r = { 0 };

    (void)state;
    train(NULL, 0, &r, &result);
    expect_all(&r, readings, COUNT(readings));
    const struct training_fact *t = &result.fact;
    assert_int_equal(t->nsteps, STEPS);
    assert_int_equal(t->nevaluations, 3); /* after 25, 50 and 60 */
    /* A twentieth of the steps is three. They are learnt by then, which the first are not. */
    expect(&r, "loss", (t->steps[57].loss + t->steps[58].loss + t->steps[59].loss) / 3, 1e-12);
    assert_true(t->steps[0].loss > 2 * reading_value(&r, "loss"));
    expect(&r, "test_loss", t->evaluations[2].loss, 1e-12);
    /* Each image is one of training, whose label is sure by now; in tests it is another. */
    assert_true(reading_value(&r, "train_loss") < 0.1);
    assert_true(reading_value(&r, "test_loss") > 3);
    training_result_free(&result);
}

/* 16 bits up and 24 down: 20 in the mean, of 32; biases go as they are. */
static void codecs_shorten_what_is_sent(void **state)
{
    static const char *const sets[] = { "training.exchange.push=fp16", "training.exchange.pull=adt:keep=3",
                                        "training.exchange.pull_of=weights" };
    static const struct expected readings[] = {
        { "compression_ratio", 1.6 },
        { "bits_per_value", 20 },
        { "push_bytes", 2 * WEIGHTS + 4 * BIASES },
        { "pull_bytes", 3 * WEIGHTS + 4 * BIASES },
        { "bytes_per_weight", 3 },
    };
    struct training_result result;
    struct readings r = { 0 };

    (void)state;
    train(sets, COUNT(sets), &r, &result);
    expect_all(&r, readings, COUNT(readings));
    for (size_t i = 0; i < result.fact.nsteps; i++) {
        assert_int_equal(result.fact.steps[i].pushed_bytes, WORKERS * (2 * WEIGHTS + 4 * BIASES));
        assert_int_equal(result.fact.steps[i].pulled_bytes, WORKERS * (3 * WEIGHTS + 4 * BIASES));
    }
    training_result_free(&result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_training_reports_what_it_did),
        cmocka_unit_test(codecs_shorten_what_is_sent),
    };

    return cmocka_run_group_tests(tests, write_files, NULL);
}
