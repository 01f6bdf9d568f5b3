/* The bench: its statistics by hand, its table complete, its errors as stated, and the process left as it was found. No
 * assertion on how long anything took. */
#define _GNU_SOURCE
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/bench/bench.h"
#include "harness/bench/statistics.h"
#include "harness/status.h"
#include "kernels/adt/adt.h"
#include "kernels/l2norm/l2norm.h"
#include "tests/kernels/libomp_leak.h"

static void quantiles_by_hand(void **state)
{
    static const struct {
        double values[5];
        size_t n;
        double q, want;
    } cases[] = {
        { { 7 }, 1, 0.5, 7 },
        { { 3, 1 }, 2, 0.5, 2 },
        { { 5, 1, 3 }, 3, 0.5, 3 },
        { { 4, 1, 3, 2 }, 4, 0.5, 2.5 },
        { { 5, 4, 3, 2, 1 }, 5, 0, 1 },
        { { 5, 4, 3, 2, 1 }, 5, 1, 5 },
        { { 5, 4, 3, 2, 1 }, 5, 0.1, 1.4 },
        { { 2, 2, 2, 2, 9 }, 5, 0.75, 2 },
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        double values[5];

        memcpy(values, cases[i].values, sizeof(values));
        assert_float_equal(quantile(values, cases[i].n, cases[i].q), cases[i].want, 1e-12);
    }
}

static char *table;
static size_t table_size;

static int run_small(unsigned groups, const char *impl, _Bool (*stop)(void))
{
    static const size_t sizes[] = { 1728, 1, 70000, 33 };
    FILE *out = open_memstream(&table, &table_size), *progress = fopen("/dev/null", "w");
    struct bench_options o = { .groups = groups,
                               .sizes = sizes,
                               .nsizes = 4,
                               .impl = impl,
                               .reps = 2,
                               .out = out,
                               .progress = progress,
                               .stop = stop };
    int rc;

    assert_non_null(out);
    assert_non_null(progress);
    rc = bench_run(&o);
    fclose(out);
    fclose(progress);
    return rc;
}

/* How many lines of the table begin with kernel and implementation. */
static int lines_of(const char *kernel, const char *impl)
{
    char begin[64];
    int n = 0;

    snprintf(begin, sizeof(begin), "\n%-10s %-15s ", kernel, impl);
    for (const char *at = table; (at = strstr(at, begin)); at++)
        n++;
    return n;
}

static void every_implementation_has_its_lines(void **state)
{
    _Bool more = bench_all_threads() > 1;

    (void)state;
    assert_int_equal(run_small(BENCH_ADT | BENCH_L2NORM, NULL, NULL), NW_OK);
    for (const struct adt_impl *im = adt_impls; im->impl.name; im++) {
        int want = im->impl.where == IMPL_HOST && im->impl.usable() && (!im->impl.parallel || more) ? 4 : 0;

        if (im->impl.where == IMPL_HOST &&
            (lines_of("adt_pack", im->impl.name) != want || lines_of("adt_unpack", im->impl.name) != want))
            fail_msg("%s: %d and %d lines, want %d\n%s", im->impl.name, lines_of("adt_pack", im->impl.name),
                     lines_of("adt_unpack", im->impl.name), want, table);
    }
    for (const struct l2norm_impl *im = l2norm_impls; im->impl.name; im++)
        if (im->impl.where == IMPL_HOST)
            assert_int_equal(lines_of("l2norm", im->impl.name), im->impl.usable() && (!im->impl.parallel || more));
    free(table);
}

static void only_what_was_asked_for(void **state)
{
    (void)state;
    assert_int_equal(run_small(BENCH_ADT, "scalar", NULL), NW_OK);
    assert_int_equal(lines_of("adt_pack", "scalar"), 4);
    assert_int_equal(lines_of("adt_pack", "avx2"), 0);
    assert_int_equal(lines_of("l2norm", "scalar"), 0);
    free(table);
    assert_int_equal(run_small(BENCH_ADT, "scala", NULL), NW_EINPUT); /* a prefix is not a name */
    assert_int_equal(table_size, 0);
    free(table);
}

static _Bool at_once(void)
{
    return 1;
}

static void stops_when_told(void **state)
{
    (void)state;
    assert_int_equal(run_small(BENCH_ADT, NULL, at_once), NW_EINTR);
    assert_int_equal(lines_of("adt_pack", "scalar"), 0);
    free(table);
}

static cpu_set_t before; /* any test has run */

/* The simulator's threads come after the bench in the same process: they must not inherit a pinned thread. */
static void leaves_the_process_as_it_was(void **state)
{
    const int threads[2] = { 1, bench_all_threads() };
    cpu_set_t after;
    const char *impl = NULL;
    double Bps = 0;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(bench_measure_pack(3, 100000, threads[i], &Bps, &impl), NW_OK);
        assert_true(Bps > 0);
        assert_non_null(impl);
    }
    assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    assert_int_equal(bench_measure_pack(3, 0, 1, &Bps, &impl), NW_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_by_hand),
        cmocka_unit_test(every_implementation_has_its_lines),
        cmocka_unit_test(only_what_was_asked_for),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(leaves_the_process_as_it_was),
    };

    if (sched_getaffinity(0, sizeof(before), &before))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
