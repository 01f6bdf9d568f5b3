/* step_progress_test.c - when progress is printed, what it says, and that threads do not disturb each other. Times
 * are made up. */
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/training/step_progress.h"
#include "tests/sanitized.h"
#include "tests/test.h"

static const int64_t ms = 1000000, s = 1000000000;

static void it_is_said_at_times(void **state)
{
    static const struct {
        const char *what;
        bool terminal, quiet;
        int64_t now_ms, done; /* of 1000 steps; the last line was at 1000 ms and 40 steps */
        bool due;
    } cases[] = {
        { "a terminal too soon", 1, 0, 1099, 200, 0 },   { "a terminal after a tenth of a second", 1, 0, 1100, 41, 1 },
        { "a line before 30 s", 0, 0, 30999, 49, 0 },    { "a line after 30 s", 0, 0, 31000, 41, 1 },
        { "a line for 5 %", 0, 0, 2000, 90, 1 },         { "no line for less", 0, 0, 2000, 89, 0 },
        { "no two lines a second", 0, 0, 1999, 900, 0 }, { "quiet on a terminal", 1, 1, 900000, 200, 0 },
        { "quiet elsewhere", 0, 1, 900000, 200, 0 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct training_progress p = { .steps = 1000,
                                       .done = cases[i].done,
                                       .shown_ns = 1000 * ms,
                                       .shown_done = 40,
                                       .terminal = cases[i].terminal,
                                       .quiet = cases[i].quiet };

        if (training_progress_due(&p, cases[i].now_ms * ms) != cases[i].due)
            fail_msg("%s", cases[i].what);
    }
}

static void the_line_says(void **state)
{
    static const struct {
        const char *what;
        struct training_progress p;
        struct training_live one;
        int64_t now_ns;
        int columns;
        const char *line;
    } cases[] = {
        { "one training",
          { .label = "3lc", .runs = 1, .steps = 600, .done = 120, .samples = 38400 },
          { .name = "a",
            .steps = 600,
            .step = 120,
            .stepped = 1,
            .loss = 1.23456,
            .metric = "accuracy",
            .unit = "%",
            .value = 71.25 },
          10 * s,
          0,
          "3lc: 120 of 600 steps, loss 1.235, accuracy 71.25 %, 3840 samples/s, 40 s left" },
        { "nothing yet",
          { .label = "3lc", .runs = 1, .steps = 600 },
          { .name = "a", .metric = "AUC", .unit = "", .value = 0.5 },
          10 * s,
          0,
          "3lc: 0 of 600 steps, AUC 0.5" },
        { "several runs",
          { .label = "3lc", .runs = 10, .finished = 4, .steps = 6000, .done = 3000, .samples = 96000 },
          { .name = "8-bit, seed 2", .steps = 600, .step = 17, .stepped = 1, .loss = NAN },
          600 * s,
          0,
          "3lc: 4 of 10 training runs, 3000 of 6000 steps, 160 samples/s, 10 min left; "
          "8-bit, seed 2: step 17 of 600, loss nan" },
        { "what was done before does not count as speed",
          { .label = "3lc", .runs = 1, .steps = 1000, .done = 510, .before = 500, .samples = 320, .began_ns = 100 * s },
          { .name = "a", .steps = 1000, .step = 510, .stepped = 1, .loss = 2 },
          200 * s,
          0,
          "3lc: 510 of 1000 steps, loss 2, 3 samples/s, 82 min left" },
        { "days",
          { .label = "3lc", .runs = 1, .steps = 100000, .done = 100, .samples = 100 },
          { .name = "a", .steps = 100000, .step = 100, .stepped = 1, .loss = 2 },
          3600 * s,
          0,
          "3lc: 100 of 100000 steps, loss 2, 0 samples/s, 999.0 h left" },
        { "a narrow terminal cuts characters, not bytes",
          { .label = "3×lc", .runs = 1, .steps = 600 },
          { .name = "a" },
          10 * s,
          6,
          "3×lc: " },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char line[512];

        training_progress_line(&cases[i].p, &cases[i].one, cases[i].now_ns, cases[i].columns, line, sizeof(line));
        if (strcmp(line, cases[i].line) != 0)
            fail_msg("%s: '%s'", cases[i].what, line);
        /* A line that is too long for the buffer is cut, not written past it. */
        for (size_t size = 1; size < 40; size++) {
            char text[512];

            memset(text, '#', sizeof(text) - 1);
            text[sizeof(text) - 1] = 0;
            training_progress_line(&cases[i].p, &cases[i].one, cases[i].now_ns, 0, text, size);
            if (strlen(text) + 1 > size || strspn(text + size, "#") + size + 1 < sizeof(text) ||
                (!cases[i].columns && strncmp(text, cases[i].line, strlen(text)) != 0))
                fail_msg("%s: '%s' in %zu bytes", cases[i].what, text, size);
        }
    }
}

static void steps_are_counted(void **state)
{
    struct training_progress p;
    struct training_live a, b;

    (void)state;
    training_progress_begin(&p, "x", 2, 200);
    p.quiet = 1;
    training_progress_start(&p, &a, "a", 100, 0);
    training_progress_start(&p, &b, "b", 100, 40);
    training_progress_step(&p, &a, 2.5, 32);
    training_progress_evaluated(&p, &a, "accuracy", 10, "%");
    training_progress_step(&p, &b, 1.5, 64);
    assert_int_equal(p.done, 42);
    assert_int_equal(p.before, 40);
    assert_int_equal(p.samples, 96);
    assert_int_equal(a.step, 1);
    assert_int_equal(b.step, 41);
    assert_true(a.loss == 2.5 && a.value == 10 && !b.metric);
    /* It ends before its time. */
    training_progress_finish(&p, &b);
    assert_int_equal(p.finished, 1);
    assert_int_equal(p.steps, 141);
    training_progress_end(&p);
}

enum { THREADS = 4, STEPS = SANITIZED ? 500 : 5000 };

static pthread_barrier_t together;

static void *train(void *arg)
{
    struct training_progress *p = arg;
    struct training_live one;

    pthread_barrier_wait(&together);
    training_progress_start(p, &one, "one", STEPS, 0);
    for (int i = 0; i < STEPS; i++) {
        training_progress_step(p, &one, 1.0 / (i + 1), 10);
        if (i % 100 == 0)
            training_progress_evaluated(p, &one, "accuracy", i, "%");
    }
    training_progress_finish(p, &one);
    return NULL;
}

/* Half a minute passes between any two looks at it, so that all is said. */
static int64_t slow_clock(void)
{
    static int64_t now_ns;

    return now_ns += 30 * s;
}

/* Lines come one after the other, whole, a line for all that happens. */
static void threads_take_turns(void **state)
{
    for (int terminal = 0; terminal < 2; terminal++) {
        struct training_progress p;
        pthread_t threads[THREADS];
        char *text = NULL;
        size_t size, lines = 0;

        (void)state;
        training_progress_begin(&p, "x", THREADS, THREADS * STEPS);
        p.out = open_memstream(&text, &size);
        assert_non_null(p.out);
        p.terminal = terminal;
        p.quiet = 0;
        p.clock_ns = slow_clock;
        p.began_ns = p.shown_ns = slow_clock();
        pthread_barrier_init(&together, NULL, THREADS);
        for (int i = 0; i < THREADS; i++)
            assert_int_equal(pthread_create(&threads[i], NULL, train, &p), 0);
        for (int i = 0; i < THREADS; i++)
            pthread_join(threads[i], NULL);
        pthread_barrier_destroy(&together);
        assert_int_equal(p.done, THREADS * STEPS);
        assert_int_equal(p.samples, 10 * THREADS * STEPS);
        assert_int_equal(p.finished, THREADS);
        assert_int_equal(p.shown_ns, p.began_ns + (int64_t)THREADS * (STEPS + STEPS / 100 + 1) * 30 * s);
        training_progress_end(&p);
        fclose(p.out);
        const char *const begin = terminal ? "\r\033[K" : "", *const end = terminal ? "\r" : "\n";
        for (const char *at = text; *at; lines++) {
            if (strncmp(at, begin, strlen(begin)) != 0)
                fail_msg("no line begins at '%.40s'", at);
            at += strlen(begin);
            if (*at && (strncmp(at, "x: ", 3) != 0 || !strstr(at, "of 4 training runs")))
                fail_msg("no line is '%.40s'", at);
            at += strcspn(at, end);
            at += *at == '\n';
        }
        assert_int_equal(lines, THREADS * (STEPS + STEPS / 100 + 1) + (size_t)terminal);
        free(text);
    }
}

static void quiet_is_quiet(void **state)
{
    static const char *const settings[] = { NULL, "1" };

    (void)state;
    for (size_t i = 0; i < COUNT(settings); i++) {
        struct training_progress p;

        unsetenv("NARROWS_QUIET");
        if (settings[i])
            setenv("NARROWS_QUIET", settings[i], 1);
        training_progress_begin(&p, "x", 1, 10);
        assert_int_equal(p.quiet, settings[i] != NULL);
        training_progress_end(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_said_at_times), cmocka_unit_test(the_line_says),  cmocka_unit_test(steps_are_counted),
        cmocka_unit_test(threads_take_turns),  cmocka_unit_test(quiet_is_quiet),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
