/* trained_test.c - points that are trained: concurrently with the threads shared out, once only, next to their
 * simulation. A double of the trainer reports how it was called. */

#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/run/experiment.h"
#include "harness/run/precheck.h"
#include "harness/scenario/memory.h"
#include "harness/status.h"
#include "harness/training/run.h"
#include "tests/test.h"
#include "train/ops/ops.h"

#define MODEL \
    "model: {name: m, input: {channels: 1, height: 1, width: 8}, layers: [{kind: fc, units: 8}, {kind: softmax}]}\n"
#define SIMULATED                                                                                   \
    "batch: 8\nmethod: {kind: parameter-server, workers: 2, device: cpu}\nplatform:\n  name: c\n"   \
    "  machines: 3\n  network: {topology: star, link: eth}\n  link: {eth: {bandwidth: 8 Gbit/s}}\n" \
    "  cpu: {cores_per_socket: 4, memory_bandwidth: 50 GB/s, peak: 1 TFlop/s}\n"
#define TRAINED "training: {data: {kind: images}, batch: 8, steps: 9, learning_rate: {from: 0.1}}\n"
#define SEEDS "sweep: {training.seed: [1, 2, 3]}\n"

static struct {
    atomic_int calls, now, most, threads;
} seen;

int __wrap_training_run(const struct training_job *job, struct readings *out, struct training_result *result, char *why,
                        size_t nwhy);

int __wrap_training_run(const struct training_job *job, struct readings *out, struct training_result *result, char *why,
                        size_t nwhy)
{
    int now = atomic_fetch_add(&seen.now, 1) + 1;

    *result = (struct training_result){ 0 };
    assert_true(strstr(job->checkpoint, ".db.checkpoints/") && strstr(job->checkpoint, job->key));
    if (now > seen.most)
        seen.most = now;
    seen.calls++;
    seen.threads = job->threads;
    assert_true(job->stop && !job->stop());
    usleep(2000); /* another one would come in between */
    reading_add(out, (double)job->scenario->training.seed, "%", "accuracy");
    reading_add(out, 123, "B", "push_bytes");
    atomic_fetch_sub(&seen.now, 1);
    if (job->scenario->training.seed != 13)
        return NW_OK;
    snprintf(why, nwhy, "training.seed: unlucky");
    return NW_ESIM;
}

static char *db_path(const char *name)
{
    const char *folder = getenv("NARROWS_TEST_TMP");
    char *path = malloc(4096);

    snprintf(path, 4096, "%s/%s.db", folder ? folder : "/tmp", name);
    return path;
}

static struct scenario_file *opened(const char *text, const char *set)
{
    struct memory_file file = { "s.yaml", text, strlen(text) };
    struct memory_files all = { &file, 1 };
    struct scenario_file *f = NULL;

    assert_int_equal(scenario_open_memory(&all, "s.yaml", &set, set != NULL, NULL, 0, stderr, &f), NW_OK);
    return f;
}

static struct experiment_result play(const char *name, const char *text, const char *set, int want_rc)
{
    struct experiment x = { .command = "test", .jobs = 5, .altered = set != NULL };
    struct experiment_result result = { 0 };
    struct scenario_file *file = opened(text, set);
    char *db = db_path(name);

    memset(&seen, 0, sizeof(seen));
    x.calibrations = calibrations_new();
    assert_int_equal(store_open(db, &x.store), NW_OK);
    assert_int_equal(experiment_run(&x, file, &result), want_rc);
    store_close(x.store);
    calibrations_free(x.calibrations);
    scenario_close(file);
    free(db);
    return result;
}

/* The first column of every row, one a word. */
static void expect_rows(const char *name, const char *sql, const char *want)
{
    char *db = db_path(name), text[512] = "";
    sqlite3_stmt *q;
    sqlite3 *handle;

    assert_int_equal(sqlite3_open_v2(db, &handle, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(handle, sql, -1, &q, NULL), SQLITE_OK);
    while (sqlite3_step(q) == SQLITE_ROW)
        strcat(strcat(text, *text ? " " : ""), (const char *)sqlite3_column_text(q, 0));
    sqlite3_finalize(q);
    sqlite3_close(handle);
    free(db);
    assert_string_equal(text, want);
}

static int fresh(void **state)
{
    static const char *const names[] = { "alone", "both", "refused" };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char *db = db_path(names[i]);
        unlink(db);
        free(db);
    }
    return 0;
}

static void points_are_trained_side_by_side_and_once(void **state)
{
    static const char text[] = "name: x\n" MODEL TRAINED SEEDS;

    (void)state;
    assert_int_equal(play("alone", text, NULL, NW_OK).computed, 3);
    assert_true(seen.calls == 3 && seen.most <= 3 && seen.threads == 1);
    expect_rows("alone", "SELECT printf('%s=%g', name, value) FROM measure ORDER BY point_id, name",
                "accuracy=1 push_bytes=123 accuracy=2 push_bytes=123 accuracy=3 push_bytes=123");
    assert_int_equal(play("alone", text, "training.trace.every=1", NW_OK).present, 3); /* it changes no result */
    assert_int_equal(seen.calls, 0);
    assert_int_equal(play("alone", text, "training.workers=2", NW_OK).computed, 3);
}

static void what_is_trained_replaces_what_was_assumed(void **state)
{
    (void)state;
    play("both", "name: x\n" MODEL SIMULATED TRAINED, NULL, NW_OK);
    assert_int_equal(seen.threads, 5); /* one alone has them all */
    assert_int_equal(seen.calls, 1);
    expect_rows("both",
                "SELECT printf('%s=%g', name, value) FROM measure WHERE name IN ('accuracy', 'push_bytes')"
                " ORDER BY name",
                "accuracy=1 push_bytes=123");
    expect_rows("both", "SELECT count(*) FROM measure WHERE name = 'step_ms' AND value > 0", "1");
}

static void a_refusal_keeps_what_was_done(void **state)
{
    (void)state;
    play("refused", "name: x\n" MODEL TRAINED "sweep: {training.seed: [1, 13, 3]}\n", NULL, NW_ESIM);
    assert_true(seen.calls >= 2); /* those that had begun are not waited for in vain */
    expect_rows("refused", "SELECT value FROM measure WHERE name = 'accuracy'", "1.0");
}

/* Which there are depends on the build and the machine. */
static void a_backend_that_is_not_here_is_refused(void **state)
{
    static const char *const names[] = { "cuda", "dnnl", "gemm", "reference" };

    (void)state;
    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
        char set[64], want[128], *said;
        size_t size;
        FILE *err = open_memstream(&said, &size);
        int rc;

        snprintf(set, sizeof(set), "training.backend=%s", names[i]);
        struct scenario_file *f = opened("name: x\n" MODEL TRAINED, set);
        rc = precheck(f, err);
        fclose(err);
        snprintf(want, sizeof(want), ", reference), got '%s'\n", names[i]);
        if ((rc == NW_OK) != (ops_backend_find(names[i]) != NULL) || (rc && !strstr(said, want)))
            fail_msg("%s: answered %d:\n%s", names[i], rc, said);
        free(said);
        scenario_close(f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_trained_side_by_side_and_once),
        cmocka_unit_test(what_is_trained_replaces_what_was_assumed),
        cmocka_unit_test(a_refusal_keeps_what_was_done),
        cmocka_unit_test(a_backend_that_is_not_here_is_refused),
    };

    return cmocka_run_group_tests_name("trained", tests, fresh, NULL);
}
