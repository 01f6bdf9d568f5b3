/* The bench: its statistics by hand, its table complete, its errors as stated, and the process left as it was found. No
 * assertion on how long anything took. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/bench/bench.h"
#include "harness/bench/group/groups.h"
#include "harness/measure/measure.h"
#include "harness/measure/pin.h"
#include "harness/measure/statistics.h"
#include "harness/status.h"
#include "kernels/copy/copy.h"
#include "model/model.h"
#include "tests/kernels/libomp_leak.h"
#include "tests/test.h"

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

static int run_small(const struct group *g, const char *impl, bool (*stop)(void))
{
    static const size_t layers[] = { 1728, 1, 70000, 33 };
    static const struct bench_size sizes[] = { { layers, 4 }, { layers, 1 } };
    const struct group *const groups[] = { g, NULL };
    FILE *out = open_memstream(&table, &table_size), *progress = fopen("/dev/null", "w");
    struct bench_options o = { .groups = groups,
                               .sizes = sizes,
                               .nsizes = 2,
                               .impl = impl,
                               .reps = 4,
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

    snprintf(begin, sizeof(begin), "\n%-16s %-18s ", kernel, impl);
    for (const char *at = table; (at = strstr(at, begin)); at++)
        n++;
    return n;
}

/* A group that writes down what it is asked to do: 'a' and 'b' work, '(' and '[' prepare. */
static char log_of_runs[4096];
static size_t nlog;
static double total_values;

static void note(char c)
{
    if (nlog + 1 < sizeof(log_of_runs))
        log_of_runs[nlog++] = c;
    log_of_runs[nlog] = '\0';
}

static void run_noted(struct work *w)
{
    note(*(const char *)w->arg);
    w->bits = 2.5;
}

static void prepare_noted(struct work *w)
{
    note(*(const char *)w->arg == 'a' ? '(' : '[');
}

static int noted_rows(struct session *s)
{
    struct work anchor = { .kernel = "base", .impl = "i", .nbytes = 1, .run = run_noted, .arg = "." };
    struct work works[] = {
        { .kernel = "a",
          .impl = "i",
          .variant = "v",
          .nbytes = 1,
          .before = prepare_noted,
          .run = run_noted,
          .arg = "a" },
        { .kernel = "b", .impl = "i", .flops = 1, .nbytes = 1, .before = prepare_noted, .run = run_noted, .arg = "b" },
    };
    size_t sum = 0;
    const float *buffer = session_alloc(s, 4000);

    for (size_t i = 0; i < s->size->nlayers; i++)
        sum += s->size->layers[i];
    assert_int_equal(sum, s->n);
    assert_non_null(buffer);
    for (int i = 0; i < 1000; i++)
        assert_true(buffer[i] != 0);
    for (size_t i = 0; i < sum; i++)
        assert_true(s->change[i] != 0 && s->state[i] != 0);
    total_values += (double)sum;
    return session_time(s, &anchor, works, 2);
}

static const struct group noted = { "noted", "a group of the test", noted_rows };

static struct bench_options silent(const struct group *const *groups, const struct bench_size *size, FILE *out,
                                   FILE *progress)
{
    return (struct bench_options){
        .groups = groups, .sizes = size, .nsizes = 1, .reps = 2, .threads = 1, .out = out, .progress = progress
    };
}

/* Each kind of operation that a network has, on the backend asked for; and nothing without a network. */
static void operations_of_a_model(void **state)
{
    static struct layer_spec layers[] = {
        { .kind = LAYER_CONV, .channels = 4, .kernel = 3, .pad = 1 },
        { .kind = LAYER_BATCHNORM },
        { .kind = LAYER_RELU },
        { .kind = LAYER_AVGPOOL },
        { .kind = LAYER_CLASSIFIER, .bias = 1 },
        { .kind = LAYER_SOFTMAX },
    };
    static const char *const kinds[] = { "step",         "conv-forward",  "conv-backward",       "batchnorm-forward",
                                         "relu-forward", "relu-backward", "classifier-backward", "softmax-backward" };
    const struct model_spec spec = {
        .name = "tiny", .channels = 3, .height = 8, .width = 8, .classes = 10, .layers = layers, .nlayers = 6
    };
    const struct group *const groups[] = { &group_ops, NULL };
    static const size_t n[] = { 108 };
    const struct bench_size size = { n, 1 };
    FILE *out = open_memstream(&table, &table_size), *progress = fopen("/dev/null", "w");
    struct bench_options o = silent(groups, &size, out, progress);
    struct model model;
    char why[256];

    (void)state;
    assert_int_equal(model_infer(&spec, &model, why, sizeof(why)), 0);
    assert_int_equal(bench_run(&o), NW_EINPUT);
    o.model = &model;
    o.impl = "reference";
    assert_int_equal(bench_run(&o), NW_OK);
    fclose(out);
    fclose(progress);
    for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
        if (lines_of(kinds[i], "reference") < 1)
            fail_msg("no line of %s in\n%s", kinds[i], table);
    assert_int_equal(lines_of("conv-forward", "gemm"), 0);
    free(table);
    model_free(&model);
}

/* A warm-up and four repetitions, anchor first, each work prepared right before it. What is three times slower than its
 * anchor gets three, and which of the two it is here depends on the clock. */
static void anchor_and_works_take_turns(void **state)
{
    static const char turn[] = ".(a[b";
    size_t sessions = pin_all_threads() > 1 ? 4 : 2, turns;

    (void)state;
    nlog = 0;
    total_values = 0;
    assert_int_equal(run_small(&noted, NULL, NULL), NW_OK);
    assert_true(total_values == (double)(sessions / 2) * (71762 + 1728));
    assert_int_equal(nlog % (sizeof(turn) - 1), 0);
    turns = nlog / (sizeof(turn) - 1);
    assert_in_range(turns, 4 * sessions, 5 * sessions);
    for (size_t i = 0; i < nlog; i++)
        assert_int_equal(log_of_runs[i], turn[i % (sizeof(turn) - 1)]);
    assert_int_equal(lines_of("base", "i"), sessions);
    assert_int_equal(lines_of("a", "i"), sessions);
    assert_non_null(strstr(table, " 2.5000 base "));
    free(table);
}

static void every_copy_has_its_lines(void **state)
{
    bool more = pin_all_threads() > 1;

    (void)state;
    assert_int_equal(run_small(&group_copy, NULL, NULL), NW_OK);
    for (const struct copy_impl *im = copy_impls; im->impl.name; im++) {
        int want = im->impl.usable() && (!im->impl.parallel || more) ? 2 : 0;

        if (lines_of("copy", im->impl.name) != want)
            fail_msg("%s: %d lines, want %d\n%s", im->impl.name, lines_of("copy", im->impl.name), want, table);
    }
    free(table);
}

static void only_what_was_asked_for(void **state)
{
    (void)state;
    assert_int_equal(run_small(&group_copy, "memcpy", NULL), NW_OK);
    assert_int_equal(lines_of("copy", "memcpy"), 2);
    assert_int_equal(lines_of("copy", "nt_avx2"), 0);
    free(table);
    assert_int_equal(run_small(&group_copy, "memcp", NULL), NW_EINPUT); /* a prefix is not a name */
    assert_int_equal(table_size, 0);
    free(table);
}

static bool at_once(void)
{
    return 1;
}

static void stops_when_told(void **state)
{
    (void)state;
    assert_int_equal(run_small(&group_copy, NULL, at_once), NW_EINTR);
    assert_int_equal(lines_of("copy", "memcpy"), 0);
    free(table);
}

static cpu_set_t before; /* any test has run */

/* The simulator's threads come after the bench in the same process: they must not inherit a pinned thread. */
static void leaves_the_process_as_it_was(void **state)
{
    const int threads[2] = { 1, pin_all_threads() };
    cpu_set_t after;
    const char *impl = NULL;
    double Bps = 0;

    (void)state;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(measure_pack(3, 100000, threads[i], &Bps, &impl), NW_OK);
        assert_true(Bps > 0);
        assert_non_null(impl);
    }
    assert_int_equal(sched_getaffinity(0, sizeof(after), &after), 0);
    assert_true(CPU_EQUAL(&before, &after));
    assert_int_equal(measure_pack(3, 0, 1, &Bps, &impl), NW_EINPUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quantiles_by_hand),
        cmocka_unit_test(operations_of_a_model),
        cmocka_unit_test(anchor_and_works_take_turns),
        cmocka_unit_test(every_copy_has_its_lines),
        cmocka_unit_test(only_what_was_asked_for),
        cmocka_unit_test(stops_when_told),
        cmocka_unit_test(leaves_the_process_as_it_was),
    };

    if (sched_getaffinity(0, sizeof(before), &before))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
