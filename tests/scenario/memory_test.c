/* memory_test.c - when memory runs out, at whichever allocation: NW_ENOMEM, no crash, nothing leaked. The reader's
 * callocs are counted through the linker's --wrap; libyaml's own allocations are not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/status.h"
#include "tests/scenario/inputs.h"

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

static int open_and_bind(void)
{
    struct input in = { .text = text };
    struct scenario_file *f = NULL;
    char *said;
    struct point p;
    int rc = input_open(&in, &said, &f);

    free(said);
    if (!rc)
        rc = scenario_point(f, 7, &p);
    if (!rc)
        point_free(&p);
    scenario_close(f);
    return rc;
}

static void every_allocation_may_fail(void **state)
{
    long n = 0;
    int rc = NW_ENOMEM;

    (void)state;
    for (; rc == NW_ENOMEM && n < 10000; n++) {
        left = n;
        rc = open_and_bind();
        left = -1;
    }
    assert_int_equal(rc, NW_OK);
    assert_true(n > 5); /* several allocations did fail */
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(every_allocation_may_fail) };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
