/* train_side_test.c - the sides of a bench of the trainer: processes that take turns and may fail. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/bench/train/side.h"
#include "harness/status.h"
#include "model/status.h"
#include "tests/test.h"

struct counter {
    int64_t taken, fails_at, ends_at;
    const char *refuses;
};

static int open_counter(void *context, int64_t *parameters, char *why, size_t nwhy)
{
    const struct counter *c = context;

    *parameters = 42;
    if (c->refuses)
        snprintf(why, nwhy, "%s", c->refuses);
    return c->refuses ? -1 : 0;
}

static int count_steps(void *context, int64_t n, char *why, size_t nwhy)
{
    struct counter *c = context;

    c->taken += n;
    if (c->ends_at && c->taken >= c->ends_at)
        _exit(0);
    if (c->fails_at && c->taken >= c->fails_at) {
        snprintf(why, nwhy, "failed after %lld steps", (long long)c->taken);
        return -1;
    }
    return 0;
}

static struct side_work work_of(struct counter *c)
{
    return (struct side_work){ open_counter, count_steps, c, 1 };
}

static void sides_take_turns_and_end(void **state)
{
    struct counter c = { 0 };
    struct side_work w = work_of(&c);
    struct side a, b;
    int64_t ns = 0;

    (void)state;
    assert_int_equal(side_fork(&w, &a), NW_OK);
    assert_int_equal(side_fork(&w, &b), NW_OK);
    assert_true(a.parameters == 42 && !strcmp(a.program, "narrows"));
    for (int i = 0; i < 3; i++) {
        assert_int_equal(side_steps(&a, 10, &ns), NW_OK);
        assert_true(ns > 0);
        assert_int_equal(side_steps(&b, 10, &ns), NW_OK);
    }
    assert_int_equal(c.taken, 0); /* in their processes */
    side_close(&a);               /* though b has its end of the talk, too */
    side_close(&b);
    side_close(&b);
}

static void a_side_says_why_it_failed(void **state)
{
    struct counter refusing = { .refuses = "no such network" }, failing = { .fails_at = 20 },
                   ending = { .ends_at = 20 };
    struct side_work w = work_of(&refusing);
    struct side s;
    int64_t ns;

    (void)state;
    assert_int_equal(side_fork(&w, &s), NW_EIO);
    assert_string_equal(s.why, "no such network");
    assert_int_equal(s.pid, 0);
    w = work_of(&failing);
    assert_int_equal(side_fork(&w, &s), NW_OK);
    assert_int_equal(side_steps(&s, 19, &ns), NW_OK);
    assert_int_equal(side_steps(&s, 1, &ns), NW_EIO);
    assert_string_equal(s.why, "failed after 20 steps");
    side_close(&s);
    w = work_of(&ending);
    assert_int_equal(side_fork(&w, &s), NW_OK);
    for (int i = 0; i < 2; i++) { /* the second time nobody listens */
        assert_int_equal(side_steps(&s, 20, &ns), NW_EIO);
        assert_string_equal(s.why, "it ended without an answer");
    }
    side_close(&s);
}

static void other_programs_are_held_to_the_talk(void **state)
{
    static const struct {
        const char *script, *why;
        int64_t steps;
    } cases[] = {
        { "echo ready 7 Other 1.0; read n; echo ${n}000", "", 5 },
        { "echo ready 7 Other 1.0; read n; echo failed not today", "not today", 5 },
        { "echo ready 7 Other 1.0; read n; echo soon", "expected nanoseconds from it", 5 },
        { "echo ready 7 Other 1.0; read n; echo 0", "expected nanoseconds from it", 5 },
        { "echo ready 7 Other 1.0; read n; printf 12", "it ended without an answer", 5 },
        { "echo failed No module named torch", "No module named torch", 0 },
        { "echo hello", "expected 'ready PARAMETERS PROGRAM' from it", 0 },
        { "echo ready 7.5 Other 1.0", "expected 'ready PARAMETERS PROGRAM' from it", 0 },
        { "echo ready 7", "expected 'ready PARAMETERS PROGRAM' from it", 0 },
        { "exit 3", "it ended without an answer", 0 },
    };
    struct side s;
    int64_t ns = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *const argv[] = { "sh", "-c", cases[i].script, NULL };
        int rc = side_execute(argv, 1, 1, &s);

        if (!rc && cases[i].steps) {
            assert_int_equal(s.parameters, 7);
            assert_string_equal(s.program, "Other 1.0");
            rc = side_steps(&s, cases[i].steps, &ns);
        }
        if (strcmp(s.why, cases[i].why) || !rc != !*cases[i].why)
            fail_msg("%s: %d, '%s' instead of '%s'", cases[i].script, rc, s.why, cases[i].why);
        side_close(&s);
    }
    assert_int_equal(ns, 0);
}

static void other_programs_get_the_number_of_threads(void **state)
{
    const char *const argv[] = { "sh", "-c",
                                 "echo ready $OMP_NUM_THREADS$OPENBLAS_NUM_THREADS$MKL_NUM_THREADS "
                                 "on $(env -u OMP_NUM_THREADS nproc)",
                                 NULL };
    const char *const nothing[] = { "/no/such/program", NULL };
    struct side s;

    (void)state;
    assert_int_equal(side_execute(argv, 1, 1, &s), NW_OK);
    assert_int_equal(s.parameters, 111);
    assert_string_equal(s.program, "on 1");
    side_close(&s);
    assert_int_equal(side_execute(nothing, 1, 1, &s), NW_EIO);
    assert_string_equal(s.why, "No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(sides_take_turns_and_end),
                                        cmocka_unit_test(a_side_says_why_it_failed),
                                        cmocka_unit_test(other_programs_are_held_to_the_talk),
                                        cmocka_unit_test(other_programs_get_the_number_of_threads) };
    return cmocka_run_group_tests_name("train_side", tests, NULL, NULL);
}
