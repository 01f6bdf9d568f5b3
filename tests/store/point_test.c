/* Facts through the store's interface: points once, listings per run, calibrations, samples, and what is said when the
 * disk is full or the file is held. */
#include <math.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/status.h"
#include "tests/store/support.h"
#include "tests/store/synthetic.h"
#include "tests/test.h"

#define KEY_A "0123456789abcdef0123456789abcdef"
#define KEY_B "fedcba9876543210fedcba9876543210"
#define KEY_C "00000000000000000000000000000000"

static struct store *open_new(void)
{
    struct store *s = NULL;

    assert_int_equal(store_open(support_path("n.db"), &s), 0);
    return s;
}

/* A point with one measure, one parameter on an axis of words and one cell. */
static struct point_fact *fact(const char *key, size_t place, double value)
{
    static struct measure_fact m;
    static const struct param_fact param = { "model", "vgg-a", NAN, "" };
    static const struct cell_fact cell = { "a2dtwp", "II", "Convolution", "A2DTWP", "convolution_ms" };
    static struct point_fact p;

    m = (struct measure_fact){ "convolution_ms", value, "ms" };
    p = (struct point_fact){ .key = key,
                             .variant = "A2DTWP",
                             .index = place,
                             .combination = place,
                             .params = &param,
                             .nparams = 1,
                             .measures = &m,
                             .nmeasures = 1,
                             .cells = &cell,
                             .ncells = 1 };
    return &p;
}

static void a_point_is_stored_once(void **state)
{
    (void)state;
    struct store *s = open_new();
    int64_t first = synthetic_run(s, "x", "", ""), second = synthetic_run(s, "x", "", "");

    assert_int_equal(store_has_point(s, KEY_A), 0);
    assert_int_equal(store_point(s, first, fact(KEY_A, 0, 1)), 0);
    assert_int_equal(store_has_point(s, KEY_A), 1);
    /* The same key again, by this run and by another, and with another value: the first one stays. */
    assert_int_equal(store_point(s, first, fact(KEY_A, 0, 1)), 0);
    assert_int_equal(store_point(s, second, fact(KEY_A, 0, 2)), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM point"), 1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM measure"), 1);
    assert_near(support_real(s, "SELECT value FROM measure"), 1, 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_point"), 2);
    assert_int_equal(support_int(s, "SELECT count(*) FROM cell"), 2);
    assert_int_equal(support_int(s, "SELECT count(*) FROM point_param WHERE value IS NULL AND text = 'vgg-a'"), 2);
    assert_int_equal(support_int(s, "SELECT run_id FROM point"), first);
    store_close(s);
}

static void existing_points_are_claimed(void **state)
{
    (void)state;
    struct store *s = open_new();
    int64_t first = synthetic_run(s, "x", "", ""), second = synthetic_run(s, "x", "", "");
    struct point_fact wanted[3];
    bool present[3] = { 0, 1, 0 };

    assert_int_equal(store_point(s, first, fact(KEY_A, 0, 1)), 0);
    assert_int_equal(store_point(s, first, fact(KEY_C, 1, 3)), 0);
    wanted[0] = *fact(KEY_A, 4, 0);
    wanted[1] = *fact(KEY_B, 5, 0);
    wanted[2] = *fact(KEY_C, 6, 0);
    assert_int_equal(store_claim_existing(s, second, wanted, 3, present), 0);
    assert_true(present[0] && !present[1] && present[2]);
    assert_int_equal(support_int(s, "SELECT count(*) FROM point"), 2);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_point WHERE run_id = 2 AND position IN (4, 6)"), 2);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_point"), 4);
    assert_int_equal(support_int(s, "SELECT count(*) FROM cell WHERE run_id = 2"), 2);
    assert_int_equal(support_int(s, "SELECT count(*) FROM point_param WHERE run_id = 2"), 2);
    store_close(s);
}

static void a_refused_point_leaves_nothing(void **state)
{
    static const struct {
        const char *what, *key, *said;
        double value;
    } cases[] = {
        { "a measure that is no number", KEY_A, "NOT NULL", NAN },
        { "an infinite measure", KEY_A, "CHECK", INFINITY },
        { "a key that is no hash", "x", "CHECK", 1 },
    };

    (void)state;
    struct store *s = open_new();
    int64_t run = synthetic_run(s, "x", "", "");

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        support_listen();
        int rc = store_point(s, run, fact(cases[i].key, 0, cases[i].value));
        const char *said = support_heard();

        if (rc != NW_EDB || !strstr(said, cases[i].said) || support_int(s, "SELECT count(*) FROM point") != 0)
            fail_msg("%s: answered %d and said: %s", cases[i].what, rc, said);
    }
    assert_int_equal(store_point(s, run, fact(KEY_A, 0, 1)), 0);
    store_close(s);
}

static void a_full_disk_loses_nothing(void **state)
{
    enum { MANY = 5000 };

    (void)state;
    struct store *s = open_new();
    int64_t run = synthetic_run(s, "x", "", "");
    int rc = 0, stored = 0;
    const char *said;

    support_exec(s, "PRAGMA max_page_count = 100");
    support_listen();
    for (; stored < MANY && !rc; stored += !rc) {
        char key[33], text[16];

        snprintf(text, sizeof(text), "%d", stored);
        synthetic_key(key, text);
        rc = store_point(s, run, fact(key, (size_t)stored, 1));
    }
    said = support_heard();
    assert_int_equal(rc, NW_EDB);
    if (!strstr(said, "full") || !strstr(said, "n.db"))
        fail_msg("said: %s", said);
    assert_true(stored > 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM measure"), stored);
    assert_int_equal(support_int(s, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), 1);
    /* With space again, the same handle goes on. */
    support_exec(s, "PRAGMA max_page_count = 100000");
    assert_int_equal(store_point(s, run, fact(KEY_A, MANY, 1)), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM measure"), stored + 1);
    store_close(s);
}

static void a_held_file_is_reported(void **state)
{
    (void)state;
    struct store *s = open_new(), *holder = open_new();
    int64_t run = synthetic_run(s, "x", "", "");

    sqlite3_busy_timeout(store_handle(s), 20);
    support_exec(holder, "BEGIN IMMEDIATE");
    support_listen();
    assert_int_equal(store_point(s, run, fact(KEY_A, 0, 1)), NW_EDB);
    assert_non_null(strstr(support_heard(), "locked"));
    support_exec(holder, "ROLLBACK");
    assert_int_equal(store_point(s, run, fact(KEY_A, 0, 1)), 0);
    store_close(holder);
    store_close(s);
}

static void a_run_says_all_it_was_told(void **state)
{
    static const struct run_fact run = { .command = "a",
                                         .scenario = "b",
                                         .title = "c",
                                         .notes = "d",
                                         .baseline = "e",
                                         .figure = "f",
                                         .file = "g",
                                         .commit = "h",
                                         .build = "i",
                                         .machine = "j",
                                         .seed = -5,
                                         .npoints = 7 };

    (void)state;
    struct store *s = open_new();
    int64_t id = 0;

    assert_int_equal(store_run(s, &run, &id), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run WHERE command = 'a' AND scenario = 'b' AND title = 'c'"
                                    " AND notes = 'd' AND baseline = 'e' AND figure = 'f' AND file = 'g' AND"
                                    " revision = 'h' AND build = 'i' AND machine = 'j' AND seed = -5 AND npoints = 7"
                                    " AND started_ns > 1600000000000000000"),
                     1);
    assert_int_equal(support_int(s, "SELECT count(*) FROM run_end"), 0);
    assert_int_equal(store_run_finished(s, id), 0);
    assert_int_equal(
        support_int(s, "SELECT count(*) FROM run_end JOIN run ON id = run_id WHERE ended_ns >= started_ns"), 1);
    store_close(s);
}

static int store_rep(struct store *s, int64_t run, const char *impl, int64_t values, int64_t rep, int64_t ns)
{
    bool anchor = strcmp(impl, "nt_copy") == 0;
    struct sample_fact f = { .kernel = "adt_pack",
                             .impl = impl,
                             .variant = "keep=3 threads=1",
                             .values = values,
                             .bytes_moved = 7 * values,
                             .rep = rep,
                             .elapsed_ns = ns,
                             .anchor_ns = anchor ? 0 : 100,
                             .anchor_bytes = anchor ? 0 : 8 * values };

    return store_samples(s, run, &f, 1);
}

static void rates_are_medians_of_the_newest_bench(void **state)
{
    static const int64_t slow[] = { 900, 700, 800 }, fast[] = { 100, 400, 200, 300 };

    (void)state;
    struct store *s = open_new();
    int64_t old = synthetic_run(s, "", "", ""), run = synthetic_run(s, "", "", "");
    char impl[32] = "";
    double Bps = 0;

    assert_int_equal(store_measured_rate(s, "a machine", "adt_pack", "keep=3 threads=1", &Bps, impl, 32), 0);
    assert_int_equal(store_rep(s, old, "avx2", 1000, 0, 1), 0);
    assert_int_equal(store_rep(s, run, "nt_copy", 1000, 0, 1), 0);
    assert_int_equal(store_rep(s, run, "avx2", 10, 0, 1), 0);
    for (int i = 0; i < 3; i++)
        assert_int_equal(store_rep(s, run, "scalar", 1000, i, slow[i]), 0);
    for (int i = 0; i < 4; i++)
        assert_int_equal(store_rep(s, run, "avx2", 1000, i, fast[i]), 0);
    assert_int_equal(store_measured_rate(s, "a machine", "adt_pack", "keep=3 threads=1", &Bps, impl, 32), 1);
    assert_string_equal(impl, "avx2");
    /* 7000 bytes in the two middle times of four, 300 and 200 ns: the mean of the middle rates. */
    assert_near(Bps, (7000.0 / 300 + 7000.0 / 200) / 2 * 1e9, 1);
    assert_near(support_real(s, "SELECT median_GBps FROM throughput WHERE impl = 'scalar'"), 8.75, 1e-9);
    assert_near(support_real(s, "SELECT median_ratio FROM throughput WHERE impl = 'scalar'"), 8.75 / 80, 1e-9);
    assert_int_equal(store_measured_rate(s, "another", "adt_pack", "keep=3 threads=1", &Bps, impl, 32), 0);
    assert_int_equal(store_measured_rate(s, "a machine", "adt_pack", "keep=2 threads=1", &Bps, impl, 32), 0);
    store_close(s);
}

static void samples_are_stored_together_or_not(void **state)
{
    struct sample_fact f[3] = { { .kernel = "k",
                                  .impl = "i",
                                  .variant = "",
                                  .values = 1,
                                  .bytes_moved = 1,
                                  .rep = 0,
                                  .elapsed_ns = 1,
                                  .anchor_ns = 1,
                                  .anchor_bytes = 1 } };

    (void)state;
    struct store *s = open_new();
    int64_t run = synthetic_run(s, "", "", "");

    f[1] = f[2] = f[0];
    f[1].rep = 1;
    f[2].rep = 2;
    f[2].elapsed_ns = 0;
    support_listen();
    assert_int_equal(store_samples(s, run, f, 3), NW_EDB);
    assert_non_null(strstr(support_heard(), "CHECK"));
    assert_int_equal(support_int(s, "SELECT count(*) FROM sample"), 0);
    assert_int_equal(store_samples(s, run, f, 2), 0);
    assert_int_equal(support_int(s, "SELECT count(*) FROM sample"), 2);
    store_close(s);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, support_setup, support_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_point_is_stored_once),
        TEST(existing_points_are_claimed),
        TEST(a_refused_point_leaves_nothing),
        TEST(a_full_disk_loses_nothing),
        TEST(a_held_file_is_reported),
        TEST(a_run_says_all_it_was_told),
        TEST(rates_are_medians_of_the_newest_bench),
        TEST(samples_are_stored_together_or_not),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
