/* Which rank ended an execution, and why, from what launchers print: lines as they came from Open MPI and MPICH. */
#include "harness/exec/launch/last_words.h"
#include "tests/test.h"

static const struct {
    const char *lines[8];
    int rank;
    const char *reason;
} cases[] = {
    { { NULL }, -1, "" },
    { { "small[0] ring: executed 3.1 ms a step", "a model of rank 3", "rank and file" }, -1, "" },
    { { "--------------------------------------------------------------------------",
        "Primary job  terminated normally, but 1 process returned",
        "a non-zero exit code. Per user-direction, the job has been aborted.",
        "--------------------------------------------------------------------------",
        "mpirun noticed that process rank 2 with PID 0 on node n exited on signal 9 (Killed)." },
      2,
      "mpirun noticed that process rank 2 with PID 0 on node n exited on signal 9 (Killed)." },
    { { "mpirun detected that one or more processes exited with non-zero status, thus causing",
        "the job to be terminated. The first process to do so was:", "", "  Process name: [[37961,1],11]",
        "  Exit code:    1" },
      11,
      "Process name: [[37961,1],11]" },
    { { "rank 3: not done after 3 s: 12 of 40 tasks have ended",
        "MPI_ABORT was invoked on rank 1 in communicator "
        "MPI_COMM_WORLD",
        "rank 1: not done after 3 s: 10 of 40 tasks have ended" },
      3,
      "rank 3: not done after 3 s: 12 of 40 tasks have ended" },
    { { "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD", "with errorcode 1." },
      1,
      "MPI_ABORT was invoked on rank 1 in communicator MPI_COMM_WORLD" },
    { { "ORTE has lost communication with a remote daemon.", "", "  HNP daemon   : [[35121,0],0] on node of-1-0",
        "  Remote daemon: [[35121,0],2] on node 10.77.0.3" },
      -1,
      "ORTE has lost communication with a remote daemon." },
    { { "=   BAD TERMINATION OF ONE OF YOUR APPLICATION PROCESSES", "=   RANK 2 PID 30023 RUNNING AT n",
        "=   KILLED BY SIGNAL: 9 (Killed)" },
      2,
      "=   RANK 2 PID 30023 RUNNING AT n" },
    { { "application called MPI_Abort(MPI_COMM_WORLD, 1) - process 5" },
      5,
      "application called MPI_Abort(MPI_COMM_WORLD, 1) - process 5" },
};

static void test_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct last_words w;
        last_words_begin(&w);
        for (size_t k = 0; k < COUNT(cases[i].lines) && cases[i].lines[k]; k++)
            last_words_hear(&w, cases[i].lines[k]);
        assert_string_equal(w.reason, cases[i].reason);
        assert_int_equal(w.rank, cases[i].rank);
    }
}

static void test_certain(void **state)
{
    struct last_words w = last_words_of(4, "rank 4 (process 1) was stopped");

    (void)state;
    last_words_hear(&w, "rank 0: not done after 3 s");
    assert_int_equal(w.rank, 4);
    assert_string_equal(w.reason, "rank 4 (process 1) was stopped");
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_lines), cmocka_unit_test(test_certain) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
