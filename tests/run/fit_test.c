/* fit_test.c - constants are fitted to the results of a simulation with known ones, and must come out again; what
 * cannot be fitted is refused. */

#include <math.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/run/fit/fit.h"
#include "harness/run/fit/memory.h"
#include "harness/run/interrupt.h"
#include "harness/run/point/measures.h"
#include "harness/status.h"
#include "tests/sanitized.h"
#include "tests/test.h"

enum { MAX_FITS = 4, MAX_PLAYED = 1000 };

/* Points: plain and packed at 1 GB/s, then at 4 GB/s. */
static const char scenario[] =
    "name: fits\n"
    "platform:\n"
    "  name: box\n"
    "  peak: 1 TFlop/s\n"
    "  cpu: {cores_per_socket: 4, memory_bandwidth: 1 GB/s, memory_efficiency: 0.5, codec: calibrated}\n"
    "  gpu: {count: 2, peak: 1 TFlop/s, memory_bandwidth: 100 GB/s, memory: 4 GB, link: wire}\n"
    "  link: {wire: {bandwidth: 1 GB/s, latency: 10 us, shared_by: 2}}\n"
    "model:\n"
    "  name: two-layers\n"
    "  input: {channels: 3, height: 8, width: 8}\n"
    "  classes: 10\n"
    "  layers: [{kind: conv, channels: 8, kernel: 3, pad: 1}, {kind: classifier}]\n"
    "batch: 8\n"
    "method: {kind: host-sgd, codec: adt, bytes_per_weight: 2}\n"
    "sweep: {link.wire.bandwidth: [1 GB/s, 4 GB/s]}\n"
    "variants: {plain: {method.codec: none}, packed: {}}\n"
    "baseline: plain\n"
    "compare: [{paper: test, table: T, row: '{variant}', column: '{link.wire.bandwidth}', measure: speedup},\n"
    "          {paper: test, table: T, row: '{variant}', column: '{link.wire.bandwidth} gain', measure: gain_pct}]\n"
    "calibrate:\n"
    "  variant: plain\n"
    "  fit:\n";

static const char *path_of(const char *name, char text[256])
{
    const char *folder = getenv("NARROWS_TEST_TMP");

    snprintf(text, 256, "%s/fit_test%s", folder ? folder : "/tmp", name);
    return text;
}

/* One row of the section, and what it is to meet: a figure, or that of a point with the true constants. */
struct row {
    const char *constant; /* "constant: PATH, start: X, " or "" */
    const char *row, *column, *measure;
    double published; /* 0: simulate */
    size_t point, baseline;
    double want; /* the true constant */
};

static void write_scenario(const struct row rows[], size_t n)
{
    char path[256];
    FILE *f = fopen(path_of(".yaml", path), "w");

    assert_non_null(f);
    fputs(scenario, f);
    for (size_t i = 0; i < n; i++)
        fprintf(f, "    - {%spaper: test, table: T, row: %s, column: %s, measure: %s}\n", rows[i].constant, rows[i].row,
                rows[i].column, rows[i].measure);
    fclose(f);
}

static double simulated(const struct scenario_file *f, size_t index, const char *measure)
{
    struct measures m;
    struct point p;
    char why[256];

    assert_int_equal(scenario_point(f, index, &p), NW_OK);
    assert_int_equal(measures_of(&p.scenario, &m, why, sizeof(why)), NW_OK);
    point_free(&p);
    return measure_value(&m, measure);
}

static double to_publish(const struct scenario_file *f, const struct row *r)
{
    if (r->published != 0)
        return r->published;
    if (!strcmp(r->measure, "speedup"))
        return simulated(f, r->baseline, "sample_us") / simulated(f, r->point, "sample_us");
    if (!strcmp(r->measure, "gain_pct"))
        return 100 * (1 - simulated(f, r->point, "sample_us") / simulated(f, r->baseline, "sample_us"));
    return simulated(f, r->point, r->measure);
}

/* A database whose papers have the rows' cells, of the scenario with the true constants (set). */
static struct store *publish(const struct row rows[], size_t n, const char *const sets[], size_t nsets)
{
    struct scenario_file *f;
    struct store *store;
    sqlite3 *db;
    char path[256];

    unlink(path_of(".db", path));
    assert_int_equal(store_open(path, &store), NW_OK);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char yaml[256];
    assert_int_equal(scenario_open(path_of(".yaml", yaml), sets, nsets, NULL, 0, stderr, &f), NW_OK);
    for (size_t i = 0; i < n; i++) {
        char *sql = sqlite3_mprintf("INSERT OR IGNORE INTO paper_value VALUES ('test','T',%Q,%Q,%!.17g,'ms','a test')",
                                    rows[i].row, rows[i].column, to_publish(f, &rows[i]));
        if (strcmp(rows[i].row, "unpublished") != 0)
            assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        sqlite3_free(sql);
    }
    scenario_close(f);
    sqlite3_close(db);
    return store;
}

/* *f is what the results refer to: for the caller to close. */
static int fit(const struct row rows[], size_t n, const char *const sets[], size_t nsets, struct fit_result out[],
               struct scenario_file **f)
{
    char path[256];

    write_scenario(rows, n);
    struct store *store = publish(rows, n, sets, nsets);
    assert_int_equal(scenario_open(path_of(".yaml", path), NULL, 0, NULL, 0, stderr, f), NW_OK);
    int rc = fit_scenario(*f, store, out);
    store_close(store);
    return rc;
}

#define MEMORY "constant: platform.cpu.memory_efficiency, start: 0.3, "
#define LATENCY "constant: platform.link.wire.latency, start: 0.001, "
#define CONVOLUTION "constant: platform.gpu.efficiency.convolution, start: 0.9, "
#define CORES "constant: platform.cpu.efficiency, start: 0.5, " /* compute no network here */
#define LAUNCH "constant: platform.gpu.launch_latency, "

static void true_constants_come_out_again(void **state)
{
    static const struct {
        const char *why, *sets[MAX_FITS];
        size_t n;
        double within; /* of the ratio */
        struct row rows[MAX_FITS];
    } cases[] = {
        { "one constant, one cell: by scaling",
          { "platform.cpu.memory_efficiency=0.37" },
          1,
          1e-8,
          { { MEMORY, "plain", "x", "update_ms", 0, 0, 0, 0.37 } } },
        { "a constant that is given begins where it stands",
          { "platform.cpu.memory_efficiency=0.83" },
          1,
          1e-8,
          { { "constant: platform.cpu.memory_efficiency, ", "plain", "x", "update_ms", 0, 0, 0, 0.83 } } },
        { "a time of which the constant holds a part: many scalings",
          { "platform.cpu.memory_efficiency=0.02" },
          1,
          1e-6,
          { { MEMORY, "plain", "x", "sample_us", 0, 0, 0, 0.02 } } },
        { "two constants, two times of one point",
          { "platform.cpu.memory_efficiency=0.37", "platform.gpu.efficiency.convolution=0.21" },
          2,
          1e-6,
          { { MEMORY, "plain", "x", "update_ms", 0, 0, 0, 0.37 },
            { CONVOLUTION, "plain", "y", "convolution_ms", 0, 0, 0, 0.21 } } },
        { "a time that grows with its constant, which scaling drives away",
          { "platform.link.wire.latency=3.3 ms" },
          1,
          1e-4,
          { { LATENCY, "plain", "x", "to_device_ms", 0, 0, 0, 3.3e-3 } } },
        { "the same from a constant that is given as 0",
          { "platform.gpu.launch_latency=0.7 ms" },
          1,
          1e-3,
          { { LAUNCH, "plain", "x", "convolution_ms", 0, 0, 0, 0.7e-3 } } },
        { "a share of one point is no time",
          { "platform.gpu.efficiency.convolution=0.004" },
          1,
          1e-3,
          { { "constant: platform.gpu.efficiency.convolution, start: 0.002, ", "plain", "x", "link_utilisation", 0, 0,
              0, 0.004 } } },
        { "a speedup, of the point that covers the cell",
          { "platform.cpu.memory_efficiency=0.02" },
          1,
          1e-2,
          { { MEMORY, "packed", "4 GB/s", "speedup", 0, 3, 2, 0.02 } } },
        { "a gain, and not of the other bandwidth",
          { "platform.cpu.memory_efficiency=0.02" },
          1,
          1e-2,
          { { MEMORY, "packed", "1 GB/s gain", "gain_pct", 0, 1, 0, 0.02 } } },
        { "two constants from two points, and an observation more",
          { "platform.cpu.memory_efficiency=0.02", "platform.link.wire.latency=0.3 ms" },
          3,
          1e-2,
          { { MEMORY, "packed", "4 GB/s", "speedup", 0, 3, 2, 0.02 },
            { LATENCY, "plain", "x", "to_device_ms", 0, 0, 0, 0.3e-3 },
            { "", "packed", "1 GB/s gain", "gain_pct", 0, 1, 0, NAN } } },
    };

    (void)state;
    for (size_t c = 0; c < COUNT(cases); c += sampled() ? 2 : 1) {
        struct fit_result out[MAX_FITS];
        struct scenario_file *f;
        size_t nsets = 0;
        while (nsets < MAX_FITS && cases[c].sets[nsets])
            nsets++;
        if (fit(cases[c].rows, cases[c].n, cases[c].sets, nsets, out, &f) != NW_OK)
            fail_msg("%s: refused", cases[c].why);
        for (size_t i = 0; i < cases[c].n; i++) {
            const struct row *r = &cases[c].rows[i];
            if (isnan(r->want) ? !isnan(out[i].value) : !(fabs(out[i].value / r->want - 1) <= cases[c].within))
                fail_msg("%s: constant %zu came to %.12g, it was %.12g", cases[c].why, i, out[i].value, r->want);
            if (!(fabs(out[i].reached / out[i].published - 1) <= fmin(cases[c].within, 3e-4)))
                fail_msg("%s: row %zu reaches %.12g, published is %.12g", cases[c].why, i, out[i].reached,
                         out[i].published);
            assert_string_equal(out[i].fit->cell.measure, r->measure);
            assert_string_equal(out[i].platform, "box"); /* read after the points were freed */
        }
        scenario_close(f);
    }
}

/* The points that were simulated, and by which constants, on whichever thread. */
static struct {
    const struct scenario *point;
    double efficiency, latency;
} played[MAX_PLAYED];
static atomic_size_t nplayed;

int __real_measures_of(const struct scenario *sc, struct measures *out, char *why, size_t nwhy);
int __wrap_measures_of(const struct scenario *sc, struct measures *out, char *why, size_t nwhy);

int __wrap_measures_of(const struct scenario *sc, struct measures *out, char *why, size_t nwhy)
{
    struct scenario *s = (struct scenario *)sc; /* is only read */
    size_t i = atomic_fetch_add(&nplayed, 1);

    if (i < MAX_PLAYED) {
        played[i].point = sc;
        played[i].efficiency = *scenario_number(s, "platform.cpu.memory_efficiency");
        played[i].latency = *scenario_number(s, "platform.link.wire.latency");
    }
    return __real_measures_of(sc, out, why, nwhy);
}

static void nothing_is_simulated_twice(void **state)
{
    static const struct row rows[] = { { MEMORY, "packed", "4 GB/s", "speedup", 0, 3, 2, 0.02 },
                                       { LATENCY, "plain", "x", "to_device_ms", 0, 0, 0, 0.3e-3 } };
    static const char *const sets[] = { "platform.cpu.memory_efficiency=0.02", "platform.link.wire.latency=0.3 ms" };
    struct fit_result out[MAX_FITS];
    struct scenario_file *f;
    char path[256];

    (void)state;
    write_scenario(rows, COUNT(rows));
    struct store *store = publish(rows, COUNT(rows), sets, COUNT(sets));
    assert_int_equal(scenario_open(path_of(".yaml", path), NULL, 0, NULL, 0, stderr, &f), NW_OK);
    nplayed = 0;
    assert_int_equal(fit_scenario(f, store, out), NW_OK);
    assert_in_range(nplayed, 9, MAX_PLAYED); /* three points by the start, and for two derivatives */
    for (size_t i = 0; i < nplayed; i++)
        for (size_t k = 0; k < i; k++)
            if (played[i].point == played[k].point && played[i].efficiency == played[k].efficiency &&
                played[i].latency == played[k].latency)
                fail_msg("simulations %zu and %zu of %zu are the same", k, i, (size_t)nplayed);
    scenario_close(f);
    store_close(store);
}

static void what_cannot_be_fitted_is_refused(void **state)
{
    static const struct {
        const char *why;
        size_t n;
        struct row rows[MAX_FITS];
    } cases[] = {
        { "a time that the constant can bring no lower", 1, { { MEMORY, "plain", "x", "sample_us", 1e-6, 0, 0, 0 } } },
        { "a time that is longer with any latency", 1, { { LATENCY, "plain", "x", "to_device_ms", 1e-5, 0, 0, 0 } } },
        { "a time that the constant does not touch", 1, { { MEMORY, "plain", "x", "convolution_ms", 5, 0, 0, 0 } } },
        { "a speedup that it does not reach", 1, { { MEMORY, "packed", "4 GB/s", "speedup", 1000, 0, 0, 0 } } },
        { "a constant that no row answers to, next to one that is met",
          2,
          { { MEMORY, "packed", "4 GB/s", "speedup", 0, 3, 2, 0 },
            { CORES, "plain", "x", "to_device_ms", 0, 0, 0, 0 } } },
        { "the same with rows to spare",
          3,
          { { MEMORY, "packed", "4 GB/s", "speedup", 0, 3, 2, 0 },
            { CORES, "plain", "x", "update_ms", 0, 0, 0, 0 },
            { "", "packed", "1 GB/s", "speedup", 0, 1, 0, 0 } } },
        { "more than the key allows", 1, { { MEMORY, "plain", "x", "update_ms", 1e-9, 0, 0, 0 } } },
        { "the same by search", 1, { { MEMORY, "plain", "x", "link_utilisation", 0.337, 0, 0, 0 } } },
        { "a measure of another method", 1, { { MEMORY, "plain", "x", "nic_utilisation", 0.5, 0, 0, 0 } } },
        { "the same as one of several points",
          2,
          { { MEMORY, "packed", "4 GB/s", "speedup", 0, 3, 2, 0 },
            { "", "plain", "x", "nic_utilisation", 0.5, 0, 0, 0 } } },
        { "a word that is no measure", 1, { { MEMORY, "plain", "x", "speed", 1, 0, 0, 0 } } },
        { "a cell that no paper has", 1, { { MEMORY, "unpublished", "x", "update_ms", 1, 0, 0, 0 } } },
        { "a cell below 0", 1, { { MEMORY, "plain", "x", "update_ms", -1, 0, 0, 0 } } },
        { "a gain of everything", 1, { { MEMORY, "packed", "1 GB/s gain", "gain_pct", 100, 0, 0, 0 } } },
        { "one constant twice",
          2,
          { { MEMORY, "plain", "x", "update_ms", 2, 0, 0, 0 }, { MEMORY, "plain", "y", "sample_us", 2, 0, 0, 0 } } },
        { "no constant", 1, { { "", "plain", "x", "update_ms", 1, 0, 0, 0 } } },
        { "none in the first row",
          2,
          { { "", "plain", "y", "sample_us", 1, 0, 0, 0 }, { MEMORY, "plain", "x", "update_ms", 1, 0, 0, 0 } } },
    };

    (void)state;
    for (size_t c = 0; c < COUNT(cases); c++) {
        struct fit_result out[MAX_FITS];
        struct scenario_file *f;
        int rc = fit(cases[c].rows, cases[c].n, NULL, 0, out, &f);
        scenario_close(f);
        if (rc != NW_EINPUT)
            fail_msg("%s: expected to be refused, got %d and %g", cases[c].why, rc, rc ? 0 : out[0].value);
    }
}

static void key_of(const char *const sets[], size_t nsets, struct store *store, char key[POINT_KEY_LENGTH + 1])
{
    struct scenario_file *f;
    char path[256];

    assert_int_equal(scenario_open(path_of(".yaml", path), sets, nsets, NULL, 0, stderr, &f), NW_OK);
    assert_int_equal(fit_key(f, store, key), NW_OK);
    scenario_close(f);
}

/* What was fitted comes back as it was, observations without a constant too, and under its own key alone. */
static void a_fit_is_remembered(void **state)
{
    static const struct row rows[] = { { MEMORY, "packed", "4 GB/s", "speedup", 2, 0, 0, 0 },
                                       { "", "packed", "1 GB/s gain", "gain_pct", 5, 0, 0, 0 } };
    static const char *const other[] = { "batch=16" };
    char key[POINT_KEY_LENGTH + 1], changed[POINT_KEY_LENGTH + 1], path[256];
    struct fit_result made[2] = { 0 }, found[2] = { 0 };
    struct scenario_file *f;
    const struct fit *fits;

    (void)state;
    write_scenario(rows, 2);
    struct store *store = publish(rows, 2, NULL, 0);
    assert_int_equal(scenario_open(path_of(".yaml", path), NULL, 0, NULL, 0, stderr, &f), NW_OK);
    assert_int_equal(scenario_fits(f, &fits), 2);
    made[0] = (struct fit_result){ .fit = &fits[0], .value = 0.25, .reached = 1.5 };
    made[1] = (struct fit_result){ .fit = &fits[1], .value = NAN, .reached = -7 };
    assert_int_equal(fit_key(f, store, key), NW_OK);
    assert_int_equal(fit_recall(f, store, key, found), 0);
    assert_int_equal(fit_remember(f, store, key, made), NW_OK);
    assert_int_equal(fit_recall(f, store, key, found), 1);
    assert_true(found[0].value == 0.25 && found[0].reached == 1.5 && found[0].published == 2);
    assert_true(isnan(found[1].value) && found[1].reached == -7 && found[1].published == 5);
    assert_ptr_equal(found[1].fit, &fits[1]);
    assert_string_equal(found[0].platform, "box");

    key_of(NULL, 0, store, changed);
    assert_string_equal(changed, key); /* the same file, read again */
    key_of(other, 1, store, changed);
    assert_string_not_equal(changed, key);
    assert_int_equal(fit_recall(f, store, changed, found), 0);
    scenario_close(f);
    store_close(store);

    static const struct row less[] = { { MEMORY, "packed", "4 GB/s", "speedup", 2, 0, 0, 0 } };
    static const struct row elsewhere[] = { { MEMORY, "packed", "4 GB/s", "speedup", 2, 0, 0, 0 },
                                            { "", "packed", "1 GB/s", "speedup", 5, 0, 0, 0 } };
    const struct row *const others[] = { less, elsewhere };
    for (size_t i = 0; i < COUNT(others); i++) {
        write_scenario(others[i], i + 1);
        store = publish(others[i], i + 1, NULL, 0);
        key_of(NULL, 0, store, changed);
        assert_string_not_equal(changed, key);
        store_close(store);
    }
}

/* In a process of its own, which nobody asks anything afterwards. */
static void an_interrupt_ends_a_fit(void **state)
{
    static const struct row row = { MEMORY, "plain", "x", "update_ms", 0, 0, 0, 0.37 };
    static const char *const set = "platform.cpu.memory_efficiency=0.37";
    pid_t child = fork();
    int status = 0;

    (void)state;
    if (child == 0) {
        struct fit_result out[MAX_FITS];
        struct scenario_file *f;

        interrupt_catch();
        raise(SIGINT);
        _exit(fit(&row, 1, &set, 1, out, &f) == NW_EINTR ? EXIT_INTERRUPTED : EXIT_FAILED);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), EXIT_INTERRUPTED);
}

/* Two cells that ask for constants 4 % apart: both together meet half way, each without the other one its own. */
static void each_cell_can_be_left_out(void **state)
{
    static const char *const sets[] = { "platform.cpu.memory_efficiency=0.37" };
    struct row rows[] = { { MEMORY, "plain", "x", "update_ms", 0, 0, 0, 0.37 },
                          { "", "plain", "y", "update_ms", 0, 0, 0, NAN } };
    struct scenario_file *f;
    double elsewhere[] = { 0.5, NAN }, values[4];
    char path[256];

    (void)state;
    write_scenario(rows, 2);
    assert_int_equal(scenario_open(path_of(".yaml", path), sets, 1, NULL, 0, stderr, &f), NW_OK);
    rows[1].published = 1.04 * simulated(f, 0, "update_ms");
    scenario_close(f);
    for (size_t n = 2; n > 0; n--) { /* with one row, the constant is what it is elsewhere */
        struct fit_result fitted[2];
        write_scenario(rows, n);
        struct store *store = publish(rows, n, sets, 1);
        assert_int_equal(scenario_open(path_of(".yaml", path), NULL, 0, NULL, 0, stderr, &f), NW_OK);
        assert_int_equal(fit_scenario(f, store, fitted), NW_OK);
        assert_int_equal(fit_without(f, store, elsewhere, fitted, values), NW_OK);
        assert_true(fabs(fitted[0].value / (n == 2 ? 0.37 / sqrt(1.04) : 0.37) - 1) < 1e-3);
        assert_true(fabs(values[0] / (n == 2 ? 0.37 / 1.04 : 0.5) - 1) < 1e-3);
        assert_true(n == 1 || (isnan(values[1]) && fabs(values[2] / 0.37 - 1) < 1e-3 && isnan(values[3])));
        elsewhere[0] = NAN;
        assert_int_equal(fit_without(f, store, elsewhere, fitted, values), NW_OK);
        assert_true(n == 2 ? fabs(values[0] / (0.37 / 1.04) - 1) < 1e-3 : isnan(values[0]));
        elsewhere[0] = 0.5;
        scenario_close(f);
        store_close(store);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(true_constants_come_out_again),    cmocka_unit_test(each_cell_can_be_left_out),
        cmocka_unit_test(what_cannot_be_fitted_is_refused), cmocka_unit_test(a_fit_is_remembered),
        cmocka_unit_test(an_interrupt_ends_a_fit),          cmocka_unit_test(nothing_is_simulated_twice),
    };
    return cmocka_run_group_tests_name("fit", tests, NULL, NULL);
}
