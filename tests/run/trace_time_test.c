/* trace_time_test.c - trained steps played on another machine, with the bytes that they sent. A double of the
 * trainer sends what the test wants. */
#include <math.h>

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/point/measures.h"
#include "harness/run/precheck.h"
#include "harness/run/trace_time.h"
#include "harness/status.h"
#include "harness/training/run.h"
#include "tests/test.h"

enum { STEPS = 6, WORKERS = 2, CODED = 1000, PLAIN = 24 };

/* Bits of a value in each step. In the second pair of steps pulls alone change, in the third pushes alone. */
static const double push_bits[STEPS] = { 0.1, 0.1, 0.1, 0.1, 0.8, 0.8 };
static const double pull_bits[STEPS] = { 0.2, 0.2, 1.6, 1.6, 1.6, 1.6 };

static int64_t bytes_of(double bits)
{
    return (int64_t)round(WORKERS * (CODED * bits / 8 + 4 * PLAIN));
}

int __wrap_training_run(const struct training_job *job, struct readings *out, struct training_result *result, char *why,
                        size_t nwhy);

int __wrap_training_run(const struct training_job *job, struct readings *out, struct training_result *result, char *why,
                        size_t nwhy)
{
    static const struct trace_tensor_fact tensors[] = { { "weights", CODED, 1 }, { "biases", PLAIN, 0 } };
    static struct trace_step_fact steps[STEPS];

    (void)job, (void)out, (void)why, (void)nwhy;
    for (int i = 0; i < STEPS; i++)
        steps[i] = (struct trace_step_fact){ .samples = 1,
                                             .loss = 1,
                                             .precision_share = NAN,
                                             .ema = NAN,
                                             .pushed_bytes = bytes_of(push_bits[i]),
                                             .pulled_bytes = bytes_of(pull_bits[i]) };
    *result = (struct training_result){ 0 };
    result->fact = (struct training_fact){ .model = "m",
                                           .data = "d",
                                           .metric = "",
                                           .seed = 1,
                                           .workers = WORKERS,
                                           .batch = 1,
                                           .tensors = tensors,
                                           .ntensors = 2,
                                           .steps = steps,
                                           .nsteps = STEPS };
    return NW_OK;
}

static const char simulated_text[] =
    "name: far\nmodel: {name: m, input: {channels: 1, height: 1, width: 8}, layers: [{kind: fc, units: 1000}]}\n"
    "batch: 8\nmethod: {kind: parameter-server, workers: 2, device: cpu}\nplatform:\n  name: c\n"
    "  machines: 3\n  network: {topology: star, link: eth}\n  link: {eth: {bandwidth: 8 Gbit/s}}\n"
    "  cpu: {cores_per_socket: 4, memory_bandwidth: 50 GB/s, peak: 1 TFlop/s}\n"
    "sweep: {link.eth.bandwidth: [8 Mbit/s, 80 Mbit/s]}\n"
    "variants:\n"
    "  coded: {method.push.format: 3lc, method.push.bits: 1.5, method.push.place: cpu,\n"
    "          method.pull.format: 3lc, method.pull.bits: 1.5, method.pull.place: cpu}\n"
    "  plain: {}\n  other: {}\n";

static char *path_of(const char *name)
{
    const char *folder = getenv("NARROWS_TEST_TMP");
    char *path = malloc(4096);

    snprintf(path, 4096, "%s/%s", folder ? folder : "/tmp", name);
    return path;
}

static char *write_file(const char *name, const char *text)
{
    char *path = path_of(name);
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

/* Step time of a point of the simulated scenario, with these bits. */
static double step_s(const char *path, const char *bandwidth, const char *variant, double push, double pull)
{
    char set[3][96];
    const char *sets[] = { set[0], set[1], set[2] };
    struct scenario_file *f;
    struct measures *m = calloc(1, sizeof(*m));
    char why[256] = "";
    double step = NAN;

    snprintf(set[0], sizeof(set[0]), "link.eth.bandwidth=%s", bandwidth);
    snprintf(set[1], sizeof(set[1]), "method.push.bits=%.17g", push);
    snprintf(set[2], sizeof(set[2]), "method.pull.bits=%.17g", pull);
    /* Keys set from outside hold for every variant, so those without such a format are asked for without them. */
    assert_int_equal(scenario_open(path, sets, strcmp(variant, "coded") ? 1 : 3, NULL, 0, stderr, &f), NW_OK);
    for (size_t i = 0; i < scenario_npoints(f) && isnan(step); i++) {
        struct point p;

        assert_int_equal(scenario_point(f, i, &p), NW_OK);
        if (!strcmp(p.variant, variant)) {
            assert_int_equal(measures_of(&p.scenario, m, why, sizeof(why)), NW_OK);
            step = measure_value(m, "step_ms") / 1e3;
        }
        point_free(&p);
    }
    scenario_close(f);
    free(m);
    return step;
}

static double seconds_of(struct store *s, const char *variant, const char *label, int steps)
{
    sqlite3_stmt *q;
    double seconds = NAN;

    assert_int_equal(sqlite3_prepare_v2(store_handle(s),
                                        "SELECT seconds FROM trace_time t JOIN run_point p USING (point_id)"
                                        " WHERE variant = ?1 AND label = ?2 AND steps = ?3",
                                        -1, &q, NULL),
                     SQLITE_OK);
    sqlite3_bind_text(q, 1, variant, -1, SQLITE_STATIC);
    sqlite3_bind_text(q, 2, label, -1, SQLITE_STATIC);
    sqlite3_bind_int(q, 3, steps);
    if (sqlite3_step(q) == SQLITE_ROW)
        seconds = sqlite3_column_double(q, 0);
    sqlite3_finalize(q);
    return seconds;
}

static int count(struct store *s, const char *sql)
{
    sqlite3_stmt *q;
    int n = -1;

    assert_int_equal(sqlite3_prepare_v2(store_handle(s), sql, -1, &q, NULL), SQLITE_OK);
    if (sqlite3_step(q) == SQLITE_ROW)
        n = sqlite3_column_int(q, 0);
    sqlite3_finalize(q);
    return n;
}

static void near(double got, double want)
{
    if (!(fabs(got - want) <= 1e-9 * want))
        fail_msg("expected %.12g s, got %.12g", want, got);
}

static void steps_take_the_time_of_their_bytes(void **state)
{
    char trained_text[2048], *simulated = write_file("simulated.yaml", simulated_text), *db = path_of("time.db");
    struct experiment x = { .command = "test", .jobs = 1, .calibrations = calibrations_new() };
    struct experiment_result result;
    struct scenario_file *file;
    static const char *const bandwidths[] = { "8 Mbit/s", "80 Mbit/s" };

    (void)state;
    unlink(db);
    snprintf(trained_text, sizeof(trained_text),
             "name: near\nmodel: {name: m, input: {channels: 1, height: 1, width: 8}, layers: [{kind: fc, units: 8}]}\n"
             "training: {data: {kind: images}, batch: 8, steps: 6, learning_rate: {from: 0.1}}\n"
             "variants: {coded: {}, plain: {}}\n"
             "time:\n  - {scenario: '%s', label: far, push: method.push.bits, pull: method.pull.bits, every: 2}\n",
             simulated);
    char *trained = write_file("trained.yaml", trained_text);
    assert_int_equal(store_open(db, &x.store), NW_OK);
    assert_int_equal(scenario_open(trained, NULL, 0, NULL, 0, stderr, &file), NW_OK);
    assert_int_equal(experiment_run(&x, file, &result), NW_OK);
    assert_int_equal(trace_time(&x, file, result.run_id), NW_OK);
    for (int b = 0; b < 2; b++) {
        double so_far = 0, plain = step_s(simulated, bandwidths[b], "plain", 0, 0);
        char label[64];

        snprintf(label, sizeof(label), "far, %s", bandwidths[b]);
        for (int i = 0; i < STEPS; i += 2) {
            so_far += 2 * step_s(simulated, bandwidths[b], "coded", push_bits[i], pull_bits[i]);
            near(seconds_of(x.store, "coded", label, i + 2), so_far);
            near(seconds_of(x.store, "plain", label, i + 2), (i + 2) * plain);
        }
        assert_true(isnan(seconds_of(x.store, "coded", label, 1)));
    }
    /* Once: a second time there is nothing left to do. */
    assert_int_equal(count(x.store, "SELECT count(*) FROM trace_timing"), 4);
    assert_int_equal(trace_time(&x, file, result.run_id), NW_OK);
    assert_int_equal(count(x.store, "SELECT count(*) FROM trace_timing"), 4);
    /* A record, whose points have other keys: the times that came with it, and those of a run by this program. */
    assert_int_equal(sqlite3_exec(store_handle(x.store), "UPDATE point SET key = substr(key, 17) || substr(key, 1, 16)",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    assert_int_equal(trace_time(&x, file, result.run_id), NW_OK);
    assert_int_equal(count(x.store, "SELECT count(*) FROM trace_timing"), 4);
    assert_int_equal(trace_time_recorded(&x, file, result.run_id + 100), NW_OK);
    assert_int_equal(count(x.store, "SELECT count(*) FROM trace_timing"), 4);
    assert_int_equal(trace_time_recorded(&x, file, result.run_id), NW_OK);
    assert_int_equal(count(x.store, "SELECT count(*) FROM trace_timing"), 8);
    assert_int_equal(count(x.store, "SELECT count(*) FROM trace_timing WHERE run_id > 1"), 4);
    assert_int_equal(
        count(x.store,
              "SELECT count(*) FROM trace_timing a JOIN trace_timing b ON b.point_id = a.point_id AND b.label ="
              " a.label AND b.id > a.id JOIN trace_timing_step x ON x.timing_id = a.id JOIN trace_timing_step y"
              " ON y.timing_id = b.id AND y.steps = x.steps AND y.seconds = x.seconds"),
        12);
    assert_int_equal(trace_time_recorded(&x, file, result.run_id), NW_OK);
    assert_int_equal(count(x.store, "SELECT count(*) FROM trace_timing"), 8);
    scenario_close(file);
    store_close(x.store);
    calibrations_free(x.calibrations);
    free(simulated);
    free(trained);
    free(db);
}

static void a_scenario_that_is_not_there_is_told(void **state)
{
    char *db = path_of("absent.db");
    struct experiment x = { .command = "test", .jobs = 1, .calibrations = calibrations_new() };
    struct experiment_result result;
    struct scenario_file *file;
    char *trained = write_file(
        "absent.yaml",
        "name: near\nmodel: {name: m, input: {channels: 1, height: 1, width: 8}, layers: [{kind: fc, units: 8}]}\n"
        "training: {data: {kind: images}, batch: 8, steps: 6, learning_rate: {from: 0.1}}\n"
        "time: [{scenario: nowhere.yaml}]\n");

    (void)state;
    unlink(db);
    assert_int_equal(store_open(db, &x.store), NW_OK);
    assert_int_equal(scenario_open(trained, NULL, 0, NULL, 0, stderr, &file), NW_OK);
    assert_int_equal(experiment_run(&x, file, &result), NW_OK);
    assert_int_equal(trace_time(&x, file, result.run_id), NW_EINPUT);
    scenario_close(file);
    store_close(x.store);
    calibrations_free(x.calibrations);
    free(trained);
    free(db);
}

/* What a check says of a 'time' entry, before anything is trained. */
static void entries_are_checked(void **state)
{
    static const struct {
        const char *time, *want;
    } cases[] = {
        { "{scenario: nowhere.yaml}", "time[0].scenario: expected a scenario that can be read, got 'nowhere.yaml'" },
        { "{scenario: training/dlrm-small.yaml}", "/scenarios/training/dlrm-small.yaml', which trains" },
        { "{scenario: papers/3lc/table-1.yaml}", "expected a scenario with one of the variants trained here" },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        char text[1024], *said = NULL;
        size_t n = 0;
        struct scenario_file *file;
        FILE *err = open_memstream(&said, &n);

        snprintf(
            text, sizeof(text),
            "name: near\nmodel: {name: m, input: {channels: 1, height: 1, width: 8}, layers: [{kind: fc, units: 8},"
            " {kind: softmax}]}\n"
            "training: {data: {kind: images, classes: 8, channels: 1, height: 1, width: 8}, batch: 8, steps: 6,"
            " learning_rate: {from: 0.1}}\n"
            "variants: {mine: {}}\ntime: [%s]\n",
            cases[i].time);
        char *path = write_file("checked.yaml", text);
        assert_int_equal(scenario_open(path, NULL, 0, NULL, 0, stderr, &file), NW_OK);
        assert_int_equal(precheck(file, err), NW_EINPUT);
        fclose(err);
        if (!strstr(said, cases[i].want))
            fail_msg("expected '%s', got '%s'", cases[i].want, said);
        scenario_close(file);
        free(said);
        free(path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_take_the_time_of_their_bytes),
        cmocka_unit_test(a_scenario_that_is_not_there_is_told),
        cmocka_unit_test(entries_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
