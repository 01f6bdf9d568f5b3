/* memory_test.c - when memory runs out, at whichever allocation: NW_ENOMEM, no crash, nothing leaked. The reader's
 * callocs are counted through the linker's --wrap; libyaml's own allocations are not. */
#include <stdlib.h>
#include <string.h>

#include "harness/status.h"
#include "tests/scenario/inputs.h"
#include "tests/test.h"

void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);

static long left = -1; /* allocations until one fails; -1: none does */

void *__wrap_calloc(size_t n, size_t size)
{
    if (left > 0)
        left--;
    else if (!left)
        return NULL;
    return __real_calloc(n, size);
}

static const char text[] =
    "name: x\nplatform: p.yaml\nmodel: m.yaml\nbatch: 64\nmethod: {kind: host-sgd}\n"
    "sweep: {batch: 1..400:lin:400}\ncompare: [{paper: p, table: I, row: \"{batch}\", column: c, measure: m}]\n";

/* Lists of a method, of which each point has its own copy, and traffic, which is read in addition to the scenario. */
#define PLATFORM "platform: {name: c, cpu: {cores_per_socket: 1, memory_bandwidth: 1 GB/s}}\n"
static const struct input inputs[] = {
    { .text = text },
    { .text = "name: x\nmodel: m.yaml\nbatch: 64\n" PLATFORM
              "method: {kind: parameter-server, workers: 1, push: {encode: {curve: [{size: 1 B, rate: 1 B/s}]}}}\n"
              "sweep: {batch: 1..400:lin:400}\n" },
    { .text = "name: x\n" PLATFORM "method: {kind: flows, file: t.csv}\nsweep: {sockets: 1..400:lin:400}\n",
      .more_path = "t.csv",
      .more_text = "id,src,dst,bytes,start_s\n1,0,0,1,0\n0,0,0,1,0\n" },
};

static int open_and_bind(const struct input *in)
{
    struct scenario_file *f = NULL;
    char *printed;
    struct point p;
    int rc = input_open(in, &printed, &f);

    free(printed);
    if (!rc)
        rc = scenario_point(f, 7, &p);
    if (!rc)
        point_free(&p);
    scenario_close(f);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(inputs) / sizeof(*inputs); i++) {
        int rc = NW_ENOMEM;
        long n = 0;

        for (; rc == NW_ENOMEM && n < 10000; n++) {
            left = n;
            rc = open_and_bind(&inputs[i]);
            left = -1;
        }
        assert_int_equal(rc, NW_OK);
        assert_true(n > 5); /* several allocations did fail */
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_allocation_may_fail) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
