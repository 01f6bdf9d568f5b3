/* nccl_tests_test.c - what nccl-tests prints, of several versions: the rows, medians of repeated runs, and what is
 * refused. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/import/nccl/nccl_tests.h"
#include "harness/status.h"
#include "tests/test.h"

/* clang-format off */
#define TWO "# Using devices\n" \
            "#  Rank  0 Group  0 Pid 7 on node device  0 [0x07] NVIDIA A100\n" \
            "#   Rank  1 Pid 7 on node device  1 [0x0f] A\n"
#define NEW "# nccl-tests version 2.17.1 nccl-headers=22807 nccl-library=22807\n# Collective test starting: "
#define HEAD "#                                     out-of-place                       in-place          \n" \
             "#       size    count   type   redop    root     time   algbw   busbw #wrong     time   algbw   " \
             "busbw #wrong\n" \
             "#        (B)    (elements)                       (us)  (GB/s)  (GB/s)            (us)  (GB/s)  \n"
#define OLD "#       size    count   type   redop     time   algbw   busbw  error     time   algbw   busbw  error\n"
#define ROW(bytes, time, in_place) "  " bytes "  2  float  sum  -1  " time "  0  0  0  " in_place "  0  0  0\n"
/* clang-format on */

struct reading {
    struct nccl_tests t;
    char *said;
    int rc;
};

static struct reading parse(const char *text, int operation, int64_t ranks, bool in_place)
{
    const struct nccl_tests_options o = { operation, ranks, in_place };
    struct reading r = { 0 };
    size_t n = strlen(text), nsaid = 0;
    char *copy = malloc(n + 1);
    FILE *err = open_memstream(&r.said, &nsaid);

    assert_true(copy && err);
    memcpy(copy, text, n);
    r.rc = nccl_tests_parse("n.txt", copy, n, &o, &r.t, err);
    fclose(err);
    free(copy);
    return r;
}

static void runs_become_rows(void **state)
{
    static const struct {
        const char *what, *text;
        int operation;
        int64_t ranks;
        bool in_place;
        const char *want;
    } cases[] = {
        { "a run of today",
          NEW "all_reduce_perf\n" TWO HEAD ROW("8", "33.5", "32")
              ROW("1024", "1.2e+02", "31") "# Out of bounds values : 0 OK\n",
          -1, 0, false, "all-reduce,2,8,33.5\nall-reduce,2,1024,120\n" },
        { "in place", NEW "all_reduce_perf\n" TWO HEAD ROW("8", "33.5", "32"), -1, 0, true, "all-reduce,2,8,32\n" },
        { "older, which does not say what it was",
          TWO OLD " 8 2 float sum 5.5 0 0 0e+00 6 0 0 4e-07\n16 4 float sum 6 0 0 N/A 6 0 0 N/A\r\n",
          COLLECTIVE_BROADCAST, 0, false, "broadcast,2,8,5.5\nbroadcast,2,16,6\n" },
        { "without ranks, with NCCL's log",
          "node:1:2 [0] NCCL INFO x\n" NEW "all_gather_perf\n" HEAD "8 INFO\n" ROW("8", "2", "3"), -1, 4, false, NULL },
        { "several runs, medians, in order",
          NEW "reduce_scatter_perf\n" TWO HEAD ROW("64", "9", "1") NEW "all_gather_perf\n" TWO HEAD ROW("64", "7", "1")
              ROW("8", "4", "1") NEW "all_gather_perf\n" TWO HEAD ROW("64", "5", "1") ROW("64", "70", "1"),
          -1, 0, false, "all-gather,2,8,4\nall-gather,2,64,7\nreduce-scatter,2,64,9\n" },
        { "the mean of two in the middle", NEW "broadcast_perf\n" TWO HEAD ROW("64", "5", "1") ROW("64", "8", "1"), -1,
          0, false, "broadcast,2,64,6.5\n" },
        { "0 bytes and foreign operations are left out",
          NEW "all_gather_perf\n" TWO HEAD ROW("0", "1", "1") ROW("8", "4", "1") NEW
          "sendrecv_perf\n" TWO HEAD ROW("8", "4", "1"),
          -1, 0, false, "all-gather,2,8,4\n" },
        { "ranks of the second run, by nThread",
          TWO HEAD ROW("8", "1", "1") "# nThread 1 nGpus 2\n" TWO "#  Rank  2 Group  0\n" HEAD ROW("8", "3", "1"),
          COLLECTIVE_ALLREDUCE, 0, false, "all-reduce,2,8,1\nall-reduce,3,8,3\n" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading r = parse(cases[i].text, cases[i].operation, cases[i].ranks, cases[i].in_place);
        char *csv = NULL, want[512];
        size_t n = 0;
        FILE *out = open_memstream(&csv, &n);

        if (!cases[i].want) { /* a line of a table that is cut off */
            assert_int_equal(r.rc, NW_EINPUT);
        } else if (r.rc) {
            fail_msg("%s: %s", cases[i].what, r.said);
        }
        nccl_tests_write(&r.t, out);
        fclose(out);
        snprintf(want, sizeof(want), "operation,ranks,bytes (B),time (us)\n%s", cases[i].want ? cases[i].want : "");
        if (strcmp(csv, want) != 0)
            fail_msg("%s: '%s', not '%s'", cases[i].what, csv, want);
        nccl_tests_free(&r.t);
        free(r.said);
        free(csv);
    }
}

static void bad_runs_are_refused(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        { "", "n.txt: expected rows of nccl-tests' output, got none" },
        { "hello\n8 2 float\n", "n.txt: expected rows of nccl-tests' output, got none" },
        { TWO HEAD ROW("8", "1", "1"), "n.txt:7: expected a line '# Collective test starting: NAME' before the rows" },
        { NEW "all_reduce_perf\n" HEAD ROW("8", "1", "1"), "n.txt:6: expected a line '# Rank' for each of two ranks" },
        { NEW "all_reduce_perf\n" TWO HEAD "8 2 float sum -1 3 0 0 4 3 0 0 0\n",
          "n.txt:9: expected no wrong values, got '4'" },
        { NEW "all_reduce_perf\n" TWO HEAD ROW("8", "0", "1"), "n.txt:9: expected a time in us above 0, got '0'" },
        { NEW "all_reduce_perf\n" TWO HEAD ROW("8", "x", "1"), "n.txt:9: expected a time in us above 0, got 'x'" },
        { NEW "all_reduce_perf\n" TWO HEAD "8 2 float sum -1 3 0 0\n",
          "n.txt:9: expected as many values as there are columns, got the end" },
        { NEW "all_reduce_perf\n" TWO HEAD ROW("99999999999999999999", "1", "1"),
          "n.txt:9: expected bytes up to 1e15" },
        { NEW "all_reduce_perf\n" TWO "# size count algbw\n",
          "n.txt:6: expected a column 'time', got the end of the line" },
        { NEW "all_reduce_perf\n" TWO HEAD ROW("8", "1", "1") "# Out of bounds values : 3 FAILED\n",
          "n.txt:10: expected a run without values out of bounds, got 'FAILED'" },
        { NEW "alltoall_perf\n" TWO HEAD ROW("8", "1", "1"),
          "n.txt: expected rows of nccl-tests' output of an all-reduce, all-gather" },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct reading r = parse(cases[i].text, -1, 0, false);

        assert_int_equal(r.rc, NW_EINPUT);
        if (strncmp(r.said, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("case %d: '%s' does not begin with '%s'", (int)i, r.said, cases[i].want);
        free(r.said);
    }
}

static void names_say_what_it_was(void **state)
{
    static const struct {
        const char *text;
        int operation;
    } cases[] = {
        { "all_reduce_perf", COLLECTIVE_ALLREDUCE },
        { "all-gather", COLLECTIVE_ALLGATHER },
        { "run-3.reduce_scatter.log", COLLECTIVE_REDUCE_SCATTER },
        { "broadcast", COLLECTIVE_BROADCAST },
        { "gather_perf", -1 },
        { "scatter", -1 },
        { "reduce_perf", -1 },
        { "x", -1 },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_int_equal(nccl_tests_operation(cases[i].text), cases[i].operation);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(runs_become_rows),
        cmocka_unit_test(bad_runs_are_refused),
        cmocka_unit_test(names_say_what_it_was),
    };

    return cmocka_run_group_tests_name("nccl-tests", tests, NULL, NULL);
}
