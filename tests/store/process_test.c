/* Processes on one file: two that store the same sweep, many that create it at once, and writers that are killed. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/status.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

enum { MEASURES = 16, PARAMS = 2 };

static const char *const names[MEASURES] = {
    "step_ms", "to_device_ms", "to_host_ms", "m3",  "m4",  "m5",  "m6",  "m7",
    "m8",      "m9",           "m10",        "m11", "m12", "m13", "m14", "m15"
};

/* One point of the sweep: its figures follow from its number. No assertions: this also runs in child processes. */
static int put(struct store *s, int64_t run, size_t i)
{
    struct measure_fact m[MEASURES];
    struct param_fact params[PARAMS] = { { "platform.link.bandwidth", "", 1e9 * (double)i, "B/s" },
                                         { "method.bytes", "3", 3, "" } };
    struct cell_fact cell = { "a2dtwp", "II", "Convolution", "A2DTWP", "m3" };
    char key[33], text[32];
    struct point_fact p = { .key = key,
                            .variant = i % 2 ? "A2DTWP" : "32-bit FP",
                            .index = i,
                            .combination = i / 2,
                            .params = params,
                            .nparams = PARAMS,
                            .measures = m,
                            .nmeasures = MEASURES,
                            .cells = &cell,
                            .ncells = 1 };

    snprintf(text, sizeof(text), "point %zu", i);
    synthetic_key(key, text);
    params[0].text = text;
    for (int j = 0; j < MEASURES; j++)
        m[j] = (struct measure_fact){ names[j], (double)i + j, "ms" };
    return store_point(s, run, &p);
}

/* Open, run points 0..n in full, say how many are stored after each on 'fd'; the exit code is 0 or 1. */
static void child(const char *path, size_t n, int fd)
{
    struct run_fact run = { .scenario = "sweep", .baseline = "32-bit FP", .npoints = n };
    struct store *s;
    int64_t id;

    if (store_open(path, &s) || store_run(s, &run, &id))
        _exit(1);
    for (uint32_t i = 0; i < n; i++)
        if (put(s, id, i) || (fd >= 0 && write(fd, &i, sizeof(i)) != sizeof(i)))
            _exit(1);
    if (store_run_finished(s, id))
        _exit(1);
    store_close(s);
    _exit(0);
}

static pid_t start(const char *path, size_t n, int fd)
{
    pid_t pid = fork();

    assert_true(pid >= 0);
    if (pid == 0)
        child(path, n, fd);
    return pid;
}

static void expect_whole(struct store *s)
{
    assert_int_equal(support_int(s, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM pragma_foreign_key_check"), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM point p WHERE"
                                    " (SELECT count(*) FROM measure m WHERE m.point_id = p.id) <> 16"),
                     0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_point p WHERE (SELECT count(*) FROM point_param q WHERE"
                                    " q.run_id = p.run_id AND q.position = p.position) <> 2 OR (SELECT count(*) FROM"
                                    " cell c WHERE c.run_id = p.run_id AND c.position = p.position) <> 1"),
                     0);
    /* Nothing of one point under another: each measure follows from its place in the sweep. */
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_point p JOIN measure m ON m.point_id = p.point_id"
                                    " AND m.name = 'step_ms' WHERE m.value <> p.position"),
                     0);
}

static void wait_for(pid_t pid)
{
    int status;

    assert_int_equal(waitpid(pid, &status, 0), pid);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        fail_msg("a writer failed: status %d", status);
}

static void two_writers_double_nothing(void **state)
{
    enum { POINTS = 2000 };
    const char *path = support_path("n.db");
    pid_t pids[2];
    struct store *s;

    (void)state;
    support_listen();
    for (int i = 0; i < 2; i++)
        pids[i] = start(path, POINTS, -1);
    for (int i = 0; i < 2; i++)
        wait_for(pids[i]);
    assert_string_equal(support_heard(), "");
    assert_int_equal(store_open(path, &s), 0);
    expect_whole(s);
    assert_int_equal(support_int(s, "SELECT count(*) FROM point"), POINTS);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_point"), 2 * POINTS);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_end"), 2);
    store_close(s);
}

static void many_create_one_file(void **state)
{
    enum { WRITERS = 8, ROUNDS = 5 };

    (void)state;
    support_listen();
    for (int round = 0; round < ROUNDS; round++) {
        char name[32];
        pid_t pids[WRITERS];
        struct store *s;

        snprintf(name, sizeof(name), "n-%d.db", round);
        for (int i = 0; i < WRITERS; i++)
            pids[i] = start(support_path(name), 3, -1);
        for (int i = 0; i < WRITERS; i++)
            wait_for(pids[i]);
        assert_int_equal(store_open(support_path(name), &s), 0);
        expect_whole(s);
        assert_int_equal(support_int(s, "SELECT count(*) FROM point"), 3);
        assert_int_equal(support_int(s, "SELECT count(*) FROM run"), WRITERS);
        store_close(s);
    }
    assert_string_equal(support_heard(), "");
}

/* Kill a writer at a moment of its own, after 0 to 40 ms of work; how many points it had reported as stored. */
static uint32_t kill_one(const char *path, size_t n, unsigned *seed)
{
    struct timespec pause = { 0, (long)(rand_r(seed) % 40000) * 1000 };
    uint32_t i, stored = 0;
    int ends[2], status;
    pid_t pid;

    assert_int_equal(pipe(ends), 0);
    pid = start(path, n, ends[1]);
    close(ends[1]);
    if (read(ends[0], &i, sizeof(i)) == sizeof(i))
        stored = i + 1;
    nanosleep(&pause, NULL);
    kill(pid, SIGKILL);
    waitpid(pid, &status, 0);
    while (read(ends[0], &i, sizeof(i)) == sizeof(i))
        stored = i + 1;
    close(ends[0]);
    return stored;
}

static void a_killed_writer_loses_nothing_reported(void **state)
{
    enum { KILLS = 20, POINTS = 3000 };
    const char *path = support_path("n.db");
    unsigned seed = 20260131;
    int unfinished = 0;

    (void)state;
    for (int k = 0; k < KILLS; k++) {
        uint32_t reported = kill_one(path, POINTS, &seed);
        char sql[96];
        struct store *s;

        assert_int_equal(store_open(path, &s), 0);
        expect_whole(s);
        snprintf(sql, sizeof(sql), "SELECT count(*) FROM run_point WHERE run_id = %d", k + 1);
        if (support_int(s, sql) < reported || support_int(s, sql) > reported + 1)
            fail_msg("kill %d: %u points were reported stored, %lld are there", k, reported,
                     (long long)support_int(s, sql));
        unfinished += support_int(s, sql) < POINTS;
        store_close(s);
    }
    /* A test in which every writer finished first would show nothing. */
    assert_true(unfinished > KILLS / 2);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(two_writers_double_nothing),
        TEST(many_create_one_file),
        TEST(a_killed_writer_loses_nothing_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
