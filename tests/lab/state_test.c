/* A lab's state as a file: it comes back whole, nothing else is taken for one, and the dead are known as dead. */
#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/lab/state.h"
#include "harness/lab/state_text.h"
#include "harness/status.h"

static struct lab_state *sample(void)
{
    struct lab_state *s = calloc(1, sizeof(*s));

    snprintf(s->name, sizeof(s->name), "a-1");
    snprintf(s->mark, sizeof(s->mark), "a-1:7.99");
    snprintf(s->congestion, sizeof(s->congestion), "cubic");
    snprintf(s->plan.platform, sizeof(s->plan.platform), "my own, of four");
    s->owner = (struct lab_process){ 7, 99 };
    s->holder = (struct lab_process){ 8, 123456789012ULL };
    s->ready = s->calibrated = true;
    s->plan.machines = 4;
    s->plan.per_switch = s->plan.switches = 2;
    for (int i = 0; i < 4; i++)
        s->plan.links[i] = (struct lab_link){ { 1e6 / 3 + i, 16384, 1000000 }, { 2e9, 4096000 + i, 1 }, i * 1e-3 };
    for (int i = 0; i < 2; i++)
        s->plan.uplinks[i] = (struct lab_link){ { 5e6 + i, 1, 2 }, { 6e6, 3, 4 }, 0 };
    s->nmeasures = 2;
    s->measures[0] = (struct lab_measure){ "machine 0 -> 1", 1e6 / 7, 1e6 / 9, 1 };
    s->measures[1] = (struct lab_measure){ "switch 0 -> 1", 5, 4, 3 };
    return s;
}

static void test_round_trip(void **state)
{
    struct lab_state *s = sample(), *back = malloc(sizeof(*back));
    const char *dir = getenv("NARROWS_LAB_DIR");
    char found[4096], path[4200];

    (void)state;
    assert_int_equal(lab_state_write(dir, s), NW_OK);
    assert_int_equal(lab_find("a-1", true, found, sizeof(found)), NW_OK);
    assert_string_equal(found, dir);
    assert_int_equal(lab_find("a", true, found, sizeof(found)), NW_EINPUT);
    memset(back, 0xff, sizeof(*back));
    assert_int_equal(lab_state_read(dir, "a-1", back), NW_OK);
    assert_memory_equal(s, back, sizeof(*s));
    lab_state_remove(dir, "a-1");
    snprintf(path, sizeof(path), "%s/a-1.lab", dir);
    assert_int_not_equal(access(path, F_OK), 0);
    free(s);
    free(back);
}

/* Cut anywhere, or with a line that nobody wrote. */
static void test_damage(void **state)
{
    struct lab_state *s = sample(), *back = malloc(sizeof(*back));
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);

    (void)state;
    state_print(out, s);
    fclose(out);
    for (size_t n = 1; n < size - 1; n++) { /* all but the last line's end */
        FILE *in = fmemopen(text, n, "r");
        assert_false(state_parse(in, back));
        fclose(in);
    }
    memcpy(strstr(text, "mark"), "murk", 4);
    FILE *in = fmemopen(text, size, "r");
    assert_false(state_parse(in, back));
    fclose(in);
    free(text);
    free(s);
    free(back);
}

static void test_alive(void **state)
{
    struct lab_state *s = sample();
    pid_t pid = fork();

    (void)state;
    if (!pid)
        _exit(0);
    struct lab_process child = process_of(pid), self = process_of(getpid());
    waitpid(pid, NULL, 0);
    assert_false(process_alive(child));
    assert_true(process_alive(self));
    s->owner = s->holder = self;
    assert_true(lab_state_alive(s));
    s->owner.start++; /* another process of the same number */
    assert_false(lab_state_alive(s));
    s->owner = (struct lab_process){ 0 };
    assert_true(lab_state_alive(s));
    s->holder = child;
    assert_false(lab_state_alive(s));
    free(s);
}

static void test_names(void **state)
{
    static const char *const good[] = { "a", "Lab-1", "x_2", "123456789012345678901234" };
    static const char *const bad[] = { "", "-a", "a/b", "a b", "../x", "1234567890123456789012345", "\xc3\xa4" };

    (void)state;
    for (size_t i = 0; i < COUNT(good); i++)
        assert_true(lab_name_ok(good[i]));
    for (size_t i = 0; i < COUNT(bad); i++)
        assert_false(lab_name_ok(bad[i]));
}

/* Those with the mark in their environment, and no others. */
static void test_kill_marked(void **state)
{
    char mark[64];
    pid_t pids[2];
    int status;

    (void)state;
    snprintf(mark, sizeof(mark), "NARROWS_LAB=test:%d", (int)getpid());
    for (int i = 0; i < 2; i++) {
        pids[i] = fork();
        if (!pids[i]) {
            char text[96], *env[] = { text, NULL };
            snprintf(text, sizeof(text), "%s%s", mark, i ? "" : "0");
            execle("/bin/sleep", "sleep", "60", NULL, env);
            _exit(127);
        }
    }
    while (process_kill_marked(mark, NULL, 0) == 0 && waitpid(pids[1], &status, WNOHANG) == 0)
        usleep(1000); /* until it has become sleep */
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    assert_int_equal(waitpid(pids[0], &status, WNOHANG), 0);
    kill(pids[0], SIGKILL);
    waitpid(pids[0], &status, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trip), cmocka_unit_test(test_damage),      cmocka_unit_test(test_alive),
        cmocka_unit_test(test_names),      cmocka_unit_test(test_kill_marked),
    };

    setenv("NARROWS_LAB_DIR", getenv("NARROWS_TEST_TMP"), 1);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
