/* table_test.c - a list of mappings that is a CSV file: what it is read as, and where its errors are. */
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "sim/collective/measured.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

#define TEXT                                                                                               \
    "name: x\nmodel: m.yaml\nbatch: 4\nmethod: {kind: host-sgd}\nplatform: {include: p.yaml, collective: " \
    "{table: t.csv}}\n"

static struct point opened(const char *csv, struct scenario_file **file)
{
    struct input in = { .text = TEXT, .more_path = "t.csv", .more_text = csv };
    struct point p;

    *file = input_opened(&in);
    assert_int_equal(scenario_point(*file, 0, &p), NW_OK);
    return p;
}

static void rows_are_those_of_a_list(void **state)
{
    static const char *const texts[] = {
        "ranks,bytes (B),time (us)\n2,1048576,44.21\n8,2097152,92.79\n",
        "\xef\xbb\xbf# nccl-tests\r\n\r\n time (us) , ranks,bytes (MiB),operation\r\n44.21,2,1,all-reduce\r\n"
        "# two\r\n92.79 , 8, 2 ,all-reduce",
    };

    (void)state;
    for (size_t i = 0; i < COUNT(texts); i++) {
        struct scenario_file *file;
        struct point p = opened(texts[i], &file);
        const struct measured *m = &p.scenario.platform.collective;
        assert_int_equal(m->nrows, 2);
        assert_int_equal(m->rows[0].ranks, 2);
        assert_int_equal(m->rows[1].ranks, 8);
        assert_int_equal(m->rows[0].bytes, 1 << 20);
        assert_int_equal(m->rows[1].bytes, 2 << 20);
        assert_true(m->rows[0].time_s == 44.21e-6 && m->rows[1].time_s == 92.79e-6);
        assert_int_equal(m->rows[1].operation, COLLECTIVE_ALLREDUCE);
        point_free(&p);
        scenario_close(file);
    }
}

#define KEY "platform.collective.table"

static void errors_have_their_line(void **state)
{
    static const struct {
        const char *csv, *want;
    } cases[] = {
        { "ranks,bytes (B),time (us)\n2,8,1\n\n2,16,none\n", "t.csv:4:6: " KEY "[1].time: expected" },
        { "ranks,bytes (B),time (us)\n2,8,-1\n", "t.csv:2:5: " KEY "[0].time: expected" },
        { "ranks,bytes (B),time\n2,8,1\n", "t.csv:2:6: " KEY "[0].time: expected" },
        { "ranks,bytes (B),time (us)\n2,8,\n", "t.csv:2:5: " KEY "[0].time: expected" },
        { "ranks,bytes (B),time (us)\n2,8\n", "t.csv:2:1: " KEY ": expected 3 values, as the header has, got 2" },
        { "ranks,bytes (B)\n2,8\n", "t.csv:2:1: " KEY "[0].time: expected the required key" },
        { "ranks,bytes (B),time (us),machine\n2,8,1,x\n", "t.csv:1:27: " KEY "[0].machine: expected a key of the row" },
        { "ranks,ranks\n2,2\n", "t.csv:1:7: " KEY ": expected each key once, got 'ranks' again" },
        { "ranks,bytes (B),time (us)\n", "t.csv:1:1: " KEY ": expected a list of 1 to" },
        { "", "t.csv:1:1: " KEY ": expected a list of 1 to" },
        { "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q\n", "t.csv:1:1: " KEY ": expected at most 16 columns, got 17" },
        { "ranks\xff\n", "t.csv:1:6: " KEY ": expected text in UTF-8, got" },
        { NULL, "s.yaml:5:49: " KEY ": expected a file, got 't.csv': " },
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct input in = { .text = TEXT, .more_path = cases[i].csv ? "t.csv" : NULL, .more_text = cases[i].csv };
        struct scenario_file *f = NULL;
        char *printed;
        int rc = input_open(&in, &printed, &f);
        if (rc != NW_EINPUT || strncmp(printed, cases[i].want, strlen(cases[i].want)) != 0)
            fail_msg("%zu: %d: %s does not begin with %s", i, rc, printed, cases[i].want);
        scenario_close(f);
        free(printed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_those_of_a_list),
        cmocka_unit_test(errors_have_their_line),
    };

    return cmocka_run_group_tests_name("tables", tests, NULL, NULL);
}
