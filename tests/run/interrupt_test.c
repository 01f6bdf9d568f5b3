/* The first signal asks, the second of either kind ends the process. */

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/interrupt.h"
#include "tests/test.h"

enum { NOT_ASKED = 3, OUTLIVED = 4 };

static int after_two(int first, int second)
{
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        interrupt_catch();
        if (interrupted())
            _exit(NOT_ASKED);
        raise(first);
        if (!interrupted())
            _exit(NOT_ASKED);
        raise(second);
        _exit(OUTLIVED);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void the_second_signal_ends_it(void **state)
{
    static const int pairs[][2] = {
        { SIGINT, SIGINT }, { SIGTERM, SIGTERM }, { SIGINT, SIGTERM }, { SIGTERM, SIGINT }
    };

    (void)state;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++) {
        int status = after_two(pairs[i][0], pairs[i][1]);
        if (!WIFSIGNALED(status) || WTERMSIG(status) != pairs[i][1])
            fail_msg("signal %d, then %d: status %x", pairs[i][0], pairs[i][1], (unsigned)status);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(the_second_signal_ends_it) };
    return cmocka_run_group_tests_name("interrupt", tests, NULL, NULL);
}
